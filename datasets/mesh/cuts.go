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
	if len(cut.Vertices) >= len(m.Vertices) && slices.Equal(m.Vertices, cut.Vertices[:len(m.Vertices)]) {
		copy(out, labels) // the others are at the end
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

// Subdivide returns the same surface with some triangles, or all for nil, cut in four at the middles of their
// edges. Neighboring triangles are cut in two or three, so that triangles still meet in whole edges. Vertices
// keep their numbers, and new vertices follow.
func (m *Mesh) Subdivide(some func(triangle int) bool) *Mesh {
	out := &Mesh{Vertices: slices.Clone(m.Vertices), nonplanar: m.nonplanar}
	middle := map[[2]int32]int32{}
	ends := func(a, b int32) [2]int32 { return [2]int32{min(a, b), max(a, b)} }
	for t := range len(m.Triangles) / 3 {
		if some != nil && !some(t) {
			continue
		}
		v := m.Triangles[3*t : 3*t+3]
		for j, a := range v {
			b := v[(j+1)%3]
			if _, there := middle[ends(a, b)]; !there {
				middle[ends(a, b)] = int32(len(out.Vertices) / 3)
				p := m.point(a).add(m.point(b)).scale(0.5)
				out.Vertices = append(out.Vertices, p[:]...)
			}
		}
	}
	for v := range slices.Chunk(m.Triangles, 3) {
		out.Triangles = append(out.Triangles, pieces([3]int32(v), func(a, b int32) (int32, bool) {
			x, there := middle[ends(a, b)]
			return x, there
		})...)
	}
	return out
}

// pieces returns the triangles that one is cut into at the middles of some of its edges.
func pieces(v [3]int32, middle func(a, b int32) (int32, bool)) []int32 {
	var at [3]int32 // of the edge from each corner to the next
	var there [3]bool
	count := 0
	for j, a := range v {
		if at[j], there[j] = middle(a, v[(j+1)%3]); there[j] {
			count++
		}
	}
	switch count {
	case 0:
		return v[:]
	case 3:
		return []int32{v[0], at[0], at[2], at[0], v[1], at[1], at[2], at[1], v[2], at[0], at[1], at[2]}
	}
	// Turn it so that the first edge is cut, and of two the last is not.
	for !there[0] || there[2] {
		v = [3]int32{v[1], v[2], v[0]}
		at, there = [3]int32{at[1], at[2], at[0]}, [3]bool{there[1], there[2], there[0]}
	}
	if count == 1 {
		return []int32{v[0], at[0], v[2], at[0], v[1], v[2]}
	}
	return []int32{v[0], at[0], v[2], at[0], v[1], at[1], at[0], at[1], v[2]}
}
