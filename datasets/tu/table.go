package tu

import (
	"fmt"

	"github.com/dustin/go-humanize/english"
)

// Table holds one row of numbers per graph, node or edge; it has no columns where the data set has no such
// file.
type Table[T any] struct {
	Columns int
	Values  []T // [rows, Columns]
}

// Row returns the numbers of graph, node or edge i.
func (t Table[T]) Row(i int) []T { return t.Values[i*t.Columns : (i+1)*t.Columns] }

// things are what the lines of a file belong to.
type things struct {
	name  string
	lines int                // that the file must have
	kept  int                // number of lines that are kept
	place func(line int) int // where a line is kept, -1 for nowhere
}

// all are things of which every line is kept.
func all(name string, lines int) things {
	return things{name, lines, lines, func(line int) int { return line }}
}

// readTable returns the numbers in the file of a kind, an empty table if there is no such file.
//
// Memory is allocated at the first line, which has the number of columns, unless the file is too short.
func readTable[T any](f *files, kind string, of things, parse func([]byte) (T, error)) (Table[T], error) {
	var table Table[T]
	miscounted := func(lines string) error {
		return fmt.Errorf("%s has %s for %d %s: one of the files is cut off or of another data set",
			f.file(kind), lines, of.lines, of.name)
	}
	rows, columns, err := readRows(f, kind, parse, func(t *text, line int, values []T) error {
		columns := len(values)
		if line == 0 {
			if columns > f.left/max(1, of.kept) {
				return fmt.Errorf("%s has %d numbers for each of %d %s, more than the %d together that a "+
					"data set may have", f.file(kind), columns, of.kept, of.name, maxValues)
			}
			f.left -= columns * of.kept
			// A number takes a character and one that separates it from the next.
			if int64(columns)*int64(of.lines) <= (t.size+1)/2 {
				table.Values = make([]T, of.kept*columns)
			}
		}
		if line == of.lines {
			return miscounted("more than " + english.Plural(of.lines, "line", ""))
		}
		if at := of.place(line); at >= 0 && table.Values != nil {
			copy(table.Values[at*columns:], values)
		}
		return nil
	})
	if _, ok := f.members[kind]; ok && err == nil && rows < of.lines {
		err = miscounted(english.Plural(rows, "line", ""))
	}
	if err != nil {
		return Table[T]{}, err
	}
	table.Columns = columns
	return table, nil
}
