package figures

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"text/template"
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

// write writes the head, a rule if there is one, and the rows in columns. Entries are escaped and, where
// they are strong, put into a format; left, between and right are what lines begin with, have between
// cells, and end with.
func (t *Table) write(w io.Writer, escape *strings.Replacer, strong, rule, left, between, right string,
) error {
	columns := tabwriter.NewWriter(w, 0, 0, 0, ' ', 0)
	line := func(cells []string) { // Flush has the error
		fmt.Fprintln(columns, left+strings.Join(cells, "\t"+between)+right)
	}
	var head []string
	for _, text := range t.Head {
		head = append(head, escape.Replace(text))
	}
	if line(head); rule != "" {
		line(slices.Repeat([]string{rule}, len(head)))
	}
	for _, row := range t.Rows {
		var cells []string
		for _, c := range row {
			text := escape.Replace(c.Text)
			if c.Strong {
				text = fmt.Sprintf(strong, text)
			}
			cells = append(cells, text)
		}
		line(cells)
	}
	return columns.Flush()
}

// Print writes the table as plain text. Strong entries are followed by a star.
func (t *Table) Print(w io.Writer) error {
	err := t.write(w, strings.NewReplacer("\t", " ", "\n", " "), "%s*", "", "", "  ", "")
	for _, note := range t.Notes {
		_, noteErr := fmt.Fprintln(w, note)
		err = errors.Join(err, noteErr)
	}
	return err
}

// plain escapes what has a meaning in Markdown, also in its formulas and its HTML.
var plain = strings.NewReplacer(`\`, `\\`, "|", `\|`, "*", `\*`, "_", `\_`, "`", "\\`", "[", `\[`, "]", `\]`,
	"~", `\~`, "$", `\$`, "<", "&lt;", ">", "&gt;", "&", "&amp;", "\t", " ", "\n", " ", "\r", " ")

// Markdown returns the table in the dialect of GitHub.
func (t *Table) Markdown() string {
	out := bytes.NewBufferString("## " + plain.Replace(t.Title) + "\n\n")
	_ = t.write(out, plain, "**%s**", "---", "| ", " | ", "\t |") // memory takes all
	for _, note := range t.Notes {
		out.WriteString("\n" + plain.Replace(note) + "\n")
	}
	return out.String()
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

// HTML returns the table as an element to put into a page or a notebook, in the colors of its text and
// background.
func (t *Table) HTML() string {
	var b strings.Builder
	if err := page.Execute(&b, t); err != nil {
		panic(err) // a fault of the template
	}
	return b.String()
}
