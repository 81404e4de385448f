package mesh

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"math/bits"
	"strings"
)

// sizeOfSTL reports whether the size of the file is that of a binary STL file with such a head.
func (in *input) sizeOfSTL(head []byte) bool {
	return len(head) >= 84 && in.size == 84+50*int64(binary.LittleEndian.Uint32(head[80:]))
}

// binarySTL reads a header of 80 bytes, the number of triangles, and for each its normal, three corners and
// two bytes more.
func (in *input) binarySTL() error {
	head, err := in.bytes(84)
	if err != nil {
		return err
	}
	triangles := int(binary.LittleEndian.Uint32(head[80:]))
	if want := 84 + 50*int64(triangles); in.size >= 0 && (in.size < want || in.size >= want+50) {
		return in.fail("the file has %d bytes, but with the %d triangles that it announces it would have "+
			"%d: it was cut off or is not binary STL", in.size, triangles, want)
	}
	in.reserve(triangles/2, 100, triangles, 50)
	weld := new(weld)
	for range triangles {
		record, err := in.bytes(50)
		if err != nil {
			return err
		}
		var x [9]float64
		for i := range x {
			x[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(record[12+4*i:])))
		}
		if err := in.facet(weld, &x); err != nil {
			return err
		}
	}
	return in.end("triangle", 50)
}

// stlFacet are the words that begin the lines of a facet after "facet normal x y z".
var stlFacet = [...]string{"outer", "vertex", "vertex", "vertex", "endloop", "endfacet"}

// textSTL reads STL as text, one or several solids of facets.
func (in *input) textSTL() error {
	in.asText()
	weld, open := new(weld), false
	for {
		err := in.next()
		if errors.Is(err, io.EOF) && open {
			return in.unreadable(err)
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		word := strings.ToLower(string(in.fields[0]))
		if word != "solid" && word != "facet" && word != "endsolid" || open == (word == "solid") {
			return in.fail("%s here, but a solid has facets of three vertices", show(in.fields[0]))
		}
		if open = word != "endsolid"; word == "facet" {
			if err := in.textFacet(weld); err != nil {
				return err
			}
		}
	}
}

// textFacet reads the lines of a facet after its first.
func (in *input) textFacet(weld *weld) error {
	var x [9]float64
	for i, want := range stlFacet {
		err := in.must()
		if err == nil && !bytes.EqualFold(in.fields[0], []byte(want)) {
			err = in.fail("%s here, where %q belongs", show(in.fields[0]), want)
		}
		if err == nil && want == "vertex" {
			in.fields = in.fields[1:]
			err = in.numbers(x[3*(i-1) : 3*i])
		}
		if err != nil {
			return err
		}
	}
	return in.facet(weld, &x)
}

// facet appends a triangle of three corners, those with the same coordinates as one vertex: STL has no
// numbers.
func (in *input) facet(weld *weld, x *[9]float64) error {
	for i := 0; i < 9; i += 3 {
		v := weld.find(&in.mesh, x[i], x[i+1], x[i+2])
		if *v == 0 {
			vertices, _ := in.mesh.Len()
			*v = int32(vertices + 1)
			if err := errors.Join(in.vertex(x[i], x[i+1], x[i+2]), in.lost(0)); err != nil {
				return err
			}
		}
		in.corners = append(in.corners, *v-1)
	}
	return in.face()
}

// weld finds vertices by their coordinates: a hash table of vertex numbers from 1, at least half of them 0,
// which takes a quarter of the memory of a map.
type weld []int32

// find returns the place of a vertex in the table; of a new one, where its number belongs.
func (w *weld) find(m *Mesh, x, y, z float64) *int32 {
	if 2*len(m.Vertices)/3 >= len(*w) {
		*w = make(weld, max(1<<10, 2*len(*w)))
		for v := range int32(len(m.Vertices) / 3) {
			*w.find(m, m.Vertices[3*v], m.Vertices[3*v+1], m.Vertices[3*v+2]) = v + 1
		}
	}
	table := *w
	mask := len(table) - 1 // of a power of two
	for i := hash(x, y, z) & mask; ; i = (i + 1) & mask {
		v := 3 * (int(table[i]) - 1)
		if v < 0 || m.Vertices[v] == x && m.Vertices[v+1] == y && m.Vertices[v+2] == z {
			return &table[i]
		}
	}
}

// hash mixes coordinates as wyhash does; of -0 as of 0.
func hash(x, y, z float64) int {
	hi, lo := bits.Mul64(math.Float64bits(x+0)^0xa0761d6478bd642f, math.Float64bits(y+0)^0xe7037ed1a0b428db)
	hi, lo = bits.Mul64(hi^lo^math.Float64bits(z+0), 0x8ebc6af09c88c6e3)
	return int((hi ^ lo) >> 1)
}
