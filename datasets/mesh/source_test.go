package mesh

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/internal/folder"
)

// TestOpen reads folders and meshes, and says what is wrong with them.
func TestOpen(t *testing.T) {
	dir := written(t, map[string]string{
		"set/b/x.off":         string(encode(t, tetrahedron, writeOFF)),
		"set/a/deep/y.obj.gz": string(pack(t, encode(t, torus(4, 3), writeOBJ))),
		"set/b/z.stl":         string(encode(t, square, writeSTL)), "set/b/readme.txt": "no mesh",
		"flat/x.off": tent, "flat/a/y.off": tent, "empty/a/readme.txt": "", "broken/a/x.off": "OFF\n1 0 0\n",
	})
	s := must(Open(filepath.Join(dir, "set")))
	require.Equal(t, "set", s.Name)
	require.Equal(t, []string{"a/deep/y.obj.gz", "b/x.off", "b/z.stl"}, s.Files)
	require.Equal(t, []string{"a", "b"}, s.Classes)
	require.Equal(t, [][]float64{{0}, {1}, {1}}, s.Targets)
	require.Equal(t, tetrahedron, s.Meshes[1])
	before := s.SHA256
	require.NoError(t, tetrahedron.Subdivide().Write(filepath.Join(dir, "set/b/x.off")))
	require.NotEqual(t, before, must(Open(filepath.Join(dir, "set"))).SHA256)

	for name, files := range map[string][]string{"flat": {"a/y.off", "x.off"}, "flat/x.off": {"x.off"}} {
		s = must(Open(filepath.Join(dir, name)))
		require.Equal(t, files, s.Files)
		require.Nil(t, s.Classes, "not all are in folders")
		require.Equal(t, make([][]float64, len(files)), s.Targets)
	}
	for name, want := range map[string]string{
		"empty": "no meshes", "gone": "give the path of a folder",
		"broken":           "broken: a/x.off, line 3: the file ends here",
		"set/b/readme.txt": "is not a mesh in the format",
	} {
		_, err := Open(filepath.Join(dir, name))
		require.ErrorContains(t, err, want)
	}
}

// TestEncode: triangles keep their orientation, those that count for the topology, with their edges as faces.
func TestEncode(t *testing.T) {
	m := must(parse([]byte(tent), "tent.off"))
	s := &Set{Info: datasets.Info{Classes: []string{"tents"}}, Meshes: []*Mesh{m}, Targets: [][]float64{{0}}}
	e := must(s.Encoder("", nil))
	c := must(e.Encode(s))
	require.NoError(t, c.Validate())
	require.Equal(t, m.Triangles[:12], c.Corners(2, 0))
	require.Equal(t, 8, c.Count(1, 0))
	require.Equal(t, m.Vertices, c.Points(0), "as in the file")
	edges := c.Corners(1, 0)
	for i, face := range c.Simplices[2].Faces {
		for _, v := range edges[2*face : 2*face+2] {
			require.Contains(t, m.Triangles[i/3*3:i/3*3+3], v)
		}
	}
	saved := must(json.Marshal(e))
	again := NewEncoder()
	require.NoError(t, json.Unmarshal(saved, again))
	require.NoError(t, again.Check())
	require.Equal(t, e, again)
	require.Error(t, (&encoder{Origin: vector{math.Inf(1)}}).Check())
	_, err := s.Encoder("heat", nil)
	require.ErrorContains(t, err, `no features "heat"`)
	_, err = e.Encode(nil)
	require.ErrorContains(t, err, "another kind of data")
}

// TestSubdivide: a finer mesh has the same area, volume and topology.
func TestSubdivide(t *testing.T) {
	for _, m := range []*Mesh{torus(12, 8), must(parse([]byte(tent), "tent.off")), square} {
		want, fine := m.Inspect(), m.Subdivide()
		got := fine.Inspect()
		require.NoError(t, fine.Validate())
		require.InDelta(t, want.Area, got.Area, 1e-12*want.Area)
		require.InDelta(t, want.Volume, got.Volume, 1e-12*(1+want.Volume))
		require.Equal(t, want.Betti, got.Betti)
		require.Equal(t, want.Consistent, got.Consistent)
		require.Equal(t, m.Vertices, fine.Vertices[:len(m.Vertices)])
		require.Len(t, fine.Triangles, 4*len(m.Triangles))
	}
}

// TestEach: parts of a folder are what Open reads of it, with the same notes, however small they are; an
// error ends them.
func TestEach(t *testing.T) {
	place := t.TempDir()
	for i, name := range []string{"b/0.off", "a/1.off", "b/2.off", "c/3.off", "b/4.off"} {
		text := fmt.Sprintf("OFF\n3 1 0\n0 0 0\n%d 0 0\n0 1 0\n3 0 1 2\n", 4-i) // the last is a line
		require.NoError(t, os.MkdirAll(filepath.Join(place, filepath.Dir(name)), 0o777))
		require.NoError(t, os.WriteFile(filepath.Join(place, name), []byte(text), 0o666))
	}
	all := must(Open(place))
	require.Equal(t, []string{"a", "b", "c"}, all.Classes)
	require.Equal(t, []string{"a/1.off", "b/0.off", "b/2.off", "c/3.off"}, all.Files)
	require.Len(t, all.Notes, 2)
	for most, want := range map[int]int{1: 4, 24: 2, 36: 2, math.MaxInt: 1} {
		joined, parts := &Set{Info: all.Info}, 0
		notes, err := each(place, most, new(folder.Reader), func(part *Set) error {
			require.Equal(t, all.Classes, part.Classes)
			require.Equal(t, all.Name, part.Name)
			joined.Files = append(joined.Files, part.Files...)
			joined.Meshes = append(joined.Meshes, part.Meshes...)
			joined.Targets = append(joined.Targets, part.Targets...)
			parts++
			return nil
		})
		require.NoError(t, err)
		require.Equal(t, all.Notes, notes)
		require.Equal(t, all, joined)
		require.Equal(t, want, parts)
	}
	full := errors.New("full")
	_, err := Each(place, func(*Set) error { return full })
	require.Equal(t, full, err)
	_, err = Each(filepath.Join(place, "none"), func(*Set) error { return nil })
	require.ErrorIs(t, err, os.ErrNotExist)
}
