package figures

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/template"
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
	Faint  bool // secondary, such as a published score
}

// Texts returns plain entries.
func Texts(texts ...string) (cells []Cell) {
	for _, text := range texts {
		cells = append(cells, Cell{Text: text})
	}
	return cells
}

// lines returns the head, a rule and the rows as text with columns of one width. Entries are escaped and,
// where they are strong, put into a format; left, between and right are what lines begin with, have
// between columns, and end with.
func (t *Table) lines(escape *strings.Replacer, strong, left, between, right string) []string {
	rows := [][]string{make([]string, len(t.Head)), make([]string, len(t.Head))}
	widths := make([]int, len(t.Head))
	for i, h := range t.Head {
		rows[0][i] = escape.Replace(h)
	}
	for _, row := range t.Rows {
		var texts []string
		for _, c := range row {
			text := escape.Replace(c.Text)
			if c.Strong {
				text = fmt.Sprintf(strong, text)
			}
			texts = append(texts, text)
		}
		rows = append(rows, texts)
	}
	for _, row := range rows {
		for i, s := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(s))
		}
	}
	lines := make([]string, len(rows))
	for n, row := range rows {
		for i, s := range row {
			if n == 1 {
				s = strings.Repeat("-", max(3, widths[i]))
			}
			row[i] = fmt.Sprintf("%-*s", widths[i], s)
		}
		lines[n] = left + strings.Join(row, between) + right
	}
	return lines
}

// Print writes the table as plain text. Strong entries have a star behind them.
func (t *Table) Print(w io.Writer) error {
	lines := t.lines(strings.NewReplacer(), "%s*", "", "  ", "")
	for _, line := range append(slices.Delete(lines, 1, 2), t.Notes...) {
		if _, err := fmt.Fprintln(w, strings.TrimRight(line, " ")); err != nil {
			return err
		}
	}
	return nil
}

// Markdown returns the table in the dialect of GitHub.
func (t *Table) Markdown() string {
	escape := strings.NewReplacer("|", `\|`, "*", `\*`, "\n", " ")
	lines := t.lines(escape, "**%s**", "| ", " | ", " |")
	out := fmt.Sprintf("## %s\n\n%s\n", t.Title, strings.Join(lines, "\n"))
	for _, note := range t.Notes {
		out += "\n" + escape.Replace(note) + "\n"
	}
	return out
}

// page is a table in HTML.
var page = template.Must(template.New("").Parse(
	`<table style="border-collapse:collapse;font:14px 'Liberation Sans',Arial,Helvetica,sans-serif">
<caption style="text-align:left;font-weight:bold;padding:6px">{{html .Title}}</caption>
{{$pad := "padding:4px 10px;text-align:left;white-space:nowrap" -}}
<tr>{{range .Head}}<th style="{{$pad}};border-bottom:2px solid">{{html .}}</th>{{end}}</tr>
{{range .Rows}}<tr>{{range .}}<td style="{{$pad}}{{if .Faint}};opacity:0.65{{end -}}
;border-bottom:1px solid rgba(128,128,128,0.3)">
{{- if .Strong}}<b>{{html .Text}}</b>{{else}}{{html .Text}}{{end}}</td>{{end}}</tr>
{{end}}</table>
{{range .Notes}}<p>{{html .}}</p>
{{end}}`))

// HTML returns the table as an element to put into a page or a notebook, on the ground and in the color
// of its text.
func (t *Table) HTML() string {
	var b strings.Builder
	if err := page.Execute(&b, t); err != nil {
		panic(err) // a fault of the template
	}
	return b.String()
}
