package mesh

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math"
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
	if in.size >= 0 && !in.sizeOfSTL(head) {
		return in.fail("the file has %d bytes, but with the %d triangles that it announces it would have "+
			"%d: it was cut off or is not binary STL", in.size, triangles, 84+50*int64(triangles))
	}
	in.reserve(triangles/2, 100, triangles, 50)
	weld := weld{}
	for range triangles {
		record, err := in.bytes(50)
		if err != nil {
			return err
		}
		var x [9]float64
		for i := range x {
			x[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(record[12+4*i:])))
		}
		if err := in.facet(weld, x); err != nil {
			return err
		}
	}
	return in.end("triangle")
}

// stlFacet are the words that begin the lines of a facet after "facet normal x y z".
var stlFacet = [...]string{"outer", "vertex", "vertex", "vertex", "endloop", "endfacet"}

// textSTL reads STL as text, one or several solids of facets.
func (in *input) textSTL() error {
	in.asText()
	weld, open := weld{}, false
	for {
		fields, err := in.next()
		if errors.Is(err, io.EOF) && open {
			return in.unreadable(err)
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		word := strings.ToLower(string(fields[0]))
		if word != "solid" && word != "facet" && word != "endsolid" || open == (word == "solid") {
			return in.fail("%s here, but a solid has facets of three vertices", show(fields[0]))
		}
		if open = word != "endsolid"; word == "facet" {
			if err := in.textFacet(weld); err != nil {
				return err
			}
		}
	}
}

// textFacet reads the lines of a facet after its first.
func (in *input) textFacet(weld weld) error {
	var x [9]float64
	for i, want := range stlFacet {
		fields, err := in.must()
		if err == nil && !bytes.EqualFold(fields[0], []byte(want)) {
			err = in.fail("%s here, where %q belongs", show(fields[0]), want)
		}
		if err == nil && want == "vertex" {
			err = in.numbers(fields[1:], x[3*(i-1):3*i])
		}
		if err != nil {
			return err
		}
	}
	return in.facet(weld, x)
}

// weld has the numbers of vertices by their coordinates: STL has no numbers.
type weld map[[3]float64]int32

// facet appends a triangle of three corners, those with the same coordinates as one vertex.
func (in *input) facet(weld weld, x [9]float64) error {
	for i := 0; i < 9; i += 3 {
		at := [3]float64(x[i : i+3])
		v, ok := weld[at]
		if !ok {
			vertices, _ := in.mesh.Len()
			v = int32(vertices)
			if err := in.vertex(at[0], at[1], at[2]); err != nil {
				return err
			}
			weld[at] = v
		}
		in.corners = append(in.corners, v)
	}
	return in.face()
}
