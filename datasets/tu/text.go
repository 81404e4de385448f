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

	numbers "github.com/neuralkforms/nkf/datasets/internal/text"
)

// text is a file at one of its lines.
type text struct {
	member
	r    io.ReadCloser
	line int // from 1
}

// fail returns an error that starts with the place of the current line, or that of a damaged file, whose
// checksum is only known at its end.
func (t *text) fail(format string, args ...any) error {
	message := fmt.Errorf("%s, line %d: %s", t.base, t.line, fmt.Sprintf(format, args...))
	if _, err := io.Copy(io.Discard, t.r); err != nil {
		return t.unreadable(err)
	}
	return message
}

// readRows calls visit with the number of every line in the file of a kind that is not blank, from 0, and the
// values on it, which are overwritten by the next. It returns how many lines there were, each with as many
// values as the first: none if there is no such file.
func readRows[T any](f *files, kind string, parse func([]byte) (T, error),
	visit func(t *text, row int, values []T) error) (rows, columns int, err error) {
	m, ok := f.members[kind]
	if !ok {
		return 0, 0, nil
	}
	r, err := m.read()
	if err != nil {
		return 0, 0, err
	}
	defer func() { _ = r.Close() }()
	t := &text{member: m, r: r}
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 0, 1<<16), maxLine)
	lines.Split(lineEnds())
	var values []T
	for lines.Scan() {
		line := lines.Bytes()
		if t.line++; t.line == 1 {
			line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf")) // a byte order mark
		}
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		values = values[:0]
		for value := range fields(line) {
			x, err := parse(value)
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
		if err := visit(t, rows, values); err != nil {
			return 0, 0, err
		}
		rows++
	}
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		t.line++
		return 0, 0, t.fail("more than %d bytes: a line is of one graph, node or edge", maxLine)
	case err != nil:
		return 0, 0, t.unreadable(err)
	case rows == 0 && kind != "A": // a data set of points has no edges
		return 0, 0, fmt.Errorf("%s is empty: it was cut off, get the data set again", t.base)
	}
	return rows, columns, nil
}

// lineEnds returns a function that splits text at LF, CRLF and CR. It does not look twice at what a line
// holds that comes in parts.
func lineEnds() bufio.SplitFunc {
	seen := 0
	return func(data []byte, last bool) (int, []byte, error) {
		end := bytes.IndexAny(data[seen:], "\r\n")
		switch {
		case end < 0 && last && len(data) > 0:
			seen = 0
			return len(data), data, nil
		case end < 0:
			seen = len(data)
			return 0, nil, nil
		}
		end += seen
		after := end + 1
		if data[end] == '\r' && after == len(data) && !last {
			seen = end
			return 0, nil, nil // what follows may be LF
		}
		if data[end] == '\r' && after < len(data) && data[after] == '\n' {
			after++
		}
		seen = 0
		return after, data[:end], nil
	}
}

// fields yields the values on a line, which a comma, blanks or both separate.
func fields(line []byte) iter.Seq[[]byte] {
	blank := func(c byte) bool { return c == ' ' || c == '\t' }
	return func(yield func([]byte) bool) {
		for more := true; more; {
			end := 0
			for end < len(line) && line[end] != ',' && !blank(line[end]) {
				end++
			}
			value := line[:end]
			for end < len(line) && blank(line[end]) {
				end++
			}
			more = end < len(line)
			if more && line[end] == ',' { // at the end it leaves a value that is empty
				for end++; end < len(line) && blank(line[end]); {
					end++
				}
			}
			line = line[end:]
			if !yield(value) {
				return
			}
		}
	}
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
	x, err := numbers.Number(string(s))
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
	switch {
	case len(s) == 0:
		return "an empty value"
	case len(s) > 40:
		return strconv.Quote(string(s[:40])) + "…"
	}
	return strconv.Quote(string(s))
}
