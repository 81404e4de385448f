package mesh

import (
	"fmt"
	"math"
	"os"
	"slices"

	"github.com/dustin/go-humanize/english"

	"github.com/neuralkforms/nkf/datasets/fileio"
	"github.com/neuralkforms/nkf/datasets/simplicial"
)

// Mesh holds triangles in R³ that share vertices. Unused vertices, triangles with a repeated vertex and
// repeated triangles are kept: [Mesh.Inspect] counts them.
//
// [Read] returns valid meshes. Methods of a mesh that [Mesh.Validate] rejects may panic.
type Mesh struct {
	Vertices  []float64 // [V, 3]: coordinates
	Triangles []int32   // [T, 3]: vertex numbers from 0; their order orients the triangle
	left      left
}

// left counts what a file has that the mesh has not.
type left struct {
	nonplanar  int // polygons with corners off their plane, by a thousandth of their size
	crossing   int // polygons that cross themselves, in whose place is a fan
	faces      int // with fewer than three corners
	vertices   int // in no face, whose coordinates are no numbers or too large
	statements int // of OBJ
}

// add adds the counts of another file.
func (l *left) add(o left) {
	l.nonplanar, l.crossing, l.faces = l.nonplanar+o.nonplanar, l.crossing+o.crossing, l.faces+o.faces
	l.vertices, l.statements = l.vertices+o.vertices, l.statements+o.statements
}

// notes returns a phrase for each kind.
func (l left) notes() (notes []string) {
	add := func(count int, singular, plural, sentence string) {
		if count > 0 {
			notes = append(notes, english.Plural(count, singular, plural)+" "+sentence)
		}
	}
	add(l.nonplanar, "polygon", "", "not planar: how they are cut is a choice, and so is the area")
	add(l.crossing, "polygon", "", "crossing themselves: they are cut as fans, and the area is a choice")
	add(l.faces, "face", "", "of fewer than three corners, left out")
	add(l.vertices, "vertex", "vertices", "in no face with a coordinate that is NaN or too large, left out")
	add(l.statements, "unknown statement", "", "of OBJ, left out")
	return notes
}

// Len returns the numbers of vertices and triangles.
func (m *Mesh) Len() (vertices, triangles int) { return len(m.Vertices) / 3, len(m.Triangles) / 3 }

const (
	// maxCount bounds the numbers of vertices and of triangles, which are numbered by int32.
	maxCount = math.MaxInt32 / 3
	// maxCoordinate bounds coordinates: with products of four, which centroids of volumes have, and sums over
	// all triangles that there can be, float64 comes to no more than 1e132.
	maxCoordinate = 1e30
)

// Validate returns an error unless vertices have three coordinates within ±1e30, and triangles three corners
// among the vertices.
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

// Complex returns the triangles as a complex in R³ with all vertices. It is an error if a triangle has a
// vertex twice.
func (m *Mesh) Complex() (*simplicial.Complex, error) {
	var triangles [][]int
	for t := range slices.Chunk(m.Triangles, 3) {
		triangles = append(triangles, []int{int(t[0]), int(t[1]), int(t[2])})
	}
	c, err := simplicial.New(len(m.Vertices)/3, triangles)
	if err != nil {
		return nil, err
	}
	return c.Embed(3, m.Vertices)
}

// Read reads a mesh from a file, plain or packed by gzip. The format is recognized by the content, or else by
// the name of the file.
//
// The error of a damaged file names the file and the line, or the byte of a binary file.
func Read(path string) (*Mesh, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("read a mesh: %w", err)
	}
	if !info.Mode().IsRegular() { // a pipe or a device may have no end
		return nil, fmt.Errorf("%s is not a file: give the path of a mesh", path)
	}
	file, err := fileio.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return decode(file, path, info.Size(), info.Size())
}

// Torus returns a grid of squares, each two triangles, that is closed in both directions: vertex
// i·across + j is at the place of the angles 2πi/around and 2πj/across.
func Torus(around, across int, place func(u, v float64) (x, y, z float64)) *Mesh {
	m := &Mesh{}
	number := func(i, j int) int32 { return int32(i%around*across + j%across) }
	for i := range around {
		for j := range across {
			x, y, z := place(2*math.Pi*float64(i)/float64(around), 2*math.Pi*float64(j)/float64(across))
			m.Vertices = append(m.Vertices, x, y, z)
			m.Triangles = append(m.Triangles, number(i, j), number(i+1, j), number(i+1, j+1), number(i, j),
				number(i+1, j+1), number(i, j+1))
		}
	}
	return m
}
