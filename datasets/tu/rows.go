package tu

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"strconv"

	"github.com/dustin/go-humanize/english"

	"github.com/neuralkforms/nkf/datasets/internal/text"
)

// place is a line of a file.
type place struct {
	member
	r    io.Reader // of what follows
	line int       // from 1
}

// fail returns an error that starts with the place, or that of a damaged file, whose checksum is only known
// at its end.
func (p *place) fail(format string, args ...any) error {
	if _, err := io.Copy(io.Discard, p.r); err != nil {
		return damaged(err)
	}
	return fmt.Errorf("%s, line %d: %s", p.base, p.line, fmt.Sprintf(format, args...))
}

// damaged is the error of a file that cannot be read to its end.
func damaged(err error) error { return fmt.Errorf("%w: the file is damaged, get it again", err) }

// readRows calls visit with the number of every line in the file of a kind that is not blank, from 0, and the
// values on it, which are overwritten by the next. It returns how many lines there were, each with as many
// values as the first: none if there is no such file.
func readRows[T any](f *files, kind string, parse func([]byte) (T, error),
	visit func(p *place, row int, values []T) error) (rows, columns int, err error) {
	m, ok := f.members[kind]
	if !ok {
		return 0, 0, nil
	}
	err = m.read(func(r io.Reader) error {
		p := &place{member: m, r: text.NewReader(r, m.base)}
		lines := bufio.NewScanner(p.r)
		lines.Buffer(make([]byte, 0, 1<<12), maxLine)
		var values []T
		for lines.Scan() {
			p.line++
			line := bytes.TrimSpace(lines.Bytes())
			if len(line) == 0 {
				continue
			}
			values = values[:0]
			for value := range fields(line) {
				x, err := parse(bytes.TrimSpace(value))
				if err != nil {
					return p.fail("column %d: %v", len(values)+1, err)
				}
				values = append(values, x)
			}
			if rows == 0 {
				columns = len(values)
			}
			if len(values) != columns {
				return p.fail("%s, but the lines before have %d", english.Plural(len(values), "value", ""),
					columns)
			}
			if err := visit(p, rows, values); err != nil {
				return err
			}
			rows++
		}
		switch err := lines.Err(); {
		case errors.Is(err, bufio.ErrTooLong):
			p.line++
			return p.fail("more than %d bytes: a line is of one graph, node or edge", maxLine)
		case err != nil:
			return damaged(err)
		case rows == 0 && kind != "A": // a data set of points has no edges
			return fmt.Errorf("%s is empty: it was cut off, get the data set again", m.base)
		}
		return nil
	})
	return rows, columns, err
}

// fields yields the values on a line, between commas or, without these, between blanks.
func fields(line []byte) iter.Seq[[]byte] {
	if bytes.IndexByte(line, ',') >= 0 {
		return bytes.SplitSeq(line, []byte(","))
	}
	return bytes.FieldsSeq(line)
}

// parseInteger returns the integer that s spells.
func parseInteger(s []byte) (int, error) {
	n, err := strconv.Atoi(string(s))
	switch {
	case errors.Is(err, strconv.ErrRange):
		return 0, fmt.Errorf("%s is not an integer that this machine can hold", show(s))
	case err != nil:
		return 0, fmt.Errorf("%s is not an integer", show(s))
	}
	return n, nil
}

// parseReal returns the finite number that s spells.
func parseReal(s []byte) (float64, error) {
	x, err := text.Number(string(s))
	switch {
	case err != nil && !errors.Is(err, strconv.ErrRange):
		return 0, fmt.Errorf("%s is not a number", show(s))
	case math.IsNaN(x) || math.Abs(x) > math.MaxFloat32:
		return 0, fmt.Errorf("%s is not a finite number of single precision: replace it or leave its "+
			"graph out", show(s))
	}
	return x, nil
}

// show quotes a value for an error, cut short.
func show(s []byte) string {
	if len(s) == 0 {
		return "an empty value"
	}
	return fmt.Sprintf("%.40q", s)
}

// Table holds one row of numbers per graph or node; it has no columns where the data set has no such file.
type Table[T any] struct {
	Columns int
	Values  []T // [rows, Columns]
}

// Row returns the numbers of graph or node i.
func (t Table[T]) Row(i int) []T { return t.Values[i*t.Columns : (i+1)*t.Columns] }

// readTable returns the numbers in the file of a kind, one row for each of count graphs or nodes, or an empty
// table if there is no such file. Memory is taken for the lines that are there, and not for more of them.
func readTable[T any](f *files, kind, of string, count int, parse func([]byte) (T, error)) (table Table[T],
	err error) {
	rows, columns, err := readRows(f, kind, parse, func(p *place, line int, values []T) error {
		if line == count {
			return p.fail("more lines than there are %s: one of the files is of another data set", of)
		}
		if f.left -= len(values); f.left < 0 {
			return p.fail("more than %d labels and attributes, which a data set may have", maxValues)
		}
		table.Values = append(table.Values, values...)
		return nil
	})
	if _, ok := f.members[kind]; ok && err == nil && rows < count {
		err = fmt.Errorf("%s has %s for %d %s: one of the files is cut off or of another data set",
			f.file(kind), english.Plural(rows, "line", ""), count, of)
	}
	table.Columns = columns
	return table, err
}
