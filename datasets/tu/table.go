package tu

import (
	"fmt"

	"github.com/dustin/go-humanize/english"
)

// Table holds one row of numbers per graph or node; it has no columns where the data set has no such file.
type Table[T any] struct {
	Columns int
	Values  []T // [rows, Columns]
}

// Row returns the numbers of graph or node i.
func (t Table[T]) Row(i int) []T { return t.Values[i*t.Columns : (i+1)*t.Columns] }

// readTable returns the numbers in the file of a kind, one row for each of count graphs or nodes, or an empty
// table if there is no such file.
//
// Memory is allocated at the first line, which has the number of columns, unless the file is too short.
func readTable[T any](f *files, kind, of string, count int, parse func([]byte) (T, error)) (Table[T], error) {
	var table Table[T]
	miscounted := func(lines string) error {
		return fmt.Errorf("%s has %s for %d %s: one of the files is cut off or of another data set",
			f.file(kind), lines, count, of)
	}
	rows, columns, err := readRows(f, kind, parse, func(t *text, line int, values []T) error {
		columns := len(values)
		if line == 0 {
			if columns > f.left/max(1, count) {
				return fmt.Errorf("%s has %d numbers for each of %d %s, more than the %d together that a "+
					"data set may have", f.file(kind), columns, count, of, maxValues)
			}
			f.left -= columns * count
			// A number takes a character and one that separates it from the next.
			if int64(columns)*int64(count) <= (t.size+1)/2 {
				table.Values = make([]T, count*columns)
			}
		}
		if line == count {
			return miscounted("more than " + english.Plural(count, "line", ""))
		}
		if table.Values != nil {
			copy(table.Values[line*columns:], values)
		}
		return nil
	})
	if _, ok := f.members[kind]; ok && err == nil && rows < count {
		err = miscounted(english.Plural(rows, "line", ""))
	}
	if err != nil {
		return Table[T]{}, err
	}
	table.Columns = columns
	return table, nil
}
