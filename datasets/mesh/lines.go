package mesh

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strconv"

	"github.com/neuralkforms/nkf/datasets/internal/text"
)

// asText goes on with lines, which end with LF or CRLF; or with CR, where there is no LF.
func (in *input) asText() {
	head, _ := in.r.Peek(in.r.Size())
	in.lines = bufio.NewScanner(in.r)
	in.lines.Buffer(make([]byte, 1<<16), maxLine)
	if bytes.IndexByte(head, '\n') >= 0 || bytes.IndexByte(head, '\r') < 0 {
		return
	}
	in.lines.Split(func(data []byte, atEOF bool) (advance int, line []byte, err error) {
		if i := bytes.IndexByte(data, '\r'); i >= 0 {
			return i + 1, data[:i], nil
		}
		return bufio.ScanLines(data, atEOF)
	})
}

// line returns the next line, valid until the next call, or io.EOF.
func (in *input) line() ([]byte, error) {
	in.place++
	if in.lines.Scan() {
		return in.lines.Bytes(), nil
	}
	switch err := in.lines.Err(); {
	case err == nil:
		return nil, io.EOF
	case errors.Is(err, bufio.ErrTooLong):
		return nil, in.fail("more than %d bytes: a line is a vertex or a polygon", maxLine)
	default:
		return nil, in.unreadable(err)
	}
}

// next reads the fields of the next line that has some besides a comment, or returns io.EOF.
func (in *input) next() error {
	for in.fields = nil; len(in.fields) == 0; {
		line, err := in.line()
		if err != nil {
			return err
		}
		in.split(line)
	}
	return nil
}

// split sets the fields of a line, without a comment.
func (in *input) split(line []byte) {
	line, _, _ = bytes.Cut(line, []byte("#"))
	in.row = in.row[:0]
	for field := range bytes.FieldsSeq(line) {
		in.row = append(in.row, field)
	}
	in.fields = in.row
}

// must is next where the file may not end.
func (in *input) must() error {
	err := in.next()
	if errors.Is(err, io.EOF) {
		return in.unreadable(err)
	}
	return err
}

// token returns the next field, valid until the next call: of the line, or of those after it.
func (in *input) token() ([]byte, error) {
	if len(in.fields) == 0 {
		if err := in.must(); err != nil {
			return nil, err
		}
	}
	field := in.fields[0]
	in.fields = in.fields[1:]
	return field, nil
}

// numbers reads the next fields of the line into x.
func (in *input) numbers(x []float64) (err error) {
	if len(in.fields) < len(x) {
		return in.fail("%d numbers where %d are needed", len(in.fields), len(x))
	}
	for i := range x {
		if x[i], err = in.number(in.fields[i]); err != nil {
			return err
		}
	}
	in.fields = in.fields[len(x):]
	return nil
}

// number reads a field that is a number.
func (in *input) number(field []byte) (float64, error) {
	x, err := text.Number(string(field))
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return 0, in.fail("%s is not a number", show(field))
	}
	return x, nil
}

// integer reads a field that is an integer between two others.
func (in *input) integer(field []byte, low, high int, what string) (int, error) {
	n, err := strconv.Atoi(string(field))
	if err != nil || n < low || n > high {
		return 0, in.fail("%s is not a %s", show(field), what)
	}
	return n, nil
}
