package mesh

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
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

// TestTrimesh compares real meshes, many of them neither closed nor manifold, with trimesh: those of PSB12 in
// the folder $NKF_DATA, which nkf may not pass on.
func TestTrimesh(t *testing.T) {
	files, err := published.Open(t.Context(), "PSB12")
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip(err)
	}
	s := must(ReadSet("PSB12", Whole, must(files, err)))
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
	set := must(Open(filepath.Join(dir, "set"), Whole))
	var contents []datasets.File
	for _, name := range set.Files {
		contents = append(contents, datasets.File{Name: name, Bytes: []byte(files["set/"+name])})
	}
	read := must(ReadSet("set", Whole, contents))
	read.SHA256 = set.SHA256
	require.Equal(t, set, read)
	contents[1].Bytes = nil
	_, err := ReadSet("set", Whole, contents)
	require.ErrorContains(t, err, "b/x.off")
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
