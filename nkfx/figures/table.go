package figures

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
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

// dash is an empty entry.
var dash = Cell{Text: "–", Faint: true}

// texts returns head and rows as text that is escaped, and marked where it is strong.
func (t *Table) texts(escape func(string) string, before, behind string) [][]string {
	out := [][]string{make([]string, len(t.Head))}
	for i, h := range t.Head {
		out[0][i] = escape(h)
	}
	for _, row := range t.Rows {
		texts := make([]string, len(row))
		for i, c := range row {
			if texts[i] = escape(c.Text); c.Strong {
				texts[i] = before + texts[i] + behind
			}
		}
		out = append(out, texts)
	}
	return out
}

// Print writes the table as plain text. Strong entries have a star behind them.
func (t *Table) Print(w io.Writer) error {
	tab := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, row := range t.texts(func(s string) string { return s }, "", "*") {
		fmt.Fprintln(tab, strings.Join(row, "\t"))
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
	escape := strings.NewReplacer("|", `\|`, "*", `\*`, "\n", " ").Replace
	rows := t.texts(escape, "**", "**")
	widths := make([]int, len(t.Head))
	for _, row := range rows {
		for i, s := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(s))
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "## %s\n\n", t.Title)
	for n, row := range rows {
		for i, s := range row {
			fmt.Fprintf(&b, "| %-*s ", widths[i], s)
		}
		b.WriteString("|\n")
		for i := 0; n == 0 && i < len(widths); i++ {
			b.WriteString("| " + strings.Repeat("-", max(3, widths[i])) + " ")
		}
		if n == 0 {
			b.WriteString("|\n")
		}
	}
	for _, note := range t.Notes {
		fmt.Fprintf(&b, "\n%s\n", escape(note))
	}
	return b.String()
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
