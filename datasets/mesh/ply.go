package mesh

import (
	"encoding/binary"
	"math"
	"regexp"
	"slices"
	"strings"
)

// plyFile is a PLY file: a header that announces elements, and the members of each.
type plyFile struct {
	*input
	order    binary.ByteOrder // nil: text
	elements []element
	vertices int
	point    [3]float64 // of the vertex so far
	last     float64    // number that was kept
}

// element is a table of a PLY file.
type element struct {
	name       string
	count      int
	properties []property
}

// property is a number, or a list of numbers, of each member of an element.
type property struct {
	name   string
	length scalar // of the list; size 0: no list
	value  scalar
	take   func(x float64) error // what takes the numbers; nil: they are skipped
}

// scalar is a type of numbers in PLY.
type scalar struct {
	size int
	kind byte // i: signed, u: unsigned, f: floating point
}

// scalars are the types by their names, old and new.
var scalars = map[string]scalar{
	"char": {1, 'i'}, "int8": {1, 'i'}, "uchar": {1, 'u'}, "uint8": {1, 'u'}, "short": {2, 'i'},
	"int16": {2, 'i'}, "ushort": {2, 'u'}, "uint16": {2, 'u'}, "int": {4, 'i'}, "int32": {4, 'i'},
	"uint": {4, 'u'}, "uint32": {4, 'u'}, "float": {4, 'f'}, "float32": {4, 'f'}, "double": {8, 'f'},
	"float64": {8, 'f'},
}

// decode returns the number that data begin with.
func (t scalar) decode(data []byte, order binary.ByteOrder) float64 {
	var bits uint64
	switch t.size {
	case 8:
		return math.Float64frombits(order.Uint64(data))
	case 4:
		bits = uint64(order.Uint32(data))
	case 2:
		bits = uint64(order.Uint16(data))
	default:
		bits = uint64(data[0])
	}
	switch unused := 64 - 8*t.size; t.kind {
	case 'f':
		return float64(math.Float32frombits(uint32(bits)))
	case 'i':
		return float64(int64(bits<<unused) >> unused)
	}
	return float64(bits)
}

// ply reads the Polygon File Format of Stanford, as text or binary in either byte order: of the element
// "vertex" the coordinates x, y, z, and of the element "face" the list "vertex_indices" or "vertex_index".
// Everything else is skipped.
func (in *input) ply() error {
	p := &plyFile{input: in}
	if err := p.header(); err != nil {
		return err
	}
	for _, e := range p.elements {
		for range e.count {
			if err := p.member(e); err != nil {
				return err
			}
		}
	}
	return p.end("element", 4)
}

// member reads a member of an element: the coordinates of a vertex, the corners of a face, or nothing.
func (p *plyFile) member(e element) (err error) {
	if p.order == nil {
		if err = p.must(); err != nil {
			return err
		}
	}
	for i := range e.properties {
		if err = p.property(&e.properties[i]); err != nil {
			return err
		}
	}
	switch {
	case p.order == nil && len(p.fields) > 0:
		return p.fail("the line goes on with %s after its last property", show(p.fields[0]))
	case e.name == "vertex":
		return p.vertex(p.point[0], p.point[1], p.point[2])
	case e.name == "face":
		return p.face()
	}
	return nil
}

// property reads the numbers of a property.
func (p *plyFile) property(q *property) error {
	length := 1
	if q.length.size > 0 {
		if err := p.numbers(q.length, 1, p.keep); err != nil {
			return err
		}
		if length = int(p.last); length < 0 {
			return p.fail("a list %s of %d numbers", show(q.name), length)
		}
	}
	return p.numbers(q.value, length, q.take)
}

func (p *plyFile) keep(x float64) error {
	p.last = x
	return nil
}

// numbers reads numbers of a type, and skips them if take is nil.
func (p *plyFile) numbers(t scalar, length int, take func(x float64) error) error {
	for count := 0; length > 0; length -= count {
		count = min(length, 1<<9)
		if p.order == nil {
			if err := p.textNumbers(t, count, take); err != nil {
				return err
			}
			continue
		}
		data, err := p.bytes(count * t.size)
		for i := 0; i < count && take != nil && err == nil; i++ {
			err = take(t.decode(data[i*t.size:], p.order))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// textNumbers reads numbers of a type from the line.
func (p *plyFile) textNumbers(t scalar, count int, take func(x float64) error) error {
	if len(p.fields) < count {
		return p.fail("the line ends before its last number")
	}
	for _, field := range p.fields[:count] {
		var x float64
		var n int
		var err error
		switch {
		case take == nil:
			continue
		case t.kind == 'f':
			x, err = p.number(field)
		default:
			n, err = p.integer(field, math.MinInt32, math.MaxUint32, "whole number")
			x = float64(n)
		}
		if err == nil {
			err = take(x)
		}
		if err != nil {
			return err
		}
	}
	p.fields = p.fields[count:]
	return nil
}

var (
	plyEnd  = regexp.MustCompile(`[\r\n]end_header[ \t]*(\r?\n|\r)`) // of a header
	lineEnd = regexp.MustCompile(`\r?\n|\r`)
	// plyOrders are the formats by name.
	plyOrders = map[string]binary.ByteOrder{"ascii": nil, "binary_little_endian": binary.LittleEndian,
		"binary_big_endian": binary.BigEndian}
)

// header reads up to "end_header".
func (p *plyFile) header() error {
	head, _ := p.r.Peek(p.r.Size())
	p.asText() // errors of the header name lines
	end := plyEnd.FindIndex(head)
	if end == nil {
		p.place = int64(len(lineEnd.FindAll(head, -1)))
		return p.fail("there is no line \"end_header\" so far")
	}
	known := false
	for _, line := range lineEnd.Split(string(head[:end[0]]), -1) {
		p.place++
		words := strings.Fields(line)
		if len(words) == 3 && words[0] == "format" {
			p.order, known = plyOrders[words[1]]
		} else if err := p.announced(words, line); err != nil {
			return err
		}
	}
	if p.place++; !known {
		return p.fail("the format is not ascii, binary_little_endian or binary_big_endian")
	}
	if err := p.takeAll(); err != nil {
		return err
	}
	_, _ = p.r.Discard(end[1]) // they are there
	if p.order != nil {
		p.lines, p.place = nil, int64(end[1])
	}
	return nil
}

// announced adds the element or property that a line of the header announces.
func (p *plyFile) announced(words []string, line string) error {
	switch {
	case len(words) == 0 || slices.Contains([]string{"comment", "obj_info", "ply"}, words[0]):
		return nil
	case words[0] == "element" && len(words) == 3:
		return p.addElement(words)
	case words[0] == "property" && len(words) >= 3 && len(p.elements) > 0:
		return p.addProperty(&p.elements[len(p.elements)-1], words)
	}
	return p.fail("%s does not belong here", show(line))
}

func (p *plyFile) addElement(words []string) error {
	if slices.ContainsFunc(p.elements, func(e element) bool { return e.name == words[1] }) {
		return p.fail("the element %s is there twice", show(words[1]))
	}
	count, err := p.integer([]byte(words[2]), 0, math.MaxInt32, "number of members")
	p.elements = append(p.elements, element{name: words[1], count: count})
	return err
}

func (p *plyFile) addProperty(e *element, words []string) error {
	q := property{name: words[len(words)-1]}
	types := words[1 : len(words)-1]
	want := 1
	if types[0] == "list" {
		types, want = types[1:], 2
	}
	for _, word := range types {
		t, ok := scalars[word]
		if !ok {
			return p.fail("%s is not a type of PLY", show(word))
		}
		q.length, q.value = q.value, t
	}
	if len(types) != want || q.length.kind == 'f' {
		return p.fail("%s is not a property", show(strings.Join(words, " ")))
	}
	e.properties = append(e.properties, q)
	return nil
}

// takeAll sets what takes the numbers of properties, and makes room for them.
func (p *plyFile) takeAll() error {
	faces, vertexBytes, faceBytes := 0, 3, 4
	for _, e := range p.elements {
		if len(e.properties) == 0 && e.count > 0 {
			return p.fail("the element %s has no properties", show(e.name))
		}
		size := 0
		for _, q := range e.properties {
			if size += 2; p.order != nil { // a digit and what follows it
				size += q.value.size - 2
			}
		}
		var err error
		switch {
		case e.name == "vertex":
			p.vertices, vertexBytes = e.count, max(vertexBytes, size)
			err = p.takePoints(e)
		case e.name == "face":
			faces, faceBytes = e.count, max(faceBytes, size)
			err = p.takeCorners(e)
		case e.name == "tristrips" && e.count > 0:
			err = p.fail("triangle strips are not read: save the file with faces")
		}
		if err != nil {
			return err
		}
	}
	p.reserve(p.vertices, vertexBytes, faces, faceBytes)
	return nil
}

// takePoints makes the coordinates of vertices the point.
func (p *plyFile) takePoints(e element) error {
	for c, name := range []string{"x", "y", "z"} {
		q := e.property(name)
		if q == nil || q.length.size > 0 {
			return p.fail("the element \"vertex\" has no coordinate %s", name)
		}
		q.take = func(x float64) error { p.point[c] = x; return nil }
	}
	return nil
}

// takeCorners makes the lists of faces corners of polygons.
func (p *plyFile) takeCorners(e element) error {
	q := e.property("vertex_indices", "vertex_index")
	if e.count > 0 && (q == nil || q.length.size == 0 || q.value.kind == 'f') {
		return p.fail("the element \"face\" has no list \"vertex_indices\" of integers")
	}
	if q != nil {
		q.take = func(x float64) error { return p.corner(int(x), p.vertices) }
	}
	return nil
}

// property returns the property of one of the names, nil if there is none.
func (e element) property(names ...string) *property {
	i := slices.IndexFunc(e.properties, func(q property) bool { return slices.Contains(names, q.name) })
	if i < 0 {
		return nil
	}
	return &e.properties[i]
}
