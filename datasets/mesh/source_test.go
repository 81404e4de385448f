package mesh

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/published"
)

// golden is what trimesh 5.2.0 says about the meshes of PSB12, without merging vertices.
type golden struct {
	Name                string
	Vertices, Triangles int
	Area                float64
	Watertight, Winding bool
	Euler               int
	Volume              float64 // of those with both
	Centroid            [3]float64
}

// princeton returns PSB12 from the folder $NKF_DATA, or skips: nkf may not pass these meshes on.
func princeton(t *testing.T) *Set {
	t.Helper()
	files, err := published.Open(t.Context(), "PSB12")
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip(err)
	}
	require.NoError(t, err)
	s := must(ReadSet("PSB12", Whole, files))
	return s
}

// TestTrimesh compares real meshes, many of them neither closed nor manifold, with trimesh.
func TestTrimesh(t *testing.T) {
	s := princeton(t)
	text := must(os.ReadFile("testdata/trimesh.json"))
	var want []golden
	require.NoError(t, json.Unmarshal(text, &want))
	require.Len(t, s.Meshes, 234)
	require.Len(t, want, 234)
	closed := 0
	for i, w := range want {
		require.Equal(t, w.Name, s.Files[i])
		m := s.Meshes[i]
		r := m.Inspect()
		require.Equal(t, []int{w.Vertices, w.Triangles}, []int{r.Vertices, r.Triangles}, w.Name)
		require.InEpsilon(t, w.Area, r.Area, 1e-9, w.Name) // rounding; trimesh takes out nothing either
		require.Equal(t, r.Euler, r.Betti[0]-r.Betti[1]+r.Betti[2])
		if i%40 == 0 { // reducing the matrices takes its time
			requireHomology(t, m, r)
		}
		if w.Volume != 0 {
			closed++
			require.True(t, r.Closed)
			require.InEpsilon(t, w.Volume, r.Volume, 1e-6, w.Name)
			require.InDeltaSlice(t, w.Centroid[:], r.Centroid[:], 1e-6, w.Name)
		}
		if r.Degenerate+r.Doubled > 0 {
			continue // trimesh counts their edges
		}
		require.Equal(t, w.Euler, r.Euler, w.Name)
		require.Equal(t, w.Watertight, r.Boundary+r.Branching == 0, w.Name)
		if w.Watertight {
			require.Equal(t, w.Winding, r.Consistent, w.Name)
		}
		if w.Watertight && r.Orientable {
			m.Orient()
			again := m.Inspect()
			require.True(t, again.Consistent && again.Closed, w.Name)
			require.Equal(t, r.Betti, again.Betti)
		}
	}
	require.Equal(t, 38, closed)
}

// TestPrinceton: coarsened meshes have 300 vertices and the areas of the mesh.
func TestPrinceton(t *testing.T) {
	s := princeton(t)
	require.Equal(t, []string{"dining_chair", "face"}, s.Classes[:2])
	small := must(Encoder{Vertices: 300, Invariants: true}.Encode(s))
	require.Equal(t, Invariants+1, small.Simplices[0].Width)
	for g := range small.Len() {
		// Clusters of neighbors cannot join the leaves of plants, which are parts of their own.
		if n := small.Count(0, g); n > 300 {
			require.Zero(t, small.Count(1, g), s.Files[g])
		}
		area := 0.0
		for v := small.VertexStart[g]; v < small.VertexStart[g+1]; v++ {
			area += small.Simplices[0].Cochain[int(v+1)*(Invariants+1)-1]
		}
		want, _ := s.Meshes[g].Area()
		require.InEpsilon(t, want, area, 1e-4, "areas of vertices make up the area") // float32
	}
}

// moved returns the mesh turned and reflected at random, shifted, and with its triangles turned round at
// random.
func moved(m *Mesh, r *rand.Rand) *Mesh {
	turn := rotation(r)
	turn[0] = turn[0].scale(-1)
	shift := vector{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
	out := &Mesh{Triangles: slices.Clone(m.Triangles)}
	vertices, _ := m.Len()
	for v := range vertices {
		p := turn.times(m.point(int32(v))).add(shift)
		out.Vertices = append(out.Vertices, p[:]...)
	}
	for i := 0; i < len(m.Triangles); i += 3 {
		if r.IntN(2) == 0 {
			out.Triangles[i], out.Triangles[i+1] = out.Triangles[i+1], out.Triangles[i]
		}
	}
	return out
}

// TestInvariance: what a model is given does not change when a mesh moves.
func TestInvariance(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	meshes := []*Mesh{torus(20, 15), tetrahedron, strip(8, true)}
	for i := range meshes[2].Vertices {
		meshes[2].Vertices[i] = r.NormFloat64()
	}
	if files, err := published.Open(t.Context(), "PSB12"); err == nil {
		s := must(ReadSet("PSB12", Whole, files))
		for i := 0; i < len(s.Meshes); i += 40 {
			meshes = append(meshes, s.Meshes[i])
		}
	}
	for i, m := range meshes {
		turned := moved(m, r)
		// Deviations are roots of differences of products of coordinates: √(2^-52) = 1.5e-8 of these,
		// which are about 1 when 0.003 is added.
		require.InDeltaSlice(t, m.Invariants(), turned.Invariants(), 1e-5, "mesh %d", i)
		for d, describe := range descriptors {
			// Of 20,000 pairs one or another may cross from one bin to the next.
			require.InDeltaSlice(t, describe(m), describe(turned), 1e-2, "mesh %d, descriptor %s", i, d)
		}
		var cochains [2][][]float64
		for j, x := range []*Mesh{m, turned} {
			s := &Set{Meshes: []*Mesh{x}, Targets: [][]float64{{0}}}
			c := must(Encoder{Vertices: 100, Invariants: true}.Encode(s))
			cochains[j] = [][]float64{c.Simplices[0].Cochain, c.Simplices[2].Cochain}
		}
		for k := range 2 {
			require.InDeltaSlice(t, cochains[0][k], cochains[1][k], 1e-5, "mesh %d", i)
		}
	}
}

// TestScale: scaling adds a constant to the logarithms.
func TestScale(t *testing.T) {
	m, big := torus(12, 9), torus(12, 9)
	for i := range big.Vertices {
		big.Vertices[i] *= 5
	}
	a, b := m.Invariants(), big.Invariants()
	for i := range a {
		want := math.Log(5)
		if i%Invariants >= Logarithms {
			want = 0
		}
		require.InDelta(t, want, b[i]-a[i], 1e-6) // roots of rounding errors
	}
}

// TestClouds: points lie on the surface, evenly by area, turned about its centroid, and each mesh otherwise.
func TestClouds(t *testing.T) {
	const points = 4000
	flat := &Mesh{Vertices: []float64{0, 0, 5, 2, 0, 5, 2, 1, 5, 0, 1, 5},
		Triangles: []int32{0, 1, 2, 0, 2, 3}}
	s := &Set{Meshes: []*Mesh{flat, flat, {}}, Targets: [][]float64{{0}, {1}, {1}}}
	c := must(Encoder{Points: points}.Encode(s))
	require.Equal(t, []int32{0, points, 2 * points, 2 * points}, c.VertexStart)
	require.NotEqual(t, c.Vertices[:3*points], c.Vertices[3*points:])
	for g := range 2 {
		var second matrix
		for v := g * points; v < (g+1)*points; v++ {
			for i := range 3 {
				for j := range 3 {
					second[i][j] += float64(c.Vertices[3*v+i]) * float64(c.Vertices[3*v+j]) / points
				}
			}
		}
		d := second.deviations()
		require.InDelta(t, 0, d[0], 1e-3) // a root of rounding errors of float32
		// A uniform variable has variance w²/12, and of 4000 its mean square is within 5 · 0.9/√4000 of that,
		// the centroid's share included.
		require.InEpsilon(t, math.Sqrt(1.0/12), d[1], 0.04)
		require.InEpsilon(t, math.Sqrt(4.0/12), d[2], 0.04)
	}
}

// TestOpen reads folders, archives and tables, and says what is wrong with them.
func TestOpen(t *testing.T) {
	files := map[string]string{
		"set/b/x.off":         string(encode(t, tetrahedron, writeOFF)),
		"set/a/deep/y.obj.gz": string(pack(t, encode(t, torus(4, 3), writeOBJ))),
		"set/b/z.stl":         string(encode(t, square, writeSTL)), "set/b/readme.txt": "no mesh",
		"flat/x.off": tent, "empty/a/readme.txt": "", "broken/a/x.off": "OFF\n1 0 0\n",
		"bad.zip": "no archive",
	}
	dir := written(t, files)
	var packed bytes.Buffer
	z := zip.NewWriter(&packed)
	require.NoError(t, z.AddFS(os.DirFS(filepath.Join(dir, "set"))))
	require.NoError(t, z.Close())
	require.NoError(t, os.WriteFile(filepath.Join(dir, "set.zip"), packed.Bytes(), 0o666))
	var sums []string
	for _, name := range []string{"set", "set.zip"} {
		s := must(Open(filepath.Join(dir, name), Whole))
		require.Equal(t, "set", s.Name)
		require.Equal(t, []string{"a/deep/y.obj.gz", "b/x.off", "b/z.stl"}, s.Files)
		require.Equal(t, []string{"a", "b"}, s.Classes)
		require.Equal(t, [][]float64{{0}, {1}, {1}}, s.Targets)
		require.Equal(t, tetrahedron, s.Meshes[1])
		sums = append(sums, s.SHA256)
	}
	require.Equal(t, sums[0], sums[1])
	for name, want := range map[string]string{
		"flat": "x.off lies in no folder", "empty": "no meshes", "gone": "give the path of a folder",
		"broken":  "a/x.off, line 3: the file ends here",
		"bad.zip": "a set of meshes is a folder, a zip archive or a CSV file",
	} {
		_, err := Open(filepath.Join(dir, name), Whole)
		require.ErrorContains(t, err, want)
	}
}

// TestTables: what is to be learned is told from the columns, whatever separates them and stands for what is
// missing.
func TestTables(t *testing.T) {
	nan := math.NaN()
	read := func(text string) (*Set, error) {
		return Open(filepath.Join(written(t, map[string]string{"x.off": tent, "z.off": tent, "t.csv": text}),
			"t.csv"), Whole)
	}
	for text, want := range map[string]struct {
		info    datasets.Info
		targets [][]float64
	}{
		"file,kind\nx.off,red\nz.off,blue\n": {datasets.Info{Classes: []string{"blue", "red"}},
			[][]float64{{1}, {0}}},
		"file,kind\nx.off,3\nz.off,1\n": {datasets.Info{Classes: []string{"1", "3"}}, [][]float64{{1}, {0}}},
		"file,size\nx.off,3.5\nz.off,\n": {datasets.Info{Tasks: []string{"size"}, Regression: true},
			[][]float64{{3.5}, {nan}}},
		"file,p,q\nx.off,1,0\nz.off,,1\n": {datasets.Info{Tasks: []string{"p", "q"}},
			[][]float64{{1, 0}, {nan, 1}}},
		"\ufeff\nfile;size;other\nx.off;3.5;1\nz.off;n/a;2\n": {
			datasets.Info{Tasks: []string{"size", "other"}, Regression: true},
			[][]float64{{3.5, 1}, {nan, 2}}},
	} {
		s, err := read(text)
		require.NoError(t, err, text)
		want.info.Name, want.info.SHA256 = "t", s.SHA256
		require.Equal(t, want.info, s.Info, text)
		require.Equal(t, fmt.Sprint(want.targets), fmt.Sprint(s.Targets), text)
		_, err = Encoder{}.Encode(s)
		require.NoError(t, err, text)
	}
	for text, want := range map[string]string{
		"file,kind\n":                        "want a header, and lines",
		"file\nx.off\n":                      "want a header, and lines",
		"file,kind\nx.off\n":                 "line 2: the row has 1 of 2 fields",
		"file,kind\ngone.off,1\n":            "no such file",
		"file,kind\n,1\n":                    "line 2: no path of a mesh",
		"file,kind\nx.off,red\nz.off,\n":     "no class of z.off in",
		"file,a,b\nx.off,1,red\nz.off,1,1\n": `line 2, column "b": the label red is neither`,
	} {
		_, err := read(text)
		require.ErrorContains(t, err, want)
	}
}
