package mesh

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/neuralkforms/nkf/datasets"
)

// Cuts are other triangulations of a surface: each triangle cut in four; those of one half cut in sixteen, on
// one side of the median of the first coordinate; decimated to half and to a quarter of the triangles, where
// 20 or more are left.
var Cuts = []string{"all × 4", "half × 16", "half as many", "a quarter"}

// cut returns the mesh cut in one of the [Cuts].
func (m *Mesh) cut(name string) *Mesh {
	_, triangles := m.Len()
	share := 4
	switch name {
	case "all × 4":
		return m.Subdivide(nil)
	case "half × 16":
		var first []float64
		for p := range slices.Chunk(m.Vertices, 3) {
			first = append(first, p[0])
		}
		slices.Sort(first)
		if len(first) == 0 {
			return m
		}
		middle := stat.Quantile(0.5, stat.Empirical, first, nil)
		for range 2 {
			coarse := m
			m = coarse.Subdivide(func(t int) bool { return coarse.center(t)[0] > middle })
		}
		return m
	case "half as many":
		share = 2
	}
	if few := m.Decimate(triangles / share); len(few.Triangles) >= 3*20 {
		return few
	}
	return m
}

// Cut returns [Cuts] and the set with all of its meshes in each of them, see [datasets.Cutter]. Each cut of
// a mesh has the target of the mesh. If vertices have labels, those that a cut adds are unknown, and what
// is left of a decimated mesh has the labels of the nearest vertices; if some meshes are to test with, the
// cuts of the others are empty. Labels of faces cannot be cut.
func (s *Set) Cut() (ways []string, cut datasets.Source, err error) {
	if s.Elements == Faces {
		return nil, nil, fmt.Errorf("%s: meshes with labels of faces have no other cuts", s.Name)
	}
	out := *s
	out.Files, out.Meshes = slices.Clone(s.Files), slices.Clone(s.Meshes)
	out.Targets, out.Labels = slices.Clone(s.Targets), slices.Clone(s.Labels)
	for _, name := range Cuts {
		for i, m := range s.Meshes {
			other := &Mesh{}
			if s.Labels == nil || s.Tests == nil || slices.Contains(s.Tests, int32(i)) {
				other = m.cut(name)
			}
			out.Files = append(out.Files, s.Files[i]+", "+name)
			out.Meshes = append(out.Meshes, other)
			out.Targets = append(out.Targets, s.Targets[i])
			if s.Labels != nil {
				out.Labels = append(out.Labels, m.labelsOf(other, s.Labels[i]))
			}
		}
	}
	return Cuts, &out, nil
}

// labelsOf returns the labels of the vertices of a cut of the mesh, which has the given ones.
func (m *Mesh) labelsOf(cut *Mesh, labels []int32) []int32 {
	vertices := len(cut.Vertices) / 3
	out := slices.Repeat([]int32{-1}, vertices)
	if vertices >= len(labels) { // the others are at the end
		copy(out, labels)
		return out
	}
	for v := range out {
		nearest := math.Inf(1)
		for w, label := range labels {
			d := m.point(int32(w)).sub(cut.point(int32(v)))
			if square := d.dot(d); square < nearest {
				nearest, out[v] = square, label
			}
		}
	}
	return out
}
