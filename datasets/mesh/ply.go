package mesh

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
)

// scalar is a type of numbers in PLY.
type scalar struct {
	size   int
	signed bool
	float  bool
}

// scalars are the types by their names, old and new.
var scalars = map[string]scalar{
	"char": {1, true, false}, "int8": {1, true, false}, "uchar": {1, false, false},
	"uint8": {1, false, false}, "short": {2, true, false}, "int16": {2, true, false},
	"ushort": {2, false, false}, "uint16": {2, false, false}, "int": {4, true, false},
	"int32": {4, true, false}, "uint": {4, false, false}, "uint32": {4, false, false},
	"float": {4, true, true}, "float32": {4, true, true}, "double": {8, true, true},
	"float64": {8, true, true},
}

// property is a number, or a list of numbers, that each member of an element has.
type property struct {
	name   string
	length scalar // of the list; size 0: no list
	value  scalar
}

func (q property) isList() bool { return q.length.size > 0 }

// element is a table of a PLY file.
type element struct {
	name       string
	count      int
	properties []property
}

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
		var err error
		switch e := &p.elements[i]; e.name {
		case "vertex":
			err = p.readVertices(e)
		case "face":
			err = p.readFaces(e)
		default:
			err = p.each(e, func(q *property) error { return p.skip(q) })
		}
		if err != nil {
			return err
		}
	}
	if err := p.lineDone(); err != nil {
		return err
	}
	err := error(nil)
	if p.order == nil {
		_, err = p.next()
	} else {
		if _, err = p.r.ReadByte(); err != nil && !errors.Is(err, io.EOF) {
			return p.unreadable(err) // the checksum of a packed file is at its end
		}
	}
	switch {
	case err == nil:
		return p.fail("there is more after all elements that the header announces")
	case errors.Is(err, io.EOF):
		return nil
	}
	return err
}

// header reads up to "end_header".
func (p *plyFile) header() error {
	if head, _ := p.r.Peek(5); !bytes.Contains(head, []byte{'\n'}) {
		p.asText() // lines end with CR, as no binary file has them
	}
	format := ""
	for {
		line, err := p.nextLine()
		if err != nil {
			return p.ended(err)
		}
		p.read += int64(len(line))
		words := strings.Fields(string(line))
		switch {
		case len(words) == 0 || words[0] == "comment" || words[0] == "obj_info" || words[0] == "ply":
		case words[0] == "format" && len(words) == 3:
			format = words[1]
		case words[0] == "element" && len(words) == 3:
			err = p.addElement(words)
		case words[0] == "property" && len(words) >= 3:
			err = p.addProperty(words)
		case words[0] == "end_header" && len(words) == 1:
			return p.checkHeader(format)
		default:
			return p.fail("%s is no line of a PLY header", show(strings.TrimSpace(string(line))))
		}
		if err != nil {
			return err
		}
	}
}

func (p *plyFile) addElement(words []string) error {
	for _, e := range p.elements {
		if e.name == words[1] {
			return p.fail("the element %s is there twice", show(words[1]))
		}
	}
	if len(p.elements) >= maxColumns {
		return p.fail("more than %d elements", maxColumns)
	}
	count, err := p.count([]byte(words[2]), "number of members")
	p.elements = append(p.elements, element{name: words[1], count: count})
	return err
}

// maxColumns bounds the elements of a PLY file and the properties of each.
const maxColumns = 1 << 10

func (p *plyFile) addProperty(words []string) error {
	if len(p.elements) == 0 {
		return p.fail("a property before the first element")
	}
	e := &p.elements[len(p.elements)-1]
	q := property{name: words[len(words)-1]}
	types := words[1 : len(words)-1]
	isList := types[0] == "list"
	if isList {
		types = types[1:]
	}
	if isList && len(types) != 2 || !isList && len(types) != 1 || len(e.properties) >= maxColumns {
		return p.fail("%s is no property", show(strings.Join(words, " ")))
	}
	for _, word := range types {
		t, ok := scalars[word]
		if !ok {
			return p.fail("%s is no type of PLY", show(word))
		}
		q.length, q.value = q.value, t
	}
	if isList && q.length.float {
		return p.fail("the list %s has no integer for its length", show(q.name))
	}
	e.properties = append(e.properties, q)
	return nil
}

// checkHeader checks what the header says, and makes room.
func (p *plyFile) checkHeader(format string) error {
	switch format {
	case "ascii":
	case "binary_little_endian":
		p.order = binary.LittleEndian
	case "binary_big_endian":
		p.order = binary.BigEndian
	default:
		return p.fail("the format %s: want ascii, binary_little_endian or binary_big_endian", show(format))
	}
	faces, vertexBytes, faceBytes := 0, 3, 4
	for _, e := range p.elements {
		if len(e.properties) == 0 && e.count > 0 {
			return p.fail("the element %s has no properties", show(e.name))
		}
		size := 0
		for _, q := range e.properties {
			size += q.value.size
			if p.order == nil {
				size += 2 - q.value.size // a digit and what follows it
			}
		}
		switch e.name {
		case "vertex":
			p.vertices, vertexBytes = e.count, size
			if p.vertices > maxCount {
				return p.fail("more than %d vertices, the most that are read", maxCount)
			}
		case "face":
			faces = e.count
			faceBytes = max(faceBytes, size)
		}
		if e.name == "tristrips" && e.count > 0 {
			return p.fail("triangle strips are not read: save the file with faces")
		}
	}
	p.reserve(p.vertices, max(3, vertexBytes), faces, faceBytes)
	return nil
}

// each calls visit for every property of every member of an element.
func (p *plyFile) each(e *element, visit func(q *property) error) error {
	for range e.count {
		if err := p.member(); err != nil {
			return err
		}
		for i := range e.properties {
			if err := visit(&e.properties[i]); err != nil {
				return err
			}
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

// readVertices reads the element "vertex".
func (p *plyFile) readVertices(e *element) error {
	var at [3]int
	for i, name := range []string{"x", "y", "z"} {
		at[i] = slices.IndexFunc(e.properties, func(q property) bool { return q.name == name && !q.isList() })
		if at[i] < 0 {
			return p.fail("the element \"vertex\" has no coordinate %s", name)
		}
	}
	if p.order != nil && !slices.ContainsFunc(e.properties, property.isList) {
		return p.readRecords(e, at)
	}
	var x [3]float64
	for range e.count {
		if err := p.member(); err != nil {
			return err
		}
		for i := range e.properties {
			var err error
			if c := slices.Index(at[:], i); c >= 0 {
				x[c], err = p.number(e.properties[i].value)
			} else {
				err = p.skip(&e.properties[i])
			}
			if err != nil {
				return err
			}
		}
		if err := p.vertex(x[0], x[1], x[2]); err != nil {
			return err
		}
	}
	return nil
}

// readRecords reads binary vertices that have the same size all.
func (p *plyFile) readRecords(e *element, at [3]int) error {
	var offset [3]int
	size := 0
	for i, q := range e.properties {
		if c := slices.Index(at[:], i); c >= 0 {
			offset[c] = size
		}
		size += q.value.size
	}
	for range e.count {
		record, err := p.bytes(size)
		if err != nil {
			return err
		}
		var x [3]float64
		for c := range x {
			x[c] = e.properties[at[c]].value.decode(record[offset[c]:], p.order)
		}
		if err := p.vertex(x[0], x[1], x[2]); err != nil {
			return err
		}
	}
	return nil
}

// readFaces reads the element "face".
func (p *plyFile) readFaces(e *element) error {
	named := func(q property) bool { return q.name == "vertex_indices" || q.name == "vertex_index" }
	at := slices.IndexFunc(e.properties, named)
	if at < 0 && e.count == 0 {
		return nil
	}
	if at < 0 || !e.properties[at].isList() || e.properties[at].value.float {
		return p.fail("the element \"face\" has no list \"vertex_indices\" of integers")
	}
	return p.each(e, func(q *property) error {
		if q != &e.properties[at] {
			return p.skip(q)
		}
		length, err := p.length(q)
		if err != nil {
			return err
		}
		if length == 0 {
			return p.fail("a face without corners")
		}
		for range length {
			x, err := p.number(q.value)
			if err != nil {
				return err
			}
			v, err := p.inRange(int(x), p.vertices)
			if err != nil {
				return err
			}
			if err := p.corner(v); err != nil {
				return err
			}
		}
		return p.face()
	})
}

// length reads the length of a list.
func (p *plyFile) length(q *property) (int, error) {
	x, err := p.number(q.length)
	if err == nil && x < 0 {
		err = p.fail("a list %s of %v numbers", show(q.name), x)
	}
	return int(x), err
}

// skip reads a property that does not count.
func (p *plyFile) skip(q *property) error {
	length := 1
	if q.isList() {
		var err error
		if length, err = p.length(q); err != nil {
			return err
		}
	}
	if p.order == nil {
		if length > len(p.fields) {
			return p.fail("a line that ends before its property %s", show(q.name))
		}
		p.fields = p.fields[length:]
		return nil
	}
	n, err := p.r.Discard(length * q.value.size)
	p.input.read += int64(n)
	if err != nil {
		return p.unreadable(err)
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

// decode returns the number that data begin with.
func (t scalar) decode(data []byte, order binary.ByteOrder) float64 {
	switch {
	case t.size == 8:
		return math.Float64frombits(order.Uint64(data))
	case t.float:
		return float64(math.Float32frombits(order.Uint32(data)))
	case t.size == 4 && t.signed:
		return float64(int32(order.Uint32(data)))
	case t.size == 4:
		return float64(order.Uint32(data))
	case t.size == 2 && t.signed:
		return float64(int16(order.Uint16(data)))
	case t.size == 2:
		return float64(order.Uint16(data))
	case t.signed:
		return float64(int8(data[0]))
	}
	return float64(data[0])
}

// ended returns the error of a header that ends too early.
func (p *plyFile) ended(err error) error {
	if errors.Is(err, io.EOF) {
		return fmt.Errorf("%w before \"end_header\"", p.unreadable(err))
	}
	return err
}
