package mesh

import (
	"bytes"
	"encoding/binary"
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

// plyRemarks are the first words of lines that say nothing about the data.
var plyRemarks = []string{"comment", "obj_info", "ply"}

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
		case len(words) == 0 || slices.Contains(plyRemarks, words[0]):
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
