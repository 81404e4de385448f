package tu

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"math"
	"strconv"
	"unicode"

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

// rows reads the file of a kind, line by line. Blank lines do not count.
type rows[T any] struct {
	place      // of the last row
	values []T // on it, as many as on the first; valid until the next
	count  int // rows so far
	f      *files
	kind   string
	parse  func([]byte) (T, error)
	in     *intact
	text   *text.Reader
	lines  *text.Lines
	err    error
	closed bool
}

// open opens the file of a kind, which may not be there: then it has no rows.
func open[T any](f *files, kind string, parse func([]byte) (T, error)) *rows[T] {
	r := &rows[T]{place: place{file: f.file(kind)}, f: f, kind: kind, parse: parse}
	if f.paths[kind] == "" {
		return r
	}
	r.in = &intact{hash: sha256.New()}
	if r.in.file, r.in.err = f.Open(f.paths[kind]); r.in.err == nil {
		r.text = text.NewReader(r.in, r.file)
		r.lines = r.text.Lines(maxLine)
	}
	return r
}

// next goes on to the next row, and reports whether there is one. [rows.close] says whether those before were
// all.
func (r *rows[T]) next() bool {
	if r.lines == nil || r.err != nil || r.closed {
		return false
	}
	var row []byte
	for len(row) == 0 {
		if !r.lines.Next() {
			r.err = r.text.Err()
			return false
		}
		row = bytes.TrimSpace(r.lines.Line)
	}
	columns := len(r.values)
	r.line, r.values = r.lines.Number, r.values[:0]
	commas := bytes.IndexByte(row, ',') >= 0
	for more := true; more; {
		var value []byte
		value, row, more = cut(row, commas)
		x, err := r.parse(value)
		if err != nil {
			r.err = r.fail("column %d: %v", len(r.values)+1, err)
			return false
		}
		r.values = append(r.values, x)
	}
	if r.count > 0 && len(r.values) != columns {
		r.err = r.fail("%s, but the lines before have %d", english.Plural(len(r.values), "value", ""),
			columns)
		return false
	}
	r.count++
	return true
}

// close reads the file to its end, and returns the error of what was read of it.
func (r *rows[T]) close() error {
	if r.in == nil || r.closed {
		return r.err
	}
	r.closed = true
	if r.in.err == nil && r.err == nil {
		_, _ = io.Copy(io.Discard, r.in) // for the checksum; in keeps its error
	}
	r.free()
	switch {
	case r.in.err != nil: // what was read is cut off
		r.err = fmt.Errorf("%s: %w: the file is damaged, get it again", r.file, r.in.err)
	case r.err == nil && r.count == 0 && r.kind != "A": // a data set of points has no edges
		r.err = fmt.Errorf("%s is empty: it was cut off, get the data set again", r.file)
	}
	r.f.sums.Add(r.file, r.in.hash.Sum(nil))
	return r.err
}

// free closes the file early, or again.
func (r *rows[T]) free() {
	if r.in != nil && r.in.file != nil {
		_ = r.in.file.Close() // it was only read
	}
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

// cut cuts the first value off a line of values, between commas or else between blanks, and reports whether
// there are more.
func cut(line []byte, commas bool) (value, rest []byte, more bool) {
	if commas {
		value, rest, more = bytes.Cut(line, []byte(","))
		return bytes.TrimSpace(value), rest, more
	}
	blank := bytes.IndexFunc(line, unicode.IsSpace)
	if blank < 0 {
		return line, nil, false
	}
	return line[:blank], bytes.TrimSpace(line[blank:]), true
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

// table returns the numbers on the next count rows, or, for -1, on all that are left, and how many these are.
// Fewer are all, or end in an error, which [rows.close] returns.
func (r *rows[T]) table(count int) (out table[T], n int) {
	out.columns = len(r.values)
	for ; n != count && r.next(); n++ {
		if n == 0 {
			out.columns = len(r.values)
			// Room for more only grows with rows that are there: a first line may be millions of values long.
			const room = 1 << 20
			out.values = make([]T, 0, min(max(1, count)*out.columns, room))
		}
		if r.f.left -= len(r.values); r.f.left < 0 {
			r.err = r.fail("more than %d labels and attributes, which a data set may have", maxValues)
		} else {
			r.err = r.f.bounded(r.place, r.count)
		}
		if r.err != nil {
			break
		}
		out.values = append(out.values, r.values...)
	}
	return out, n
}

// readTable returns all numbers in the file of a kind; an empty table if there is no such file.
func readTable[T any](f *files, kind string, parse func([]byte) (T, error)) (table[T], error) {
	r := open(f, kind, parse)
	out, _ := r.table(-1)
	return out, r.close()
}

// ofNodes returns the numbers of the next nodes, of count in all, from a file with a row for each; an empty
// table if there is no such file. With the last it closes the file.
func (r *rows[T]) ofNodes(next, count int) (table[T], error) {
	out, n := r.table(next)
	if r.in == nil || n == next && r.count < count {
		return out, nil
	}
	if r.next() {
		r.err = r.fail("more lines than there are nodes: one of the files is of another data set")
	}
	err := r.close()
	if err == nil && r.count < count {
		err = fmt.Errorf("%s has %s for %d nodes: one of the files is cut off or of another data set", r.file,
			english.Plural(r.count, "line", ""), count)
	}
	return out, err
}
