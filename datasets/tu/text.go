package tu

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
)

// text reads the lines of a file and the values on them.
type text struct {
	member
	r     io.ReadCloser
	lines *bufio.Scanner
	line  int    // number of the current line, from 1
	rest  []byte // what is left of the current line
	more  bool   // another value is on the current line
	err   error  // that ended the lines
}

// newText opens a member, which close ends.
func newText(m member) (*text, error) {
	r, err := m.read()
	if err != nil {
		return nil, err
	}
	t := &text{member: m, r: r, lines: bufio.NewScanner(r)}
	t.lines.Buffer(make([]byte, 0, 1<<16), maxLine)
	t.lines.Split(lineEnds())
	return t, nil
}

// lineEnds returns a function that splits text at LF, CRLF and CR. It does not look twice at what a line
// holds that comes in parts.
func lineEnds() bufio.SplitFunc {
	seen := 0
	return func(data []byte, last bool) (int, []byte, error) {
		end := bytes.IndexAny(data[seen:], "\r\n")
		if end < 0 {
			if last && len(data) > 0 {
				seen = 0
				return len(data), data, nil
			}
			seen = len(data)
			return 0, nil, nil
		}
		end += seen
		after := end + 1
		if data[end] == '\r' {
			if after == len(data) && !last {
				seen = end
				return 0, nil, nil // what comes may be LF
			}
			if after < len(data) && data[after] == '\n' {
				after++
			}
		}
		seen = 0
		return after, data[:end], nil
	}
}

// next moves to the next line that is not blank and reports whether there is one. Where there is none, err
// says whether that is the end.
func (t *text) next() bool {
	for t.lines.Scan() {
		line := t.lines.Bytes()
		if t.line++; t.line == 1 {
			line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf")) // a byte order mark
		}
		if t.rest = bytes.TrimSpace(line); len(t.rest) > 0 {
			t.more = true
			return true
		}
	}
	t.more = false
	switch err := t.lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		t.line++
		t.err = t.fail("more than %d bytes: a line holds what belongs to one graph, node or edge", maxLine)
	case err != nil:
		t.err = t.unreadable(err)
	}
	return false
}

// close ends the reading.
func (t *text) close() { _ = t.r.Close() }

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

// fail returns an error that starts with the place of the current line, or that of a damaged file: its
// checksum is known at its end alone.
func (t *text) fail(format string, args ...any) error {
	message := fmt.Errorf("%s, line %d: %s", t.base, t.line, fmt.Sprintf(format, args...))
	if _, err := io.Copy(io.Discard, t.r); err != nil {
		return t.unreadable(err)
	}
	return message
}

// empty returns the error of a file without values.
func (t *text) empty() error {
	return fmt.Errorf("%s is empty: it was cut off, get the data set again", t.base)
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
