package moleculenet

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/neuralkforms/nkf/datasets/internal/table"
)

// csvTable is a table of molecules at one of its rows.
type csvTable struct {
	*table.Table
	rows int // that were read
}

func newTable(r io.Reader, name string, separator rune) (*csvTable, error) {
	t, err := table.New(r, name, separator)
	return &csvTable{Table: t}, err
}

// ColumnNames returns the names of the columns in the first line of a CSV file. Errors call the file by
// name; the separator is as in [Columns].
func ColumnNames(r io.Reader, name string, separator rune) ([]string, error) {
	t, err := table.New(r, name, separator)
	if err != nil {
		return nil, err
	}
	return t.Head, nil
}

// places finds the columns.
func (t *csvTable) places(columns Columns) (at places, err error) {
	if at.smiles, err = t.Column(columns.SMILES); err != nil {
		return at, err
	}
	at.id = -1
	if columns.ID != "" {
		if at.id, err = t.Column(columns.ID); err != nil {
			return at, err
		}
	}
	for _, name := range columns.Labels {
		label, err := t.label(name)
		if err != nil {
			return at, err
		}
		if slices.Contains(at.labels, label) {
			return at, fmt.Errorf("%s: the column %q is named twice", t.Name, name)
		}
		at.labels = append(at.labels, label)
	}
	return at, nil
}

// label finds a column of labels. A flag lists these with commas in between, which splits names that hold
// commas; the error explains it.
func (t *csvTable) label(name string) (int, error) {
	at, err := t.Column(name)
	if err == nil {
		return at, nil
	}
	for _, h := range t.Head {
		start, _, comma := strings.Cut(h, ",")
		if comma && strings.EqualFold(start, name) {
			return 0, fmt.Errorf(`%w; put a name that holds commas in double quotes within the flag: `+
				`--label '"%.80s"'`, err, h)
		}
	}
	return 0, err
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
func (t *csvTable) next(at places) (row, error) {
	fields, err := t.Record()
	if err != nil {
		return row{}, err
	}
	r := row{number: t.rows, line: t.Line()}
	t.rows++
	// Clones, because the fields of a record share the memory of its line.
	field := func(at int) string {
		if at < 0 || at >= len(fields) {
			return ""
		}
		return strings.Clone(strings.TrimSpace(fields[at]))
	}
	r.fault = t.Overflow(fields)
	switch {
	case r.fault != "":
		return r, nil
	case at.smiles >= len(fields):
		r.fault = fmt.Sprintf("the row has %d of %d fields, no field in column %q", len(fields), len(t.Head),
			t.Head[at.smiles])
		return r, nil
	}
	r.smiles, r.id = field(at.smiles), field(at.id)
	for _, at := range at.labels {
		r.labels = append(r.labels, field(at))
	}
	return r, nil
}
