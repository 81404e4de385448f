package mesh

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
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
	for _, o := range []Encoder{
		{Labels: Faces}, {Labels: Faces, Vertices: 3},
		{Labels: Faces, Invariants: true, Descriptor: "moments"},
	} {
		c := must(o.Encode(s))
		require.Equal(t, 2, c.Labeled())
		require.Equal(t, s.Labels[0], c.LabelsOf(0))
		require.Equal(t, s.Meshes[1].Triangles, c.Corners(2, 1), "all triangles, in order")
		require.Equal(t, 5, c.Count(0, 0))
	}
	before := s.SHA256
	require.NoError(t, os.WriteFile(filepath.Join(folder, "b.seg"), []byte("3 3 3 9 3 3"), 0o644))
	s = must(Open(folder, Faces))
	require.NotEqual(t, before, s.SHA256, "labels are data")

	s = must(Open(filepath.Join(folder, "c", "table.csv"), Faces))
	require.Equal(t, [][]int32{{0, 0, 0, 2, 0, 0}, {1, 1, 0, -1, 0, 1}}, s.Labels)

	folder = written(t, map[string]string{"x.off": tent, "x.txt": "1\n0\n0\n0\n1\n"})
	s = must(Open(folder, Vertices))
	c := must(Encoder{Labels: Vertices, Invariants: true}.Encode(s))
	require.Equal(t, 0, c.Labeled())
	require.Equal(t, []int32{1, 0, 0, 0, 1}, c.LabelsOf(0))

	require.NoError(t, os.WriteFile(filepath.Join(folder, "x.seg"), []byte("4 4 4 4 4"), 0o644))
	require.Equal(t, []string{"4"}, must(Open(folder, Vertices)).Classes, "goes before .txt")

	// To predict there are none.
	s = must(Open(folder, Nothing))
	s.Classes = []string{"0", "1"}
	c = must(Encoder{Labels: Vertices}.Encode(s))
	require.Equal(t, []int32{-1, -1, -1, -1, -1}, c.LabelsOf(0))
}

// TestLabelErrors: what is wrong with labels is said with file and line.
func TestLabelErrors(t *testing.T) {
	for want, text := range map[string]string{
		"x.seg: 5 labels, but the mesh has 6 faces":                      "1\n2\n3\n4\n5\n",
		"x.seg: more than 6 labels, but the mesh has 6 faces":            strings.Repeat("1\n", 100),
		`x.seg, line 2: "1.5" is not the number of a class`:              "1\n1.5",
		`x.seg, line 1: "99999999999" is not the number of a class`:      "99999999999",
		`x.seg, line 3: "b" is not the number of a class: want integers`: "1 2\n\n3 b",
		"x.seg, line 1: more than 16777216 bytes: want an integer on":    strings.Repeat(" ", maxLine+1),
	} {
		_, err := Open(written(t, map[string]string{"x.off": tent, "x.seg": text}), Faces)
		require.ErrorContains(t, err, want)
	}
	folder := written(t, map[string]string{"x.off": tent})
	_, err := Open(folder, Faces)
	require.ErrorContains(t, err, "labels of x.off")
	require.ErrorContains(t, err, "they lie beside it, in a file of its name with .seg")

	s := must(Open(written(t, map[string]string{"x.off": tent, "x.seg": "1 1 1 1 1 1"}), Faces))
	_, err = Encoder{Labels: Vertices}.Encode(s)
	require.ErrorContains(t, err, "labels of vertices are asked for")
	for _, o := range []Encoder{{Labels: Faces, Points: 10}, {Labels: Faces, Descriptor: "d2"}} {
		_, err = o.Encode(s)
		require.ErrorContains(t, err, "points and descriptors of meshes have none")
	}
	for _, e := range []Elements{Whole, Vertices, Faces} {
		again := must(ParseElements(e.String()))
		require.Equal(t, e, again)
	}
	_, err = ParseElements("edges")
	require.ErrorContains(t, err, `no elements "edges" of meshes: want one of meshes, vertices, faces`)
}

// FuzzLabels: a file of labels is read, or said to be none, and never makes more than a mesh takes.
func FuzzLabels(f *testing.F) {
	for _, text := range []string{"1\n2\n", "-1 7", "x", "\ufeff3", "1e3", ""} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		labels, err := parseLabels([]byte(text), "fuzz.seg", 8)
		if err != nil {
			require.ErrorContains(t, err, "fuzz.seg")
			return
		}
		for _, label := range labels {
			require.GreaterOrEqual(t, label, int32(-1))
		}
	})
}
