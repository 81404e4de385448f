package mesh

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/neuralkforms/nkf/datasets/fileio"
	"github.com/neuralkforms/nkf/datasets/internal/text"
)

const (
	byteOrderMark = "\xef\xbb\xbf"
	maxLine       = 1 << 24 // bytes of a line, which is a vertex or a polygon

	// The vertices and triangles of a file take at most maxArrays times its bytes, and slack for small files.
	// Those of a regular grid, which packs well, take 5 times.
	maxArrays = 16
	slack     = 1 << 20
)

// input is a file that is being decoded. The reader of a format calls vertex for each vertex, and corner and
// face for each polygon; errors come from fail, which adds the place in the file.
type input struct {
	r      *bufio.Reader
	name   string
	size   int64 // bytes of the file, -1 if unknown
	arrays int64 // bytes that vertices and triangles may still take

	lines  *bufio.Scanner // of text; nil in a binary file
	row    [][]byte       // fields of the last line
	fields [][]byte       // those that are not read yet
	place  int64          // number of the last line, or bytes that were read

	mesh     Mesh
	corners  []int32   // of the polygon so far
	polygons []polygon // those of more than three corners
	astray   []astray  // vertices without a place in space
}

// astray is a vertex whose coordinates are no numbers or too large, and its place in the file.
type astray struct {
	vertex int32
	place  int64
}

// decode reads a mesh from a file of a size, -1 if unknown, that takes stored bytes: fewer in an archive.
func decode(r io.Reader, name string, size, stored int64) (*Mesh, error) {
	in := &input{name: fileio.Printable(name), size: size, arrays: slack + maxArrays*stored}
	var packed bool
	var err error
	if in.r, packed, err = text.Unpack(r); err != nil {
		return nil, fmt.Errorf("%s: %w", in.name, err)
	}
	if packed {
		in.size = -1
	}
	read, err := in.format()
	if err == nil {
		err = read()
	}
	for _, step := range []func() error{in.drop, in.cut} {
		if err == nil {
			err = step()
		}
	}
	if err != nil {
		return nil, err
	}
	return &in.mesh, nil
}

// format returns the function that reads the file.
func (in *input) format() (read func() error, err error) {
	in.skipMark()
	head, err := in.r.Peek(1 << 10)
	switch {
	case len(head) > 0:
	case errors.Is(err, io.EOF):
		return nil, fmt.Errorf("%s is empty: it was cut off, get it again", in.name)
	default:
		return nil, in.unreadable(err)
	}
	extension, _ := format(in.name)
	word, binary := firstWord(head), bytes.IndexByte(head, 0) >= 0
	switch {
	case bytes.HasPrefix(head, []byte("ply\n")), bytes.HasPrefix(head, []byte("ply\r")):
		return in.ply, nil
	case offMagic.MatchString(word):
		return in.off, nil
	case !binary && strings.EqualFold(word, "solid"):
		return in.textSTL, nil
	case binary && extension == ".stl", extension == "" && in.sizeOfSTL(head):
		return in.binarySTL, nil
	case !binary && (extension == ".obj" || objStatements[word]):
		return in.obj, nil
	case !binary && extension == ".off":
		return in.off, nil
	}
	return nil, fmt.Errorf("%s, which begins with %s, is not a mesh in the format OFF, OBJ, STL or PLY",
		in.name, show(word))
}

// skipMark skips a byte order mark.
func (in *input) skipMark() {
	if head, _ := in.r.Peek(len(byteOrderMark)); string(head) == byteOrderMark {
		_, _ = in.r.Discard(len(head)) // they are there
		in.size = max(-1, in.size-int64(len(head)))
	}
}

// firstWord returns the first word that is not in a comment.
func firstWord(head []byte) string {
	for _, line := range bytes.FieldsFunc(head, func(r rune) bool { return r == '\r' || r == '\n' }) {
		if fields := bytes.Fields(line); len(fields) > 0 && fields[0][0] != '#' {
			return string(fields[0])
		}
	}
	return ""
}

// fail returns an error that begins with the place in the file.
func (in *input) fail(format string, args ...any) error {
	unit := "byte"
	if in.lines != nil {
		unit = "line"
	}
	return fmt.Errorf("%s, %s %d: %w", in.name, unit, in.place, fmt.Errorf(format, args...))
}

// unreadable returns the error of a file that cannot be read further.
func (in *input) unreadable(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return in.fail("the file ends here: it was cut off, get it again")
	}
	return in.fail("%v", err)
}

// end returns an error unless the file ends after its last part. Some programs write a few bytes more into a
// binary file, fewer than those of another part.
func (in *input) end(last string, part int) (err error) {
	if in.lines != nil {
		err = in.next()
	} else if _, err = in.r.Peek(part); err != nil && !errors.Is(err, io.EOF) {
		return in.unreadable(err) // the checksum of a packed file is at its end
	}
	switch {
	case err == nil:
		return in.fail("there is more after the last %s of the file", last)
	case errors.Is(err, io.EOF):
		return nil
	}
	return err
}

// bytes returns the next n bytes, valid until the next call.
func (in *input) bytes(n int) ([]byte, error) {
	data, err := in.r.Peek(n)
	in.place += int64(len(data))
	if err != nil {
		return nil, in.unreadable(err)
	}
	_, _ = in.r.Discard(n) // they are there
	return data, nil
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

// reserve allocates memory for the vertices and triangles that a header announces, as far as the file can
// hold them with at least the given bytes each; none if the size of the file is unknown.
func (in *input) reserve(vertices, vertexBytes, triangles, triangleBytes int) {
	left := int(min(in.size, in.arrays))
	in.mesh.Vertices = slices.Grow(in.mesh.Vertices, 3*max(0, min(vertices, left/vertexBytes)))
	in.mesh.Triangles = slices.Grow(in.mesh.Triangles, 3*max(0, min(triangles, left/triangleBytes)))
}

// room returns an error unless the given numbers of vertices and triangles can be appended.
func (in *input) room(vertices, triangles int) error {
	v, t := in.mesh.Len()
	if v+vertices > maxCount || t+triangles > maxCount {
		return in.fail("more than %d vertices or triangles, the most that are read", maxCount)
	}
	if in.arrays -= 24*int64(vertices) + 12*int64(triangles); in.arrays < 0 {
		return in.fail("the mesh takes more than %d times the memory of its packed file, which no mesh does",
			maxArrays)
	}
	return nil
}

// vertex appends a vertex.
func (in *input) vertex(x, y, z float64) error {
	if err := in.room(1, 0); err != nil {
		return err
	}
	// A comparison with NaN is false.
	if !(math.Abs(x) <= maxCoordinate && math.Abs(y) <= maxCoordinate && math.Abs(z) <= maxCoordinate) {
		v, _ := in.mesh.Len()
		in.astray = append(in.astray, astray{int32(v), in.place})
	}
	in.mesh.Vertices = append(in.mesh.Vertices, x, y, z)
	return nil
}

// lost returns the error of a vertex that is astray, nil if there are not so many.
func (in *input) lost(i int) error {
	if i >= len(in.astray) {
		return nil
	}
	in.place = in.astray[i].place
	x := in.mesh.point(in.astray[i].vertex)
	return in.fail("the vertex (%v, %v, %v) is not within ±%v, where areas and volumes are finite: "+
		"scale the mesh, or take it out", x[0], x[1], x[2], maxCoordinate)
}

// drop takes out vertices that are astray. It is an error if a face has one.
func (in *input) drop() error {
	if len(in.astray) == 0 {
		return nil
	}
	m := &in.mesh
	order := func(a astray, v int32) int { return cmp.Compare(a.vertex, v) }
	for i, v := range m.Triangles {
		before, found := slices.BinarySearchFunc(in.astray, v, order)
		if found {
			return in.lost(before)
		}
		m.Triangles[i] -= int32(before)
	}
	kept := m.Vertices[:0]
	for v := range int32(len(m.Vertices) / 3) {
		if out := int(v) - len(kept)/3; out == len(in.astray) || in.astray[out].vertex != v {
			kept = append(kept, m.Vertices[3*v:3*v+3]...)
		}
	}
	m.Vertices, m.left.vertices = kept, len(in.astray)
	return nil
}

// corner appends a corner to the polygon, one of the given number of vertices.
func (in *input) corner(v, vertices int) error {
	if v < 0 || v >= vertices {
		return in.fail("vertex number %d, but there are %d vertices, numbered from 0", v, vertices)
	}
	if in.corners = append(in.corners, int32(v)); 4*int64(len(in.corners)) > in.arrays {
		return in.room(0, len(in.corners))
	}
	return nil
}

// face ends the polygon and appends the fan of its first corner, which cut replaces where it does not cover
// the polygon. One or two corners are no surface.
func (in *input) face() error {
	corners := in.corners
	in.corners = corners[:0]
	if len(corners) < 3 {
		in.mesh.left.faces++
		return nil
	}
	if err := in.room(0, len(corners)-2); err != nil {
		return err
	}
	if len(corners) > 3 {
		_, first := in.mesh.Len()
		in.polygons = append(in.polygons, polygon{int32(first), int32(len(corners)), in.place})
	}
	in.mesh.Triangles = fan(in.mesh.Triangles, corners)
	return nil
}

// fan appends the triangles of the first corner of a polygon.
func fan(triangles, corners []int32) []int32 {
	for i := 2; i < len(corners); i++ {
		triangles = append(triangles, corners[0], corners[i-1], corners[i])
	}
	return triangles
}
