package moleculenet

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

// table reads the rows of a CSV file with a header.
type table struct {
	name  string // of the file, for errors
	csv   *csv.Reader
	lines *lines // that csv reads
	head  []string
	rows  int // that were read
}

// newTable reads the header of a file. If the separator is 0, it takes the one of the header.
func newTable(r io.Reader, name string, separator rune) (*table, error) {
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
	ahead := bufio.NewReaderSize(text, mostHeader) // csv takes a buffer of this size as its own
	if separator == 0 {
		separator = separatorOf(ahead)
	}
	t := &table{name: name, csv: csv.NewReader(ahead), lines: text}
	t.csv.Comma = separator
	t.csv.FieldsPerRecord = -1
	t.csv.ReuseRecord = true
	head, err := t.record()
	if err == io.EOF {
		return nil, fmt.Errorf("%s is empty: its first line must name the columns", name)
	}
	if err != nil {
		return nil, err
	}
	for _, h := range head {
		t.head = append(t.head, strings.TrimSpace(h))
	}
	return t, nil
}

// column returns the place of the column of that name. Case matters only where it tells columns apart.
func (t *table) column(name string) (int, error) {
	same := func(h string) bool { return h == name }
	if !slices.ContainsFunc(t.head, same) {
		same = func(h string) bool { return strings.EqualFold(h, name) }
	}
	at := slices.IndexFunc(t.head, same)
	if at < 0 {
		hint := ""
		others := strings.ReplaceAll(separators, string(t.csv.Comma), "")
		if strings.ContainsAny(strings.Join(t.head, ""), others) {
			hint = fmt.Sprintf("; if it is not %q that separates columns, say what does (--separator)",
				t.csv.Comma)
		}
		return 0, fmt.Errorf("%s, line 1: no column is called %q: there are %s%s", t.name, name,
			quoted(t.head), hint)
	}
	if slices.ContainsFunc(t.head[at+1:], same) {
		return 0, fmt.Errorf("%s, line 1: more than one column is called %q: rename one", t.name, name)
	}
	return at, nil
}

// places finds the columns.
func (t *table) places(columns Columns) (at places, err error) {
	if at.smiles, err = t.column(columns.SMILES); err != nil {
		return at, err
	}
	at.id = -1
	if columns.ID != "" {
		if at.id, err = t.column(columns.ID); err != nil {
			return at, err
		}
	}
	for _, name := range columns.Labels {
		label, err := t.label(name)
		if err != nil {
			return at, err
		}
		if slices.Contains(at.labels, label) {
			return at, fmt.Errorf("%s: the column %q is named twice", t.name, name)
		}
		at.labels = append(at.labels, label)
	}
	return at, nil
}

// label finds a column of labels. A flag lists these with commas in between, which splits names that hold
// commas; the error explains it.
func (t *table) label(name string) (int, error) {
	at, err := t.column(name)
	if err == nil {
		return at, nil
	}
	for _, h := range t.head {
		start, _, comma := strings.Cut(h, ",")
		if comma && strings.EqualFold(start, name) {
			return 0, fmt.Errorf(`%w; put a name that holds commas in double quotes within the flag: `+
				`--label '"%.80s"'`, err, h)
		}
	}
	return 0, err
}

// quoted lists the first names in quotes.
func quoted(names []string) string {
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

// record returns the next record that is not blank, valid until the next call, or io.EOF.
func (t *table) record() ([]string, error) {
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
				t.name, bad.Line, bad.Column, bad.StartLine, bad.Err)
		case err != nil:
			return nil, fmt.Errorf("reading %s: %w", t.name, err)
		}
		if len(fields) > 1 || strings.TrimSpace(fields[0]) != "" {
			return fields, nil
		}
	}
}

// places are the columns of interest, from 0.
type places struct {
	smiles, id int // id is -1 without such a column
	labels     []int
}

// row is a row of a file: the fields of interest.
type row struct {
	number int      // from 0
	line   int      // of the file, from 1
	smiles string   // without white space around
	id     string   // without white space around, like the labels
	labels []string // one of each column of labels
	fault  string   // what is wrong with the row, or ""
}

// next returns the next row with the fields at those places.
func (t *table) next(at places) (row, error) {
	fields, err := t.record()
	if err != nil {
		return row{}, err
	}
	line, _ := t.csv.FieldPos(0)
	r := row{number: t.rows, line: line}
	t.rows++
	// Clones, because the fields of a record share the memory of its line.
	field := func(at int) string {
		if at < 0 || at >= len(fields) {
			return ""
		}
		return strings.Clone(strings.TrimSpace(fields[at]))
	}
	beyond := fields[min(len(fields), len(t.head)):]
	switch {
	case slices.ContainsFunc(beyond, func(s string) bool { return strings.TrimSpace(s) != "" }):
		r.fault = fmt.Sprintf("the row has %d fields under %d names: put a field that holds separators "+
			"in double quotes", len(fields), len(t.head))
		return r, nil
	case at.smiles >= len(fields):
		r.fault = fmt.Sprintf("the row has %d of %d fields, no field in column %q", len(fields), len(t.head),
			t.head[at.smiles])
		return r, nil
	}
	r.smiles, r.id = field(at.smiles), field(at.id)
	for _, at := range at.labels {
		r.labels = append(r.labels, field(at))
	}
	return r, nil
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
