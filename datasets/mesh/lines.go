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
	if bytes.HasPrefix(head, []byte(byteOrderMark)) {
		_, _ = in.r.Discard(len(byteOrderMark)) // they are there
	}
	end := byte('\n')
	if bytes.IndexByte(head, '\n') < 0 && bytes.IndexByte(head, '\r') >= 0 {
		end = '\r'
	}
	in.lines = bufio.NewScanner(in.r)
	in.lines.Buffer(make([]byte, 1<<16), maxLine)
	in.lines.Split(func(data []byte, atEOF bool) (advance int, line []byte, err error) {
		for i := bytes.IndexByte(data, end); i >= 0; i = bytes.IndexByte(data, end) {
			line := bytes.TrimRight(data[:i], "\r")
			if !in.joins || !bytes.HasSuffix(line, []byte(`\`)) {
				return i + 1, data[:i], nil
			}
			for j := len(line) - 1; j <= i; j++ {
				data[j] = ' '
			}
			in.place++
		}
		if atEOF && len(data) > 0 {
			return len(data), data, nil
		}
		return 0, nil, nil
	})
}

// next returns the fields of the next line that has some besides a comment, valid until the next call, or
// io.EOF.
func (in *input) next() ([][]byte, error) {
	for in.fields = in.fields[:0]; len(in.fields) == 0; {
		in.place++
		if !in.lines.Scan() {
			switch err := in.lines.Err(); {
			case err == nil:
				return nil, io.EOF
			case errors.Is(err, bufio.ErrTooLong):
				return nil, in.fail("more than %d bytes: a line is a vertex or a polygon", maxLine)
			default:
				return nil, in.unreadable(err)
			}
		}
		in.split(in.lines.Bytes())
	}
	return in.fields, nil
}

// must is next where the file may not end.
func (in *input) must() ([][]byte, error) {
	fields, err := in.next()
	if errors.Is(err, io.EOF) {
		return nil, in.unreadable(err)
	}
	return fields, err
}

// split sets the fields of a line, without a comment.
func (in *input) split(line []byte) {
	line, _, _ = bytes.Cut(line, []byte("#"))
	for field := range bytes.FieldsSeq(line) {
		in.fields = append(in.fields, field)
	}
}

// numbers reads the first fields into x.
func (in *input) numbers(fields [][]byte, x []float64) (err error) {
	if len(fields) < len(x) {
		return in.fail("%d numbers where %d are needed", len(fields), len(x))
	}
	for i := range x {
		if x[i], err = in.number(fields[i]); err != nil {
			return err
		}
	}
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
