package mesh

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// must returns the result of a call that cannot fail.
func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}

// torus returns a torus of a grid of a times b squares, all oriented outwards.
func torus(a, b int) *Mesh {
	return Torus(a, b, func(u, v float64) (x, y, z float64) {
		r := 2 + math.Cos(v)
		return r * math.Cos(u), r * math.Sin(u), math.Sin(v)
	})
}

// strip returns a band of n squares whose ends are glued, with a twist or without.
func strip(n int, twist bool) *Mesh {
	m := &Mesh{Vertices: make([]float64, 6*n)}
	for i := range int32(n) {
		a, b, c, d := 2*i, 2*i+1, 2*i+2, 2*i+3
		if int(i) == n-1 {
			c, d = 0, 1
			if twist {
				c, d = 1, 0
			}
		}
		m.Triangles = append(m.Triangles, a, b, c, b, d, c)
	}
	return m
}

// tent is a pyramid without its ground, with a triangle that has a vertex twice and one that is there before.
const tent = "OFF\n5 6 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n0.5 0.5 1\n3 0 1 4\n3 1 2 4\n3 2 3 4\n3 3 0 4\n" +
	"3 0 0 1\n3 1 0 4\n"

var (
	// square is what all texts of TestDialects say.
	square = &Mesh{Vertices: []float64{0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0.5},
		Triangles: []int32{0, 1, 2, 0, 2, 3}}
	tetrahedron = &Mesh{Vertices: []float64{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1},
		Triangles: []int32{0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3}}
	projectivePlane = &Mesh{Vertices: make([]float64, 18), Triangles: []int32{0, 1, 2, 0, 2, 3, 0, 3, 4,
		0, 4, 5, 0, 5, 1, 1, 2, 4, 2, 3, 5, 3, 4, 1, 4, 5, 2, 5, 1, 3}}
)

// formats are those that are read, with the extension of their files.
var formats = []struct {
	name  string
	write func(*bufio.Writer, *Mesh)
}{{"mesh.off", writeOFF}, {"mesh.obj", writeOBJ}, {"mesh.stl", writeSTL}, {"text.stl", textSTL},
	{"mesh.ply", writePLY}, {"big.ply", bigPLY}, {"text.ply", textPLY}}

func textSTL(w *bufio.Writer, m *Mesh) {
	fmt.Fprintln(w, "solid mesh")
	for i := 0; i < len(m.Triangles); i += 3 {
		fmt.Fprintln(w, "facet normal 0 0 0\nouter loop")
		for _, v := range m.Triangles[i : i+3] {
			fmt.Fprintln(w, "vertex", m.Vertices[3*v], m.Vertices[3*v+1], m.Vertices[3*v+2])
		}
		fmt.Fprintln(w, "endloop\nendfacet")
	}
	fmt.Fprintln(w, "endsolid mesh")
}

// plyHead returns the header of a mesh in PLY.
func plyHead(m *Mesh, format string) string {
	vertices, triangles := m.Len()
	return fmt.Sprintf("ply\nformat %s 1.0\nelement vertex %d\nproperty double x\nproperty double y\n"+
		"property double z\nelement face %d\nproperty list uchar int vertex_indices\nend_header\n",
		format, vertices, triangles)
}

func textPLY(w *bufio.Writer, m *Mesh) {
	fmt.Fprint(w, plyHead(m, "ascii"))
	writeText(w, m, "", "3", 0)
}

func bigPLY(w *bufio.Writer, m *Mesh) {
	fmt.Fprint(w, plyHead(m, "binary_big_endian"))
	_ = binary.Write(w, binary.BigEndian, m.Vertices) // to memory
	for triangle := range slices.Chunk(m.Triangles, 3) {
		_ = w.WriteByte(3)
		_ = binary.Write(w, binary.BigEndian, triangle)
	}
}

func encode(t testing.TB, m *Mesh, write func(*bufio.Writer, *Mesh)) []byte {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, m.encode(&b, write))
	return b.Bytes()
}

// parse reads a mesh from memory, as from a pipe whose length is not known.
func parse(data []byte, name string) (*Mesh, error) {
	return decode(bytes.NewReader(data), name, -1, int64(len(data)))
}

func pack(t testing.TB, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	must(z.Write(data))
	require.NoError(t, z.Close())
	return b.Bytes()
}

// written writes files, by name, into a folder.
func written(t *testing.T, files map[string]string) string {
	t.Helper()
	folder := t.TempDir()
	for name, text := range files {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(folder, name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644))
	}
	return folder
}
