package tu

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"iter"
	"math"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize/english"

	"github.com/neuralkforms/nkf/datasets/internal/text"
)

// place is a line of a file.
type place struct {
	file string
	line int // from 1
}

// fail returns an error that starts with the place.
func (p place) fail(format string, args ...any) error {
	return fmt.Errorf("%s, line %d: %s", p.file, p.line, fmt.Sprintf(format, args...))
}

// readRows calls visit with the number of every line in the file of a kind that is not blank, from 0, and the
// values on it, as many as on the first, which are overwritten by the next. It returns how many lines there
// were: none if there is no such file.
func readRows[T any](f *files, kind string, parse func([]byte) (T, error),
	visit func(p place, row int, values []T) error) (rows int, err error) {
	if f.paths[kind] == "" {
		return 0, nil
	}
	in := &intact{hash: sha256.New()}
	in.file, in.err = f.Open(f.paths[kind])
	if in.err == nil {
		defer in.file.Close()
		if rows, err = scanRows(in, f.file(kind), parse, visit); err == nil {
			_, _ = io.Copy(io.Discard, in) // for the checksum; in keeps its error
		}
	}
	switch {
	case in.err != nil: // what was scanned is cut off
		return 0, fmt.Errorf("%s: %w: the file is damaged, get it again", f.file(kind), in.err)
	case err == nil && rows == 0 && kind != "A": // a data set of points has no edges
		err = fmt.Errorf("%s is empty: it was cut off, get the data set again", f.file(kind))
	}
	f.sums.Add(f.file(kind), in.hash.Sum(nil))
	return rows, err
}

// intact is a file with the checksum of what was read, and the error of reading it.
type intact struct {
	file fs.File
	hash hash.Hash
	err  error
}

// Read reads.
func (r *intact) Read(p []byte) (int, error) {
	n, err := r.file.Read(p)
	_, _ = r.hash.Write(p[:n]) // never fails
	if err != io.EOF {
		r.err = err
	}
	return n, err
}

// scanRows is readRows of the content of a file, which may be empty.
func scanRows[T any](in io.Reader, name string, parse func([]byte) (T, error),
	visit func(p place, row int, values []T) error) (rows int, err error) {
	p := place{file: name}
	content := text.NewReader(in, name)
	var values []T
	columns, row := 0, []byte(nil)
	for p.line, row = range content.Lines(maxLine) {
		if row = bytes.TrimSpace(row); len(row) == 0 {
			continue
		}
		values = values[:0]
		for value := range fields(row) {
			x, err := parse(bytes.TrimSpace(value))
			if err != nil {
				return rows, p.fail("column %d: %v", len(values)+1, err)
			}
			values = append(values, x)
		}
		if rows == 0 {
			columns = len(values)
		}
		if len(values) != columns {
			return rows, p.fail("%s, but the lines before have %d", english.Plural(len(values), "value", ""),
				columns)
		}
		if err := visit(p, rows, values); err != nil {
			return rows, err
		}
		rows++
	}
	return rows, content.Err()
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

// table holds one row of numbers per graph or node; it has no columns where the data set has no such file.
type table[T any] struct {
	columns int
	values  []T // [rows, Columns]
}

// Row returns the numbers of graph or node i.
func (t table[T]) row(i int) []T { return t.values[i*t.columns : (i+1)*t.columns] }

// column returns one number of each graph or node.
func (t table[T]) column(column int) []T {
	values := make([]T, 0, len(t.values)/t.columns)
	for i := column; i < len(t.values); i += t.columns {
		values = append(values, t.values[i])
	}
	return values
}

// readTable returns the numbers in the file of a kind, one row for each of count graphs or nodes, or, for -1,
// for however many there are; an empty table if there is no such file.
func readTable[T any](f *files, kind string, count int, parse func([]byte) (T, error)) (out table[T],
	err error) {
	of, _, _ := strings.Cut(kind, "_")
	rows, err := readRows(f, kind, parse, func(p place, line int, values []T) error {
		if line == count {
			return p.fail("more lines than there are %ss: one of the files is of another data set", of)
		}
		if f.left -= len(values); f.left < 0 {
			return p.fail("more than %d labels and attributes, which a data set may have", maxValues)
		}
		out.columns, out.values = len(values), append(out.values, values...)
		return bounded(p, line, values)
	})
	if f.paths[kind] != "" && err == nil && rows < count {
		err = fmt.Errorf("%s has %s for %d %ss: one of the files is cut off or of another data set",
			f.file(kind), english.Plural(rows, "line", ""), count, of)
	}
	return out, err
}
