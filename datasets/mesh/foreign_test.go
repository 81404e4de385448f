package mesh

import (
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// triangleSTL returns a binary STL file of the triangle (0, 0, 0), (1, 0, 0), (0, 1, 0).
func triangleSTL(t *testing.T) string {
	m := &Mesh{Vertices: []float64{0, 0, 0, 1, 0, 0, 0, 1, 0}, Triangles: []int32{0, 1, 2}}
	return string(encode(t, m, writeSTL))
}

// TestForeignFiles reads files as other programs write them, each for its kind: their area is that of the
// triangles that other readers find, and what is left out is counted.
func TestForeignFiles(t *testing.T) {
	const (
		points  = "0 0 0\n1 0 0\n0 1 0\n"
		corners = "v 0 0 0\nv 1 0 0\nv 0 1 0\n"
		header  = "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n" +
			"property float z\nelement face 2\nproperty list uchar int vertex_indices\nend_header\n" + points
	)
	for kind, c := range map[string]struct {
		name, text string
		area       float64
		left       left
	}{
		"a comment that ends in a backslash": {"a.obj", "# scanned to D:\\scans\\\nv 9 9 9\n" + corners +
			"v 5 5 5\n# faces of C:\\parts\\\nf 2 3 4 # all of C:\\\nf 2 4 3\n", 1, left{}},
		"a name that ends in a backslash": {"a.obj", "g C:\\parts\\\n" + corners + "usemtl C:\\\nf 1 2 3\n",
			0.5, left{}},
		"a line that goes on": {"a.obj", "v 0 0 \\\n0\nv 1 \\\r\n 0 \\\r\n 0\nv 0 1 0\nf 1\\\n 2 3", 0.5,
			left{}},
		"counts on three lines": {"a.off", "OFF\n3\n1\n0\n" + points + "3 0 1 2\n", 0.5, left{}},
		"tokens over lines":     {"a.off", "OFF\n3 1 0\n0 0 0 1 0 0\n0 1 0\n3\n0 1\n2\n", 0.5, left{}},
		"colors of faces": {"a.off", "OFF\n3 2 0\n" + points + "3 0 1 2 255 0 0\n3 0\n2 1 0.5 1 1\n", 1,
			left{}},
		"colors of vertices": {"a.off", "COFF 3 1 0\n0 0 0 1 1 1 1\n1 0 0 9\n0 1 0\n3 0 1 2\n", 0.5, left{}},
		"a bow tie": {"a.off", "OFF\n6 3 0\n" + points + "1 1 0\n2 0 0\n2 1 0\n4 0 1 2 3\n3 1 4 3\n3 4 5 3\n",
			2, left{crossing: 1}},
		"a twisted quadrilateral without vector area": {"a.off",
			"OFF\n4 1 0\n0 0 0\n1 0 0\n0 1 0\n1 1 0\n4 0 1 2 3\n", 1, left{crossing: 1}},
		"faces of fewer corners": {"a.obj", corners + "f\nf 1\nf 1 2\nf 1 2 3\n", 0.5, left{faces: 3}},
		"an empty face in OFF":   {"a.off", "OFF\n3 2 0\n" + points + "0\n3 0 1 2\n", 0.5, left{faces: 1}},
		"an empty face in PLY":   {"a.ply", header + "0\n3 0 1 2\n", 0.5, left{faces: 1}},
		"unused NaN": {"a.obj", "v nan 0 0\n" + corners + "v 1 1e300 0\nf 2 3 4\nv 0 0 nan\n", 0.5,
			left{vertices: 3}},
		"unknown statements": {"a.obj", corners + "vw 1 0 0.5\nt crease 2/1/0 0 1 4.7\nf 1 2 3\n", 0.5,
			left{statements: 2}},
		"a byte order mark": {"a.ply", byteOrderMark + header + "3 0 1 2\n3 0 2 1", 1, left{}},
		"one byte more":     {"a.stl", triangleSTL(t) + "\n", 0.5, left{}},
	} {
		t.Run(kind, func(t *testing.T) {
			m, err := parse([]byte(c.text), c.name)
			require.NoError(t, err)
			require.Equal(t, c.left, m.left)
			require.NoError(t, m.Validate())
			area, _ := m.Area()
			require.Equal(t, c.area, area)
			require.Equal(t, c.left.notes(), m.Inspect().Notes)
			again, err := Read(filepath.Join(written(t, map[string]string{c.name: c.text}), c.name))
			require.NoError(t, err, "with its size known")
			require.Equal(t, m, again)
		})
	}
	_, err := parse([]byte(triangleSTL(t)+strings.Repeat("\x00", 50)), "a.stl")
	require.ErrorContains(t, err, "more after the last triangle", "the header has another number")
}

// TestTokensOfOFF: any white space may stand between the numbers of OFF.
func TestTokensOfOFF(t *testing.T) {
	want := torus(7, 5)
	lines := strings.Split(string(encode(t, want, writeOFF)), "\n")
	r := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		text := strings.Join(lines[:2], "\n")
		for i, word := range strings.Fields(strings.Join(lines[2:], " ")) {
			space := []string{" ", "\n", "\t", "\r\n", " # 1 2 3\n", "\n\n"}[r.IntN(6)]
			if faces := i - len(want.Vertices); i == 0 || faces >= 0 && faces%4 == 0 {
				space = "\n" // or it would be the color of the face before
			}
			text += space + word
		}
		got, err := parse([]byte(text), "a.off")
		require.NoError(t, err, text)
		require.Equal(t, want, got)
	}
}

// TestMeshesWithoutArea: points and triangles at one place are left out of a set, with a note; alone they are
// an error.
func TestMeshesWithoutArea(t *testing.T) {
	const points = "0 0 0\n1 0 0\n0 1 0\n"
	bare := map[string]string{
		"a/points.ply": "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n" +
			"property float z\nend_header\n" + points,
		"a/no faces.off":  "OFF\n3 0 0\n" + points,
		"a/one place.off": "OFF\n3 1 0\n1 1 1\n1 1 1\n1 1 1\n3 0 1 2\n",
		"b/empty.stl":     strings.Repeat("\x00", 84),
	}
	files := map[string]string{"b/x.off": tent, "c/y.obj": "v 0 0 0\nv 1 0 0\nv 0 1 0\nhole\nf 1 2\nf 1 2 3"}
	dir := written(t, bare)
	for name, text := range bare {
		_, err := Open(filepath.Join(dir, name))
		require.ErrorContains(t, err, "no triangle with an area", name)
		files[name] = text
	}
	_, err := Open(dir)
	require.ErrorContains(t, err, `no triangle with an area in "a/no faces.off", "a/one place.off"`)
	s := must(Open(written(t, files)))
	require.Equal(t, []string{"b/x.off", "c/y.obj"}, s.Files)
	require.Equal(t, []string{"b", "c"}, s.Classes)
	require.Equal(t, [][]float64{{0}, {1}}, s.Targets)
	require.Len(t, s.Meshes, 2)
	require.Equal(t, []string{posed,
		`4 of 6 meshes left out, with no triangle that has an area: "a/no faces.off", "a/one place.off", ` +
			`"a/points.ply", "b/empty.stl"`,
		"1 face of fewer than three corners, left out", "1 unknown statement of OBJ, left out"}, s.Notes)
}
