package figures

import (
	"fmt"
	"html"
	"io"
	"strings"
	"text/tabwriter"
	"unicode/utf8"
)

// Table is a table of text to print, or to write as Markdown or HTML.
type Table struct {
	Title string
	Head  []string
	Rows  [][]Cell
	Notes []string // sentences below it
}

// Cell is an entry of a [Table].
type Cell struct {
	Text   string
	Strong bool // bold; a star in plain text
	Faint  bool // secondary, such as a figure of others
}

// Print writes the table as plain text. Strong entries have a star behind
// them.
func (t *Table) Print(w io.Writer) error {
	tab := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tab, strings.Join(t.Head, "\t"))
	for _, row := range t.Rows {
		texts := make([]string, len(row))
		for i, c := range row {
			if texts[i] = c.Text; c.Strong {
				texts[i] += "*"
			}
		}
		fmt.Fprintln(tab, strings.Join(texts, "\t"))
	}
	if err := tab.Flush(); err != nil {
		return err
	}
	for _, note := range t.Notes {
		if _, err := fmt.Fprintln(w, note); err != nil {
			return err
		}
	}
	return nil
}

// Markdown returns the table in the dialect of GitHub.
func (t *Table) Markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "## %s\n\n", t.Title)
	cells := [][]string{make([]string, len(t.Head))}
	widths := make([]int, len(t.Head))
	escape := strings.NewReplacer("|", `\|`, "*", `\*`, "\n", " ")
	for i, h := range t.Head {
		cells[0][i] = escape.Replace(h)
	}
	for _, row := range t.Rows {
		texts := make([]string, len(row))
		for i, c := range row {
			if texts[i] = escape.Replace(c.Text); c.Strong {
				texts[i] = "**" + texts[i] + "**"
			}
		}
		cells = append(cells, texts)
	}
	for _, row := range cells {
		for i, s := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(s))
		}
	}
	for n, row := range cells {
		for i, s := range row {
			fmt.Fprintf(&b, "| %s%s ", s, strings.Repeat(" ", widths[i]-utf8.RuneCountInString(s)))
		}
		b.WriteString("|\n")
		if n == 0 {
			for _, w := range widths {
				b.WriteString("| " + strings.Repeat("-", max(3, w)) + " ")
			}
			b.WriteString("|\n")
		}
	}
	for _, note := range t.Notes {
		fmt.Fprintf(&b, "\n%s\n", escape.Replace(note))
	}
	return b.String()
}

// HTML returns the table as an element to put into a page or a notebook, on the
// ground and in the color of its text.
func (t *Table) HTML() string {
	var b strings.Builder
	b.WriteString("<table style=\"border-collapse:collapse;" +
		"font:14px 'Liberation Sans',Arial,Helvetica,sans-serif\">\n")
	fmt.Fprintf(&b, "<caption style=\"text-align:left;font-weight:bold;padding:6px\">%s</caption>\n",
		html.EscapeString(t.Title))
	const pad = "padding:4px 10px;text-align:left;white-space:nowrap"
	const line = "border-bottom:1px solid rgba(128,128,128,0.3)"
	b.WriteString("<tr>")
	for _, h := range t.Head {
		fmt.Fprintf(&b, "<th style=\"%s;border-bottom:2px solid\">%s</th>", pad, html.EscapeString(h))
	}
	b.WriteString("</tr>\n")
	for _, cells := range t.Rows {
		b.WriteString("<tr>")
		for _, c := range cells {
			text, style := html.EscapeString(c.Text), pad
			if c.Strong {
				text = "<b>" + text + "</b>"
			}
			if c.Faint {
				style += ";opacity:0.65"
			}
			fmt.Fprintf(&b, "<td style=\"%s;%s\">%s</td>", style, line, text)
		}
		b.WriteString("</tr>\n")
	}
	b.WriteString("</table>\n")
	for _, note := range t.Notes {
		fmt.Fprintf(&b, "<p>%s</p>\n", html.EscapeString(note))
	}
	return b.String()
}
