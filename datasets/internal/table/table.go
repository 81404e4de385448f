// Package table reads tables from CSV files as they come: with any line ends, a byte order mark, and commas,
// semicolons or tabs between columns.
package table

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Table reads the rows of a CSV file with a header, whose lines end in any way.
type Table struct {
	Name string   // of the file, for errors
	Head []string // names of the columns, without white space around

	csv   *csv.Reader
	lines *lines // that csv reads
}

// New reads the header of a file. If the separator is 0, it takes the one of the header: of comma, semicolon
// and tab.
func New(r io.Reader, name string, separator rune) (*Table, error) {
	buffer := bufio.NewReaderSize(r, 1<<16)
	start, err := buffer.Peek(3)
	if err != nil && err != io.EOF {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	switch {
	case bytes.HasPrefix(start, []byte("\xef\xbb\xbf")):
		// Peek has shown that there is so much to discard.
		_, _ = buffer.Discard(3)
	case bytes.HasPrefix(start, []byte("\xff\xfe")), bytes.HasPrefix(start, []byte("\xfe\xff")):
		return nil, fmt.Errorf("%s is in UTF-16: save it as UTF-8", name)
	case bytes.HasPrefix(start, []byte("\x1f\x8b")):
		return nil, fmt.Errorf("%s is packed by gzip: unpack it first", name)
	}
	text := &lines{r: buffer, left: maxRow}
	ahead := bufio.NewReaderSize(text, MostHeader) // csv takes a buffer of this size as its own
	if separator == 0 {
		separator = separatorOf(ahead)
	}
	t := &Table{Name: name, csv: csv.NewReader(ahead), lines: text}
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
			hint = fmt.Sprintf("; if it is not %q that separates columns, say what does (--separator)",
				t.csv.Comma)
		}
		return 0, fmt.Errorf("%s, line 1: no column is called %q: there are %s%s", t.Name, name,
			Quoted(t.Head), hint)
	}
	if slices.ContainsFunc(t.Head[at+1:], same) {
		return 0, fmt.Errorf("%s, line 1: more than one column is called %q: rename one", t.Name, name)
	}
	return at, nil
}

// Quoted lists the first names in quotes.
func Quoted(names []string) string {
	const most = 20
	var out []string
	for _, name := range names[:min(most, len(names))] {
		out = append(out, fmt.Sprintf("%.40q", name))
	}
	if len(names) > most {
		out = append(out, fmt.Sprintf("and %d more", len(names)-most))
	}
	return strings.Join(out, ", ")
}

// Record returns the next record that is not blank, valid until the next call, or io.EOF.
func (t *Table) Record() ([]string, error) {
	for {
		t.lines.left = maxRow
		fields, err := t.csv.Read()
		var bad *csv.ParseError
		switch {
		case err == io.EOF:
			return nil, io.EOF
		case errors.As(err, &bad):
			return nil, fmt.Errorf("%s, line %d, column %d, in the row from line %d: %w: put a field that "+
				"holds separators, quotes or line ends in double quotes, and double the quotes within",
				t.Name, bad.Line, bad.Column, bad.StartLine, bad.Err)
		case err != nil:
			return nil, fmt.Errorf("reading %s: %w", t.Name, err)
		}
		if len(fields) > 1 || strings.TrimSpace(fields[0]) != "" {
			return fields, nil
		}
	}
}

// Line returns the line in which the last record begins, from 1.
func (t *Table) Line() int {
	line, _ := t.csv.FieldPos(0)
	return line
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

// lines reads text whose lines end in \n, \r\n or \r, and ends them all in \n.
type lines struct {
	r       io.Reader
	left    int // bytes that may still come
	afterCR bool
}

// Read implements io.Reader.
func (l *lines) Read(p []byte) (int, error) {
	for {
		if l.left < 0 {
			return 0, fmt.Errorf("a row of more than %d bytes: look for a quote that is missing", maxRow)
		}
		n, err := l.r.Read(p)
		l.left -= n
		kept := 0
		for _, b := range p[:n] {
			half := b == '\n' && l.afterCR
			l.afterCR = b == '\r'
			if half {
				continue
			}
			if b == '\r' {
				b = '\n'
			}
			p[kept] = b
			kept++
		}
		if kept > 0 || err != nil || len(p) == 0 {
			return kept, err
		}
	}
}
