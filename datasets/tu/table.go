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

// rows returns the number of rows, 0 without columns.
func (t Table[T]) rows() int { return len(t.Values) / max(1, t.Columns) }

// readRows calls visit with the number of every line in the file of a kind that is not blank, from 0, and the
// values on it, which are its own until the next. It returns how many lines there were, each with as many
// values as the first: none if there is no such file.
func readRows[T any](f *files, kind string, parse func([]byte) (T, error),
	visit func(row int, values []T) error) (rows, columns int, err error) {
	if _, ok := f.members[kind]; !ok {
		return 0, 0, nil
	}
	t, err := f.text(kind)
	if err != nil {
		return 0, 0, err
	}
	defer t.close()
	var values []T
	for ; t.next(); rows++ {
		values = values[:0]
		for t.more {
			x, err := parse(t.value())
			if err != nil {
				return 0, 0, t.fail("column %d: %v", len(values)+1, err)
			}
			values = append(values, x)
		}
		if rows == 0 {
			columns = len(values)
		}
		if len(values) != columns {
			return 0, 0, t.fail("%s, but the lines before have %d", english.Plural(len(values), "value", ""),
				columns)
		}
		if err := visit(rows, values); err != nil {
			return 0, 0, err
		}
	}
	if t.err == nil && rows == 0 {
		t.err = t.empty()
	}
	return rows, columns, t.err
}

// things are what the lines of a file are of.
type things struct {
	name  string
	lines int                // that the file must have
	kept  int                // of which that many are kept
	place func(line int) int // where a line is kept, -1 for nowhere
}

// all are things of which every line is kept.
func all(name string, lines int) things {
	return things{name, lines, lines, func(line int) int { return line }}
}

// readTable returns the numbers in the file of a kind, an empty table if there is no such file.
//
// The memory is taken at the first line, which tells how much it is, unless the file is too short for it.
func readTable[T any](f *files, kind string, of things, parse func([]byte) (T, error)) (Table[T], error) {
	var table Table[T]
	size := f.members[kind].size
	rows, columns, err := readRows(f, kind, parse, func(line int, values []T) error {
		columns := len(values)
		if line == 0 {
			if columns > f.left/max(1, of.kept) {
				return fmt.Errorf("%s has %d numbers for each of %d %s, more than the %d together that a "+
					"data set may have", f.file(kind), columns, of.kept, of.name, maxValues)
			}
			f.left -= columns * of.kept
			// A number takes a character and one that separates it from the next.
			if int64(columns)*int64(of.lines) <= (size+1)/2 {
				table.Values = make([]T, of.kept*columns)
			}
		}
		if line == of.lines {
			return f.miscounted(kind, "more than "+english.Plural(of.lines, "line", ""), of)
		}
		if table.Values == nil {
			return nil // to be told when the lines are counted
		}
		if at := of.place(line); at >= 0 {
			copy(table.Values[at*columns:], values)
		}
		return nil
	})
	if err != nil {
		return Table[T]{}, err
	}
	table.Columns = columns
	if _, ok := f.members[kind]; ok && rows < of.lines {
		return Table[T]{}, f.miscounted(kind, english.Plural(rows, "line", ""), of)
	}
	return table, nil
}

// miscounted returns the error of a file of a kind with another number of lines than there are things.
func (f *files) miscounted(kind, lines string, of things) error {
	return fmt.Errorf("%s has %s for %d %s: one of the files is cut off or of another data set",
		f.file(kind), lines, of.lines, of.name)
}
