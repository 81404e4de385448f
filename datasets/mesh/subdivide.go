package mesh

import "slices"

// Subdivide returns the same surface with each triangle cut in four at the middles of its edges. Vertices
// keep their numbers, and new vertices follow.
func (m *Mesh) Subdivide() *Mesh {
	out := &Mesh{Vertices: slices.Clone(m.Vertices), left: m.left}
	number := map[[2]int32]int32{}
	middle := func(a, b int32) int32 {
		ends := [2]int32{min(a, b), max(a, b)}
		v, known := number[ends]
		if !known {
			v = int32(len(out.Vertices) / 3)
			p := m.point(a).add(m.point(b)).scale(0.5)
			number[ends], out.Vertices = v, append(out.Vertices, p[:]...)
		}
		return v
	}
	for t := range slices.Chunk(m.Triangles, 3) {
		a, b, c := t[0], t[1], t[2]
		ab, bc, ca := middle(a, b), middle(b, c), middle(c, a)
		out.Triangles = append(out.Triangles, a, ab, ca, ab, b, bc, ca, bc, c, ab, bc, ca)
	}
	return out
}
