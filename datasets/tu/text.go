package tu

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strconv"
)

// text reads the lines of a file and the values on them.
type text struct {
	file string
	data []byte // what is left after the current line
	line int    // number of the current line, from 1
	rest []byte // what is left of the current line
	more bool   // another value is on the current line
}

func newText(file string, data []byte) *text {
	return &text{file: file, data: bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))} // a byte order mark
}

// next moves to the next line that is not blank and reports whether there is one.
//
// Lines end in LF, CRLF or CR.
func (t *text) next() bool {
	for len(t.data) > 0 {
		t.line++
		line, after := t.data, len(t.data)
		if end := bytes.IndexAny(t.data, "\r\n"); end >= 0 {
			line, after = t.data[:end], end+1
			if bytes.HasPrefix(t.data[end:], []byte("\r\n")) {
				after++
			}
		}
		t.data = t.data[after:]
		if t.rest = bytes.TrimSpace(line); len(t.rest) > 0 {
			t.more = true
			return true
		}
	}
	t.more = false
	return false
}

// value returns the next value on the line; values are separated by a comma, blanks or both.
func (t *text) value() []byte {
	end := 0
	for end < len(t.rest) && t.rest[end] != ',' && !blank(t.rest[end]) {
		end++
	}
	value, rest := t.rest[:end], skipBlanks(t.rest[end:])
	t.more = len(rest) > 0
	if t.more && rest[0] == ',' {
		rest = skipBlanks(rest[1:]) // a comma at the end leaves a value that is empty
	}
	t.rest = rest
	return value
}

func blank(c byte) bool { return c == ' ' || c == '\t' }

func skipBlanks(s []byte) []byte {
	for len(s) > 0 && blank(s[0]) {
		s = s[1:]
	}
	return s
}

// integer returns the next value on the line as an integer.
func (t *text) integer() (int, error) {
	value := t.value()
	n, err := parseInteger(value)
	if err != nil {
		return 0, t.fail("%v", err)
	}
	return n, nil
}

// fail returns an error that starts with the place of the current line.
func (t *text) fail(format string, args ...any) error {
	return fmt.Errorf("%s, line %d: %s", t.file, t.line, fmt.Sprintf(format, args...))
}

// empty returns the error of a file without values.
func (t *text) empty() error {
	return fmt.Errorf("%s is empty: it was cut off, get the data set again", t.file)
}

// parseInteger returns the integer that s spells.
func parseInteger(s []byte) (int, error) {
	n, err := strconv.Atoi(string(s))
	if err != nil {
		return 0, fmt.Errorf("%s is not an integer%s", show(s), tooMany(err))
	}
	return n, nil
}

// parseReal returns the finite number that s spells.
func parseReal(s []byte) (float64, error) {
	x, err := strconv.ParseFloat(string(s), 64)
	switch {
	case err != nil && !errors.Is(err, strconv.ErrRange):
		return 0, fmt.Errorf("%s is not a number", show(s))
	case math.IsNaN(x) || math.Abs(x) > math.MaxFloat32:
		return 0, fmt.Errorf("%s is not a finite number of single precision: replace it or leave its "+
			"graph out", show(s))
	}
	return x, nil
}

// tooMany says that a number has too many digits where that is what is wrong with it.
func tooMany(err error) string {
	if errors.Is(err, strconv.ErrRange) {
		return " that this machine can hold"
	}
	return ""
}

// show quotes a value for an error, cut short.
func show(s []byte) string {
	if len(s) == 0 {
		return "an empty value"
	}
	if len(s) > 40 {
		return strconv.Quote(string(s[:40])) + "…"
	}
	return strconv.Quote(string(s))
}

// readTable returns the numbers in the file of a kind, an empty table if there is no such file.
//
// All lines must have as many values as the first.
func readTable[T any](f *files, kind string, parse func([]byte) (T, error)) (Table[T], error) {
	var table Table[T]
	content, ok := f.content[kind]
	if !ok {
		return table, nil
	}
	t := newText(f.file(kind), content)
	for t.next() {
		columns := 0
		for t.more {
			x, err := parse(t.value())
			if err != nil {
				return table, t.fail("column %d: %v", columns+1, err)
			}
			table.Values = append(table.Values, x)
			columns++
		}
		if table.Columns == 0 {
			table.Columns = columns
		}
		if columns != table.Columns {
			return table, t.fail("%d values, but the lines before have %d", columns, table.Columns)
		}
	}
	if table.Columns == 0 {
		return table, t.empty()
	}
	return table, nil
}
