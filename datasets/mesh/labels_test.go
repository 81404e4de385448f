package mesh

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets"
)

// TestOpenLabeled: labels are those of the files, numbered, on all triangles or vertices of the mesh.
func TestOpenLabeled(t *testing.T) {
	folder := written(t, map[string]string{
		"a/tent.off": tent, "a/tent.seg": "\ufeff7\n7\n3\n-5\n3\n7\n", "b.off": tent, "b.seg": "3 3 3 9 3 -1",
		"c/table.csv": "mesh,whatever\n../b.off,1\n../a/tent.off,2\n",
	})
	s := must(Open(folder, Faces))
	require.Equal(t, []string{"a/tent.off", "b.off"}, s.Files)
	require.Equal(t, []string{"3", "7", "9"}, s.Classes)
	require.Equal(t, [][]int32{{1, 1, 0, -1, 0, 1}, {0, 0, 0, 2, 0, -1}}, s.Labels)
	c := must(Encoder{Labels: Faces}.Encode(s))
	require.Equal(t, 2, c.Labeled())
	require.Equal(t, s.Labels[0], c.LabelsOf(0))
	require.Equal(t, s.Meshes[1].Triangles, c.Corners(2, 1), "all triangles, in order")
	require.Equal(t, 5, c.Count(0, 0))
	before := s.SHA256
	require.NoError(t, os.WriteFile(filepath.Join(folder, "b.seg"), []byte("3 3 3 9 3 3"), 0o644))
	s = must(Open(folder, Faces))
	require.NotEqual(t, before, s.SHA256, "labels are data")

	s = must(Open(filepath.Join(folder, "c", "table.csv"), Faces))
	require.Equal(t, [][]int32{{0, 0, 0, 2, 0, 0}, {1, 1, 0, -1, 0, 1}}, s.Labels)

	folder = written(t, map[string]string{"x.off": tent, "x.txt": "1\n0\n0\n0\n1\n"})
	s = must(Open(folder, Vertices))
	c = must(Encoder{Labels: Vertices}.Encode(s))
	require.Equal(t, 0, c.Labeled())
	require.Equal(t, []int32{1, 0, 0, 0, 1}, c.LabelsOf(0))

	require.NoError(t, os.WriteFile(filepath.Join(folder, "x.seg"), []byte("4 4 4 4 4"), 0o644))
	require.Equal(t, []string{"4"}, must(Open(folder, Vertices)).Classes, "goes before .txt")

	// Negative ones are classes where they are asked for, and a PLY file has its own.
	m := &Mesh{Vertices: []float64{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}, Triangles: []int32{0, 1, 2, 0, 1, 3},
		Labels: []int32{7, -1, -2, 7}, FaceLabels: []int32{5, 4}}
	folder = t.TempDir()
	require.NoError(t, m.Write(filepath.Join(folder, "x.ply.gz")))
	require.Equal(t, m, must(Read(filepath.Join(folder, "x.ply.gz"))))
	require.Equal(t, [][]int32{{0, -1, -1, 0}}, must(Open(folder, Vertices)).Labels)
	require.Equal(t, []string{"4", "5"}, must(Open(folder, Faces)).Classes)
	s = must(Reading{Learn: Vertices, Negative: true}.Open(folder))
	require.Equal(t, []string{"-2", "-1", "7"}, s.Classes)
	require.Equal(t, [][]int32{{2, 1, 0, 2}}, s.Labels)
	require.NoError(t, os.WriteFile(filepath.Join(folder, "x.txt"), []byte("1 0 0 1"), 0o644))
	require.Equal(t, []string{"0", "1"}, must(Open(folder, Vertices)).Classes, "a file goes before")
	folder = written(t, map[string]string{"x.off": tent, "x.txt": "1 0 0 0 1"})

	// To predict there are none.
	s = must(Open(folder, Nothing))
	s.Classes = []string{"0", "1"}
	c = must(Encoder{Labels: Vertices}.Encode(s))
	require.Equal(t, []int32{-1, -1, -1, -1, -1}, c.LabelsOf(0))
}

// TestOpenSplit: meshes to test with come from another place, or from lists; classes are those of both.
func TestOpenSplit(t *testing.T) {
	const one, three = "1 0 0 0 1", "3 0 0 0 1"
	files := map[string]string{"a/x.off": tent, "a/x.txt": one, "b/y.off": tent, "b/y.txt": three,
		"c/off/x.off": tent, "c/labels/x.txt": one, "c/off/y.off": tent, "c/labels/y.txt": three,
		"c/train.txt": "x.off\n", "c/test.txt": "y.off\n", "d/k/x.off": tent, "e/k/x.off": tent,
		"f/l/x.off": tent, "answers.csv": "file,p,q\nd/k/x.off,1,0\n",
		"numbers.csv": "file,p,q\nd/k/x.off,0.5,2\n"}
	folder := written(t, files)
	place := func(name string) string { return filepath.Join(folder, name) }
	joined := must(Reading{Learn: Vertices, Test: place("b")}.Open(place("a")))
	lists := must(Open(place("c"), Vertices))
	for _, s := range []*Set{joined, lists} {
		require.Equal(t, []string{"0", "1", "3"}, s.Classes)
		require.Equal(t, [][]int32{{1, 0, 0, 0, 1}, {2, 0, 0, 0, 1}}, s.Labels)
		fold, ok, err := s.Fold("default")
		require.NoError(t, err)
		require.True(t, ok)
		require.Equal(t, datasets.Fold{Train: []int32{0}, Test: []int32{1}}, fold)
		_, ok, _ = s.Fold("random")
		require.False(t, ok)
	}
	require.NotEqual(t, joined.SHA256, must(Open(place("a"), Vertices)).SHA256)
	_, ok, _ := must(Open(place("a"), Vertices)).Fold("default")
	require.False(t, ok)
	_, err := Reading{Learn: Vertices, Test: place("b")}.Open(place("c"))
	require.ErrorContains(t, err, "has a split of its own")
	require.Equal(t, []int32{1}, must(Reading{Test: place("e")}.Open(place("d"))).Tests)
	_, err = Reading{Test: place("f")}.Open(place("d"))
	require.ErrorContains(t, err, `is of class "l"`)
	_, err = Reading{Test: place("numbers.csv")}.Open(place("answers.csv"))
	require.ErrorContains(t, err, "has answers 0 and 1 for [p q], but")
	numbers := must(Reading{Test: place("answers.csv")}.Open(place("numbers.csv")))
	require.Equal(t, [][]float64{{0.5, 2}, {1, 0}}, numbers.Targets)
	require.NoError(t, os.WriteFile(place("c/test.txt"), []byte("../x.off"), 0o644))
	_, err = Open(place("c"), Vertices)
	require.ErrorContains(t, err, `test.txt: "../x.off" is not the name of a mesh`)
}

// TestLabelErrors: what is wrong with labels is said with file and line.
func TestLabelErrors(t *testing.T) {
	for want, text := range map[string]string{
		"x.seg: 5 labels, but the mesh has 6 faces":                      "1\n2\n3\n4\n5\n",
		"x.seg: 100 labels, but the mesh has 6 faces":                    strings.Repeat("1\n", 100),
		`x.seg, line 2: "1.5" is not the number of a class`:              "1\n1.5",
		`x.seg, line 1: "99999999999" is not the number of a class`:      "99999999999",
		`x.seg, line 3: "b" is not the number of a class: want integers`: "1 2\n\n3 b",
	} {
		_, err := Open(written(t, map[string]string{"x.off": tent, "x.seg": text}), Faces)
		require.ErrorContains(t, err, want)
	}
	folder := written(t, map[string]string{"x.off": tent})
	_, err := Open(folder, Faces)
	require.ErrorContains(t, err, "labels of x.off")
	require.ErrorContains(t, err, "they are in the file x.seg or x.txt, or are")

	s := must(Open(written(t, map[string]string{"x.off": tent, "x.seg": "1 1 1 1 1 1"}), Faces))
	_, err = Encoder{Labels: Vertices}.Encode(s)
	require.ErrorContains(t, err, "labels of vertices are asked for")
	for _, e := range []Elements{Whole, Vertices, Faces} {
		require.Equal(t, e, must(ParseElements(e.String())))
	}
	_, err = ParseElements("edges")
	require.ErrorContains(t, err, `no elements "edges" of meshes: want one of meshes, vertices, faces`)
}

// FuzzLabels: a file of labels is read, or said to be none.
func FuzzLabels(f *testing.F) {
	for _, text := range []string{"1\n2\n", "-1 7", "x", "\ufeff3", "1e3", ""} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r := &reader{Set: &Set{Elements: Faces, Meshes: []*Mesh{square}}}
		if err := r.parseLabels([]byte(text), "fuzz.seg"); err != nil {
			require.ErrorContains(t, err, "fuzz.seg")
			return
		}
		require.Len(t, r.Labels[0], 2)
	})
}
