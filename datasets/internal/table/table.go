// Package table reads tables from CSV files, in the encodings and with the line ends that package text reads,
// and with commas, semicolons or tabs between columns. It also decides whether labels are classes or numbers.
package table

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/neuralkforms/nkf/datasets/fileio"
	"github.com/neuralkforms/nkf/datasets/internal/text"
)

// Table reads the rows of a CSV file with a header, whose lines end in any way.
type Table struct {
	Name string   // of the file, for errors
	Head []string // names of the columns, without white space around

	csv  *csv.Reader
	text *text.Reader // that csv reads
	head int          // line of the header, from 1
	said int          // lines before the header that csv has not seen: 1 for sep=
}

// New reads the header of a file. If the separator is 0, it takes the one of the header: of comma, semicolon
// and tab. A line before the header as spreadsheets write it, sep=;, says which one it is.
func New(r io.Reader, name string, separator rune) (*Table, error) {
	content := text.NewReader(r, name)
	content.Allow(maxRow, "a row")
	ahead := bufio.NewReader(content)
	t := &Table{Name: name, text: content}
	header := readHeader(ahead)
	if said, ok := saidSeparator(header); ok {
		t.said = 1
		header = readHeader(ahead)
		if separator == 0 {
			separator = said
		}
	}
	if separator == 0 {
		separator = separatorOf(header)
	}
	t.csv = csv.NewReader(io.MultiReader(strings.NewReader(header), ahead))
	t.csv.Comma = separator
	t.csv.FieldsPerRecord = -1
	t.csv.ReuseRecord = true
	head, err := t.Record()
	if err == io.EOF {
		return nil, fmt.Errorf("%s is empty: its first line must name the columns", name)
	}
	if err != nil {
		return nil, err
	}
	t.head = t.Line()
	for _, h := range head {
		t.Head = append(t.Head, strings.TrimSpace(h))
	}
	return t, nil
}

// Column returns the place of the column of that name. Case matters only where it tells columns apart.
func (t *Table) Column(name string) (int, error) {
	same := func(h string) bool { return h == name }
	if !slices.ContainsFunc(t.Head, same) {
		same = func(h string) bool { return strings.EqualFold(h, name) }
	}
	at := slices.IndexFunc(t.Head, same)
	if at < 0 {
		hint := ""
		others := strings.ReplaceAll(separators, string(t.csv.Comma), "")
		if strings.ContainsAny(strings.Join(t.Head, ""), others) {
			hint = fmt.Sprintf("; if it is not %q that separates columns, begin the file with a line like "+
				"sep=;", t.csv.Comma)
		}
		return 0, fmt.Errorf("%s, line %d: no column is called %q: the columns are %s%s", t.Name, t.head,
			name, fileio.Quoted(t.Head), hint)
	}
	if slices.ContainsFunc(t.Head[at+1:], same) {
		return 0, fmt.Errorf("%s, line %d: more than one column is called %q: rename one", t.Name, t.head,
			name)
	}
	return at, nil
}

// Record returns the next record that is not blank, valid until the next call, or io.EOF.
func (t *Table) Record() ([]string, error) {
	for {
		t.text.Allow(maxRow, "a row")
		fields, err := t.csv.Read()
		var bad *csv.ParseError
		switch {
		case err == nil:
		case t.text.Err() != nil:
			return nil, t.text.Err()
		case errors.As(err, &bad):
			return nil, fmt.Errorf("%s, line %d, column %d, in the row from line %d: %w: put a field that "+
				"holds separators, quotes or line ends in double quotes, and double the quotes within",
				t.Name, bad.Line+t.said, bad.Column, bad.StartLine+t.said, bad.Err)
		default:
			return nil, err
		}
		if len(fields) > 1 || strings.TrimSpace(fields[0]) != "" {
			return fields, nil
		}
	}
}

// Line returns the line in which the last record begins, from 1.
func (t *Table) Line() int {
	line, _ := t.csv.FieldPos(0)
	return line + t.said
}

// Overflow returns what is wrong with a record that has more fields than there are columns, or "".
func (t *Table) Overflow(fields []string) string {
	beyond := fields[min(len(fields), len(t.Head)):]
	if !slices.ContainsFunc(beyond, func(s string) bool { return strings.TrimSpace(s) != "" }) {
		return ""
	}
	return fmt.Sprintf("the row has %d fields under %d names: put a field that holds separators in double "+
		"quotes", len(fields), len(t.Head))
}

// maxRow bounds the bytes of a row. Where a quote is missing, or in binary data, a row would fill the memory.
const maxRow = 1 << 24
