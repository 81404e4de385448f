package mesh

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
)

// plyFile is a PLY file after its header.
type plyFile struct {
	*input
	order    binary.ByteOrder // nil: text
	elements []element
	vertices int
	fields   [][]byte // that are left of a line of text
}

// ply reads the Polygon File Format of Stanford, as text or binary in either byte order: of the element
// "vertex" the coordinates x, y, z, of the element "face" the list "vertex_indices" or "vertex_index".
// Everything else is skipped; faces of one or two corners are no surface.
func (in *input) ply() error {
	p := &plyFile{input: in}
	if err := p.header(); err != nil {
		return err
	}
	in.binary = p.order != nil
	for i := range p.elements {
		if err := p.members(&p.elements[i]); err != nil {
			return err
		}
	}
	if err := p.lineDone(); err != nil {
		return err
	}
	return p.end("all elements that the header announces")
}

// members reads an element: the coordinates of vertices, the corners of faces, and nothing else.
func (p *plyFile) members(e *element) (err error) {
	take := make([]func(x float64) error, len(e.properties)) // of the numbers of each; nil: skipped
	end := func() error { return nil }                       // of a member
	switch e.name {
	case "vertex":
		end, err = p.takePoints(e, take)
	case "face":
		end, err = p.face, p.takeCorners(e, take)
	}
	if err != nil {
		return err
	}
	for range e.count {
		if err := p.member(); err != nil {
			return err
		}
		for i := range e.properties {
			if err := p.property(&e.properties[i], take[i]); err != nil {
				return err
			}
		}
		if err := end(); err != nil {
			return err
		}
	}
	return nil
}

// takePoints sets what takes the coordinates of vertices, and returns what ends a vertex.
func (p *plyFile) takePoints(e *element, take []func(x float64) error) (end func() error, err error) {
	var point [3]float64
	for c, name := range []string{"x", "y", "z"} {
		named := func(q property) bool { return q.name == name && !q.isList() }
		i := slices.IndexFunc(e.properties, named)
		if i < 0 {
			return nil, p.fail("the element \"vertex\" has no coordinate %s", name)
		}
		take[i] = func(x float64) error { point[c] = x; return nil }
	}
	return func() error { return p.vertex(point[0], point[1], point[2]) }, nil
}

// takeCorners sets what takes the corners of faces.
func (p *plyFile) takeCorners(e *element, take []func(x float64) error) error {
	i := slices.IndexFunc(e.properties, func(q property) bool {
		return q.name == "vertex_indices" || q.name == "vertex_index"
	})
	if e.count > 0 && (i < 0 || !e.properties[i].isList() || e.properties[i].value.float) {
		return p.fail("the element \"face\" has no list \"vertex_indices\" of integers")
	}
	if i >= 0 {
		take[i] = func(x float64) error {
			v, err := p.inRange(int(x), p.vertices)
			if err != nil {
				return err
			}
			return p.corner(v)
		}
	}
	return nil
}

// member goes to the next member of an element: to the next line of text.
func (p *plyFile) member() (err error) {
	if err = p.lineDone(); err == nil && p.order == nil {
		p.fields, err = p.must()
	}
	return err
}

// lineDone returns an error if a line of text has more on it than the header says.
func (p *plyFile) lineDone() error {
	if len(p.fields) > 0 {
		return p.fail("the line goes on with %s after its last property", show(p.fields[0]))
	}
	return nil
}

// property reads the numbers of a property, and skips them where nothing takes them.
func (p *plyFile) property(q *property, take func(x float64) error) (err error) {
	length := 1
	if q.isList() {
		if length, err = p.listLength(q, take != nil); err != nil {
			return err
		}
	}
	switch {
	case p.order != nil:
		return p.binaryNumbers(q.value, length, take)
	case take != nil:
		return p.textNumbers(q.value, length, take)
	case length > len(p.fields):
		return p.fail("a line that ends before its property %s", show(q.name))
	}
	p.fields = p.fields[length:]
	return nil
}

// listLength reads the length of a list, which is not 0 where it is of corners.
func (p *plyFile) listLength(q *property, corners bool) (int, error) {
	x, err := p.number(q.length)
	if err == nil && x < 0 {
		err = p.fail("a list %s of %v numbers", show(q.name), x)
	}
	if err == nil && x == 0 && corners {
		err = p.fail("a face without corners")
	}
	return int(x), err
}

// textNumbers reads numbers of a type from the line.
func (p *plyFile) textNumbers(t scalar, length int, take func(x float64) error) error {
	for range length {
		x, err := p.number(t)
		if err != nil {
			return err
		}
		if err := take(x); err != nil {
			return err
		}
	}
	return nil
}

// binaryNumbers reads numbers of a type, many at a time, and skips them if take is nil.
func (p *plyFile) binaryNumbers(t scalar, length int, take func(x float64) error) error {
	for count := 0; length > 0; length -= count {
		count = min(length, 1<<9)
		data, err := p.bytes(count * t.size)
		if err != nil {
			return err
		}
		for i := 0; i < count && take != nil; i++ {
			if err := take(t.decode(data[i*t.size:], p.order)); err != nil {
				return err
			}
		}
	}
	return nil
}

// number reads a number of a type.
func (p *plyFile) number(t scalar) (float64, error) {
	if p.order != nil {
		data, err := p.bytes(t.size)
		if err != nil {
			return 0, err
		}
		return t.decode(data, p.order), nil
	}
	if len(p.fields) == 0 {
		return 0, p.fail("the line ends before its last number")
	}
	field := p.fields[0]
	p.fields = p.fields[1:]
	if !t.float {
		n, err := p.integer(field, math.MaxUint32, "integer")
		return float64(n), err
	}
	var x [1]float64
	err := p.numbers([][]byte{field}, x[:])
	return x[0], err
}

// ended returns the error of a header that ends too early.
func (p *plyFile) ended(err error) error {
	if errors.Is(err, io.EOF) {
		return fmt.Errorf("%w before \"end_header\"", p.unreadable(err))
	}
	return err
}
