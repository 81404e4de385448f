package mesh

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/internal/text"
)

// Mesh holds triangles in R³ that share vertices. Vertices that no triangle has, and triangles that have a
// vertex twice or are there twice, are kept: [Mesh.Inspect] counts them.
//
// Meshes that are read are valid, those made by hand may not be: see [Mesh.Validate]. The other methods panic
// with its error.
type Mesh struct {
	Vertices  []float64 // [V, 3]: coordinates
	Triangles []int32   // [T, 3]: vertex numbers from 0; their order orients the triangle
	Nonplanar int       // polygons of the file with corners off their plane, by a thousandth of their size
}

// Len returns the numbers of vertices and triangles.
func (m *Mesh) Len() (vertices, triangles int) { return len(m.Vertices) / 3, len(m.Triangles) / 3 }

// Validate returns an error unless the arrays make a mesh: three coordinates of each vertex, which are finite
// and within ±1e30, three corners of each triangle, which are vertices.
func (m *Mesh) Validate() error {
	if len(m.Vertices)%3 != 0 || len(m.Triangles)%3 != 0 {
		return fmt.Errorf("a mesh with %d coordinates and %d corners: want three of each vertex and triangle",
			len(m.Vertices), len(m.Triangles))
	}
	vertices, triangles := m.Len()
	if max(vertices, triangles) > maxCount {
		return fmt.Errorf("a mesh of %d vertices and %d triangles: at most %d are possible", vertices,
			triangles, maxCount)
	}
	for i, v := range m.Triangles {
		if v < 0 || int(v) >= vertices {
			return fmt.Errorf("triangle %d of a mesh: vertex number %d, but there are %d vertices, numbered "+
				"from 0", i/3, v, vertices)
		}
	}
	for i, x := range m.Vertices {
		if !(math.Abs(x) <= maxCoordinate) { // or NaN
			return fmt.Errorf("vertex %d of a mesh: the coordinate %v is not within ±%v", i/3, x,
				maxCoordinate)
		}
	}
	return nil
}

// valid panics with the error of Validate.
func (m *Mesh) valid() {
	if err := m.Validate(); err != nil {
		panic(err)
	}
}

// Read reads a mesh from a file in one of the formats of this package, plain or packed by gzip. The content
// says which; the name of the file decides where the content does not.
//
// The error of a damaged file names the file and the line, or the byte where there are no lines.
func Read(path string) (*Mesh, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("read a mesh: %w", err)
	}
	if !info.Mode().IsRegular() { // a pipe or a device may have no end
		return nil, fmt.Errorf("%s is not a file: give the path of a mesh", path)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return decode(file, path, info.Size(), info.Size())
}

// Bounds of a member of an archive, and of the vertices and triangles of any file, as multiples of the bytes
// that are stored. Meshes as text come to 10; the vertices and triangles of a regular grid, which packs well,
// come to 5. Small files have some bytes more.
const (
	maxExpansion = 100
	maxArrays    = 16
	slack        = 1 << 20
)

// decode reads a mesh from a file of a size, -1 if unknown, that takes stored bytes: fewer in an archive.
func decode(r io.Reader, name string, size, stored int64) (*Mesh, error) {
	in := &input{name: datasets.Printable(name), left: size, arrays: slack + maxArrays*stored}
	var packed bool
	var err error
	if in.r, packed, err = text.Unpack(r); err != nil {
		return nil, fmt.Errorf("%s: %w", in.name, err)
	}
	if packed {
		in.left = -1
	}
	read, err := in.format()
	if err != nil {
		return nil, err
	}
	if err := read(in); err != nil {
		return nil, err
	}
	if err := in.cutDeferred(); err != nil {
		return nil, err
	}
	return &in.mesh, nil
}

// offMagic is how OFF files begin (Geomview). Some programs write the counts right after it.
var offMagic = regexp.MustCompile(`^(ST)?(C)?(N)?(4)?(n)?OFF\d*$`)

// plyMagic is how PLY files begin.
var plyMagic = regexp.MustCompile(`^ply[\r\n]`)

// format returns the function that reads what the input holds.
func (in *input) format() (func(*input) error, error) {
	head, err := in.r.Peek(1 << 10)
	if len(head) == 0 {
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, in.unreadable(err)
		}
		return nil, fmt.Errorf("%s is empty: it was cut off, get it again", in.name)
	}
	extension := strings.ToLower(filepath.Ext(strings.TrimSuffix(strings.ToLower(in.name), ".gz")))
	token, binary := firstToken(head), bytes.IndexByte(head, 0) >= 0
	switch {
	case plyMagic.Match(head):
		return (*input).ply, nil
	case offMagic.MatchString(token):
		return (*input).off, nil
	case !binary && strings.EqualFold(token, "solid"):
		return (*input).stlText, nil
	case !binary && isStatement(token):
		return (*input).obj, nil
	case extension == ".stl" && binary, extension == "" && in.binarySTL(head):
		return (*input).stlBinary, nil
	}
	return in.named(extension, token, binary)
}

// named returns the function for a file that says by its name alone what it is.
func (in *input) named(extension, token string, binary bool) (func(*input) error, error) {
	switch {
	case extension == ".stl":
		return nil, fmt.Errorf("%s: STL as text begins with \"solid\", not with %s", in.name, show(token))
	case extension == ".obj" && !binary:
		return (*input).obj, nil
	case extension == ".off" && !binary:
		return (*input).off, nil
	case extension == ".ply":
		return nil, fmt.Errorf("%s, line 1: a PLY file begins with a line \"ply\", not with %s", in.name,
			show(token))
	}
	return nil, fmt.Errorf("%s is no mesh in the format OFF, OBJ, STL or PLY", in.name)
}

// binarySTL reports whether the size is that of a binary STL file that begins so.
func (in *input) binarySTL(head []byte) bool {
	return len(head) >= 84 && in.left == 84+50*int64(le.Uint32(head[80:]))
}

// firstToken returns what comes before the first blank that is in no comment.
func firstToken(head []byte) string {
	head = bytes.TrimPrefix(head, []byte(byteOrderMark))
	for {
		head = bytes.TrimLeft(head, " \t\r\n")
		if len(head) == 0 || head[0] != '#' {
			break
		}
		end := bytes.IndexAny(head, "\r\n")
		if end < 0 {
			return "#"
		}
		head = head[end:]
	}
	if end := bytes.IndexAny(head, " \t\r\n"); end >= 0 {
		head = head[:end]
	}
	return string(head)
}

// maxCount bounds the numbers of vertices and of triangles, which are numbered by int32.
const maxCount = math.MaxInt32 / 3

// reserve allocates memory for the vertices and triangles that a header announces, as far as the file can
// hold them with at least the given bytes each. It allocates none if the size of the file is unknown.
func (in *input) reserve(vertices, vertexBytes, triangles, triangleBytes int) {
	if in.left < 0 {
		return
	}
	left := int(min(in.left, in.arrays))
	in.mesh.Vertices = slices.Grow(in.mesh.Vertices, 3*min(vertices, left/vertexBytes))
	in.mesh.Triangles = slices.Grow(in.mesh.Triangles, 3*min(triangles, left/triangleBytes))
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

// maxCoordinate bounds coordinates: with products of four, which centroids of volumes have, and sums of as
// many as there can be triangles, float64 comes to no more than 1e132.
const maxCoordinate = 1e30

// vertex appends a vertex.
func (in *input) vertex(x, y, z float64) error {
	if x-x != 0 || y-y != 0 || z-z != 0 {
		return in.fail("the vertex (%v, %v, %v) is not finite", x, y, z)
	}
	if max(math.Abs(x), math.Abs(y), math.Abs(z)) > maxCoordinate {
		return in.fail("the vertex (%v, %v, %v) lies beyond %v, where areas and volumes overflow: scale the "+
			"mesh", x, y, z, maxCoordinate)
	}
	if err := in.room(1, 0); err != nil {
		return err
	}
	in.mesh.Vertices = append(in.mesh.Vertices, x, y, z)
	return nil
}
