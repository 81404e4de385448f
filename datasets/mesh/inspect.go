package mesh

import (
	"slices"

	"github.com/neuralkforms/nkf/datasets/internal/modular"
)

// Report says what a mesh is. Topology is that of the distinct triangles that have three vertices, with their
// edges and vertices; a patch is a largest part of them connected across edges of exactly two triangles.
type Report struct {
	Vertices   int `json:"vertices"`
	Unused     int `json:"unused_vertices"` // in no triangle that counts
	Triangles  int `json:"triangles"`
	Degenerate int `json:"degenerate_triangles"` // have a vertex twice
	Flat       int `json:"flat_triangles"`       // have three vertices, on a line up to rounding
	Doubled    int `json:"doubled_triangles"`    // have the vertices of an earlier one
	Nonplanar  int `json:"nonplanar_polygons"`   // of the file, before it was cut: [Mesh.Nonplanar]
	Edges      int `json:"edges"`
	Boundary   int `json:"boundary_edges"` // edges of one triangle
	Branching  int `json:"branching_edges"`
	Components int `json:"components"`

	Orientable bool `json:"orientable"` // each patch is
	// Two triangles that alone share an edge run through it in opposite directions.
	Consistent bool `json:"consistent"`
	// Triangles run through each edge as often in one direction as in the other: their sum is a cycle.
	Closed bool `json:"closed"`

	Euler int    `json:"euler"` // vertices that are used - edges + triangles that count
	Betti [3]int `json:"betti"` // rational: components, loops, voids

	Area         float64    `json:"area"`
	AreaCentroid [3]float64 `json:"area_centroid"`
	Volume       float64    `json:"volume"` // inside, 0 unless Closed; negative if oriented inwards
	Centroid     [3]float64 `json:"centroid"`
}

// Inspect returns what the mesh is. It takes a few seconds for a million triangles.
//
// The number of voids is the dimension of the cycles: chains of triangles without boundary are constant on
// each patch, up to orientation, and zero on those that are not orientable or have a boundary edge. What
// remains is the rank of one equation for each edge of three triangles or more, modulo the prime 2^61-1,
// which is the rational rank unless this prime divides an invariant factor of the equations. The number of
// loops follows from the Euler characteristic.
func (m *Mesh) Inspect() Report {
	m.valid()
	e := m.edges()
	p := m.patches(e)
	vertices, triangles := m.Len()
	r := Report{Vertices: vertices, Triangles: triangles, Degenerate: e.degenerate, Doubled: len(e.doubled),
		Nonplanar: m.Nonplanar, Edges: e.len(), Orientable: true, Consistent: true}
	for edge := range e.len() {
		switch s := e.of(edge); {
		case len(s) == 1:
			r.Boundary++
		case len(s) > 2:
			r.Branching++
		case m.forward(s[0]) == m.forward(s[1]):
			r.Consistent = false
		}
	}
	for t := range int32(triangles) {
		root, _ := p.find(t)
		r.Orientable = r.Orientable && !p.twist[root]
		i, j, k := m.Triangles[3*t], m.Triangles[3*t+1], m.Triangles[3*t+2]
		// 1e-14 is some 50 times the relative rounding error of a float64.
		if i != j && j != k && i != k && !m.wider(t, 1e-14) {
			r.Flat++
		}
	}
	used, components := m.components(e)
	r.Unused, r.Components = vertices-used, components
	r.Euler = used - e.len() + e.triangles
	voids := m.voids(e, p)
	r.Betti = [3]int{components, components + voids - r.Euler, voids}
	r.Area, r.AreaCentroid = m.Area()
	if r.Closed = m.closed(e); r.Closed {
		r.Volume, r.Centroid = m.Volume()
	}
	return r
}

// components returns how many vertices have an edge, and how many parts edges connect them to.
func (m *Mesh) components(e *edges) (used, components int) {
	vertices, _ := m.Len()
	parent := make([]int32, vertices) // vertex + 1; 0: not used
	find := func(v int32) int32 {
		for parent[v] != v+1 {
			parent[v] = parent[parent[v]-1]
			v = parent[v] - 1
		}
		return v
	}
	for i, v := range e.ends {
		if parent[v] == 0 {
			parent[v] = v + 1
			used++
			components++
		}
		if i%2 == 0 {
			continue
		}
		if a, b := find(e.ends[i-1]), find(v); a != b {
			parent[max(a, b)] = min(a, b) + 1
			components--
		}
	}
	return used, components
}

// closed reports whether the sum of all triangles has no boundary.
func (m *Mesh) closed(e *edges) bool {
	net := make([]int32, e.len())
	add := func(edge int, s int32) {
		if m.forward(s) {
			net[edge]++
		} else {
			net[edge]--
		}
	}
	for edge := range net {
		for _, s := range e.of(edge) {
			add(edge, s)
		}
	}
	for _, t := range e.doubled {
		for s := 3 * t; s < 3*t+3; s++ {
			add(e.find(m, s), s)
		}
	}
	return len(m.Triangles) > 0 && !slices.ContainsFunc(net, func(n int32) bool { return n != 0 })
}

// voids returns the dimension of the cycles of triangles.
func (m *Mesh) voids(e *edges, p *patches) int {
	open := map[int32]bool{} // patches on which a cycle is 0
	roots := 0
	counted := make([]bool, len(p.parent))
	for edge := range e.len() {
		s := e.of(edge)
		for _, side := range s {
			root, _ := p.find(side / 3)
			if !counted[root] {
				counted[root] = true
				roots++
			}
			if len(s) == 1 || p.twist[root] {
				open[root] = true
			}
		}
	}
	// Patches are the rows: the rank is that of the transposed equations.
	_, rank := modular.Prime.Reduce(len(p.parent), func(yield func(int32, []modular.Entry) bool) {
		for edge := range e.len() {
			var row []modular.Entry
			if s := e.of(edge); len(s) > 2 {
				for _, side := range s {
					if root, flip := p.find(side / 3); !open[root] {
						sign := int8(1)
						if m.forward(side) != flip {
							sign = -1
						}
						row = append(row, modular.Entry{Row: root, Value: modular.Prime.Sign(sign)})
					}
				}
			}
			if row != nil && !yield(int32(edge), row) {
				return
			}
		}
	})
	return roots - len(open) - rank
}
