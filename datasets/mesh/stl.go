package mesh

import (
	"errors"
	"io"
	"math"
	"math/bits"
)

// stlBinary reads binary STL: a header of 80 bytes, the number of triangles, and for each its normal, three
// corners and two bytes more. Corners with the same coordinates become one vertex.
func (in *input) stlBinary() error {
	in.binary = true
	head, err := in.bytes(84)
	if err != nil {
		return err
	}
	triangles := int(le.Uint32(head[80:]))
	if want := 84 + 50*int64(triangles); in.left >= 0 && in.left != want {
		return in.fail("the file has %d bytes, but with the %d triangles that it announces it would have "+
			"%d: it was cut off or is not binary STL", in.left, triangles, want)
	}
	in.reserve(triangles/2, 100, triangles, 50)
	weld := newWeld(&in.mesh)
	for range triangles {
		record, err := in.bytes(50)
		if err != nil {
			return err
		}
		var x [9]float64
		for i := range x {
			x[i] = float64(math.Float32frombits(le.Uint32(record[12+4*i:])))
		}
		if err := in.facet(weld, &x); err != nil {
			return err
		}
	}
	return in.end("the %d triangles that the file announces", triangles)
}

// bytes returns the next n bytes, valid until the next call.
func (in *input) bytes(n int) ([]byte, error) {
	data, err := in.r.Peek(n)
	if err != nil {
		in.read += int64(len(data))
		return nil, in.unreadable(err)
	}
	_, _ = in.r.Discard(n) // they are there
	in.read += int64(n)
	return data, nil
}

// stlWord is a word that begins a line of STL as text: where it may be, and what follows.
type stlWord struct {
	inside      string // the word that ends what is open; "": nothing is
	least, most int    // corners of the last facet
	then        string // what ends what is open after it
}

var stlWords = map[string]stlWord{
	"solid":    {"", 0, 3, "endsolid"},
	"facet":    {"endsolid", 0, 3, "endfacet"},
	"outer":    {"endfacet", 0, 0, "endloop"},
	"vertex":   {"endloop", 0, 2, "endloop"},
	"endloop":  {"endloop", 3, 3, "endfacet"},
	"endfacet": {"endfacet", 3, 3, "endsolid"},
	"endsolid": {"endsolid", 0, 3, ""},
}

// stlText reads STL as text, one or several solids: "facet normal x y z", "outer loop", three lines
// "vertex x y z", "endloop", "endfacet". Corners with the same coordinates become one vertex.
func (in *input) stlText() error {
	in.asText()
	weld := newWeld(&in.mesh)
	var x [9]float64
	corners, inside := 0, "" // of a facet; what ends what is open
	for {
		fields, err := in.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		name := fields[0]
		lower(name) // in place: most of the file is such words
		word, ok := stlWords[string(name)]
		if !ok {
			return in.fail("%s is no word of STL", show(name))
		}
		if string(name) == "facet" {
			corners = 0
		}
		if inside != word.inside || corners < word.least || corners > word.most {
			return in.fail("%q here, after %d corners: a facet is an outer loop of three vertices", name,
				corners)
		}
		switch string(name) {
		case "vertex":
			err = in.numbers(fields[1:], x[3*corners:3*corners+3])
			corners++
		case "endfacet":
			err = in.facet(weld, &x)
		}
		if err != nil {
			return err
		}
		inside = word.then
	}
	if inside != "" {
		return in.unreadable(io.EOF)
	}
	return nil
}

// lower turns the letters of ASCII into small ones.
func lower(word []byte) {
	for i, c := range word {
		if 'A' <= c && c <= 'Z' {
			word[i] = c + 'a' - 'A'
		}
	}
}

// facet appends a triangle of three corners.
func (in *input) facet(weld *weld, x *[9]float64) error {
	for i := 0; i < 9; i += 3 {
		v, ok := weld.find(x[i], x[i+1], x[i+2])
		if !ok {
			if err := in.vertex(x[i], x[i+1], x[i+2]); err != nil {
				return err
			}
			weld.add(v)
		}
		if err := in.corner(v); err != nil {
			return err
		}
	}
	return in.face()
}

// weld finds vertices by their coordinates: an open hash table of vertex numbers, a quarter of the size that
// a map of coordinates has.
type weld struct {
	mesh  *Mesh
	table []int32 // vertex number + 1, or 0
	slot  int     // of the vertex that was looked for
}

func newWeld(m *Mesh) *weld { return &weld{mesh: m, table: make([]int32, 1<<10)} }

// find returns the number of a vertex, or of the next one and false.
func (w *weld) find(x, y, z float64) (int32, bool) {
	x, y, z = x+0, y+0, z+0 // -0 is 0
	mask := len(w.table) - 1
	vertices := w.mesh.Vertices
	for w.slot = hash(x, y, z) & mask; w.table[w.slot] != 0; w.slot = (w.slot + 1) & mask {
		v := w.table[w.slot] - 1
		if p := vertices[3*v : 3*v+3]; p[0] == x && p[1] == y && p[2] == z {
			return v, true
		}
	}
	return int32(len(vertices) / 3), false
}

// add puts the vertex into the table that was not found, which stays half empty.
func (w *weld) add(v int32) {
	w.table[w.slot] = v + 1
	if 2*int(v) < len(w.table) {
		return
	}
	old := w.table
	w.table = make([]int32, 2*len(old))
	mask := len(w.table) - 1
	for _, u := range old {
		if u == 0 {
			continue
		}
		p := w.mesh.Vertices[3*(u-1):]
		slot := hash(p[0]+0, p[1]+0, p[2]+0) & mask
		for w.table[slot] != 0 {
			slot = (slot + 1) & mask
		}
		w.table[slot] = u
	}
}

// hash mixes coordinates as wyhash does.
func hash(x, y, z float64) int {
	hi, lo := bits.Mul64(math.Float64bits(x)^0xa0761d6478bd642f, math.Float64bits(y)^0xe7037ed1a0b428db)
	hi, lo = bits.Mul64(hi^lo^math.Float64bits(z), 0x8ebc6af09c88c6e3)
	return int((hi ^ lo) >> 1)
}
