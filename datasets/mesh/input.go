package mesh

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/neuralkforms/nkf/datasets/internal/text"
)

const (
	byteOrderMark = "\xef\xbb\xbf"
	maxLine       = 1 << 24 // bytes of a line, which is a vertex or a polygon
)

var le = binary.LittleEndian

// input is a file on its way to a mesh.
type input struct {
	r    *bufio.Reader
	name string
	left int64 // bytes of the file, -1 if unknown

	arrays int64 // bytes that vertices and triangles may still take

	binary bool // errors name a byte, not a line
	line   int  // from 1
	read   int64
	long   []byte // a line that is longer than the buffer
	fields [][]byte
	joins  bool // a backslash at the end of a line continues it on the next

	mesh     Mesh
	polygon  polygon
	deferred []deferred
}

// fail returns an error that begins with the place in the file.
func (in *input) fail(format string, args ...any) error {
	place := fmt.Sprintf("line %d", in.line)
	if in.binary {
		place = fmt.Sprintf("byte %d", in.read)
	}
	return fmt.Errorf("%s, %s: %w", in.name, place, fmt.Errorf(format, args...))
}

// unreadable returns the error of a file that cannot be read further.
func (in *input) unreadable(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return in.fail("the file ends here: it was cut off, get it again")
	}
	return in.fail("%v", err)
}

// asText prepares the input for text. Where lines end with CR alone, they end with LF from here.
func (in *input) asText() {
	head, _ := in.r.Peek(in.r.Size())
	if bytes.HasPrefix(head, []byte(byteOrderMark)) {
		_, _ = in.r.Discard(len(byteOrderMark)) // they are there
	}
	if bytes.IndexByte(head, '\n') < 0 && bytes.IndexByte(head, '\r') >= 0 {
		in.r = bufio.NewReaderSize(&carriageReturns{in.r}, in.r.Size())
	}
}

// carriageReturns turns CR into LF.
type carriageReturns struct{ r io.Reader }

func (c *carriageReturns) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	for i, b := range p[:n] {
		if b == '\r' {
			p[i] = '\n'
		}
	}
	return n, err
}

// nextLine returns the next line with its end, valid until the next call, or io.EOF.
func (in *input) nextLine() ([]byte, error) {
	line, err := in.r.ReadSlice('\n')
	in.line++
	in.long = in.long[:0]
	for errors.Is(err, bufio.ErrBufferFull) {
		if in.long = append(in.long, line...); len(in.long) > maxLine {
			return nil, in.fail("more than %d bytes: a line is a vertex or a polygon", maxLine)
		}
		line, err = in.r.ReadSlice('\n')
	}
	if len(in.long) > 0 {
		in.long = append(in.long, line...)
		line = in.long
	}
	if errors.Is(err, io.EOF) && len(line) > 0 {
		err = nil
	}
	if err != nil && !errors.Is(err, io.EOF) {
		err = in.unreadable(err)
	}
	return line, err
}

// next returns the fields of the next line that has some besides a comment, valid until the next call, or
// io.EOF.
func (in *input) next() ([][]byte, error) {
	for {
		line, err := in.nextLine()
		if err != nil {
			return nil, err
		}
		if in.joins && bytes.IndexByte(line, '\\') >= 0 {
			if line, err = in.join(line); err != nil {
				return nil, err
			}
		}
		if in.split(line); len(in.fields) > 0 {
			return in.fields, nil
		}
	}
}

// must is next where the file may not end.
func (in *input) must() ([][]byte, error) {
	fields, err := in.next()
	if errors.Is(err, io.EOF) {
		return nil, in.unreadable(err)
	}
	return fields, err
}

// end returns an error unless the file ends after what was read.
func (in *input) end(format string, args ...any) (err error) {
	if !in.binary {
		_, err = in.next()
	} else if _, err = in.r.ReadByte(); err != nil && !errors.Is(err, io.EOF) {
		return in.unreadable(err) // the checksum of a packed file is at its end
	}
	switch {
	case err == nil:
		return in.fail("there is more after "+format, args...)
	case errors.Is(err, io.EOF):
		return nil
	}
	return err
}

// split sets the fields of a line, without a comment.
func (in *input) split(line []byte) {
	in.fields = in.fields[:0]
	for i := 0; i < len(line); {
		for i < len(line) && line[i] <= ' ' && blank(line[i]) {
			i++
		}
		start := i
		for i < len(line) && line[i] != '#' && (line[i] > ' ' || !blank(line[i])) {
			i++
		}
		if i > start {
			in.fields = append(in.fields, line[start:i])
		}
		if i < len(line) && line[i] == '#' {
			return
		}
	}
}

func blank(c byte) bool {
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f'
}

// numbers reads the first fields into x.
func (in *input) numbers(fields [][]byte, x []float64) error {
	if len(fields) < len(x) {
		return in.fail("%d numbers where %d are needed", len(fields), len(x))
	}
	for i := range x {
		v, err := text.Number(string(fields[i]))
		if err != nil && !errors.Is(err, strconv.ErrRange) {
			return in.fail("%s is not a number", show(fields[i]))
		}
		x[i] = v
	}
	return nil
}

// point reads the vertex that the fields begin with.
func (in *input) point(fields [][]byte) error {
	var x [3]float64
	if err := in.numbers(fields, x[:]); err != nil {
		return err
	}
	return in.vertex(x[0], x[1], x[2])
}

// integer reads a field that is an integer of magnitude up to limit.
func (in *input) integer(field []byte, limit int, what string) (int, error) {
	n, err := strconv.Atoi(string(field))
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return 0, in.fail("%s is no %s", show(field), what)
	}
	if err != nil || n > limit || n < -limit {
		return 0, in.fail("the %s %s is out of range", what, show(field))
	}
	return n, nil
}

// count reads a field that is what says, a number of vertices, faces and so on.
func (in *input) count(field []byte, what string) (int, error) {
	n, err := in.integer(field, math.MaxInt32, what)
	if err == nil && n < 0 {
		err = in.fail("the %s is %d", what, n)
	}
	return n, err
}

// inRange returns the number of a vertex, or an error unless it is below vertices.
func (in *input) inRange(v, vertices int) (int32, error) {
	if v < 0 || v >= vertices {
		return 0, in.fail("vertex number %d, but there are %d vertices, numbered from 0", v, vertices)
	}
	return int32(v), nil
}

// show quotes a part of the file for an error, cut short.
func show[S string | []byte](s S) string {
	switch {
	case len(s) == 0:
		return "nothing"
	case len(s) > 40:
		return strconv.Quote(string(s[:40])) + "…"
	}
	return strconv.Quote(string(s))
}
