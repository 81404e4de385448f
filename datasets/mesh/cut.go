package mesh

import "slices"

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
