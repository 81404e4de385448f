package mesh

import "github.com/neuralkforms/nkf/datasets/internal/modular"

// Report describes a mesh. Its topology is that of the distinct triangles with three different vertices, with
// their edges and vertices. A patch is a maximal set of triangles connected across edges of exactly two
// triangles.
type Report struct {
	Vertices   int `json:"vertices"`
	Unused     int `json:"unused_vertices"` // in no triangle that counts
	Triangles  int `json:"triangles"`
	Degenerate int `json:"degenerate_triangles"` // have a vertex twice
	Flat       int `json:"flat_triangles"`       // have three vertices, on a line up to rounding
	Doubled    int `json:"doubled_triangles"`    // have the vertices of an earlier one
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

	Notes []string `json:"notes,omitempty"` // what the mesh has otherwise than its file
}

// Inspect returns the report of the mesh. It takes a few seconds for a million triangles.
//
// The number of voids is the dimension of the cycles: chains of triangles without boundary are constant on
// each patch, up to orientation, and zero on those that are not orientable or have a boundary edge. What
// remains is the rank of one equation for each edge of three triangles or more, modulo the prime 2^61-1,
// which is the rational rank unless this prime divides an invariant factor of the equations. The number of
// loops follows from the Euler characteristic.
func (m *Mesh) Inspect() Report {
	e := m.edges()
	p := m.patches(e)
	vertices, triangles := m.Len()
	r := Report{Vertices: vertices, Triangles: triangles, Degenerate: e.degenerate, Doubled: e.doubled,
		Notes: m.left.notes(), Edges: len(e.list), Orientable: true, Consistent: true, Closed: e.closed}
	for v := range vertices {
		if len(e.neighbors[v]) == 0 {
			r.Unused++
		}
	}
	r.Components = vertices - r.Unused
	connected := newParts(vertices)
	for _, edge := range e.list {
		if connected.join(edge.ends[0], edge.ends[1], false) {
			r.Components--
		}
		switch s := edge.sides; {
		case len(s) == 1:
			r.Boundary++
		case len(s) > 2:
			r.Branching++
		case s[0].forward == s[1].forward:
			r.Consistent = false
		}
	}
	for t := range int32(triangles) {
		root, _ := p.find(t)
		r.Orientable = r.Orientable && !p.twist[root]
		i, j, k := m.Triangles[3*t], m.Triangles[3*t+1], m.Triangles[3*t+2]
		// 1e-14 is some 50 times the relative rounding error of a float64.
		if i != j && j != k && i != k && !m.wider(int(t), 1e-14) {
			r.Flat++
		}
	}
	r.Euler = vertices - r.Unused - len(e.list) + len(e.triangles)
	voids := e.voids(p)
	r.Betti = [3]int{r.Components, r.Components + voids - r.Euler, voids}
	r.Area, r.AreaCentroid = m.Area()
	if r.Closed {
		r.Volume, r.Centroid = m.Volume()
	}
	return r
}

// voids returns the dimension of the cycles of triangles.
func (e *edges) voids(patches *parts) int {
	open := map[int32]bool{} // by root: a cycle is 0 on the patch
	for _, edge := range e.list {
		for _, s := range edge.sides {
			root, _ := patches.find(s.triangle)
			open[root] = open[root] || len(edge.sides) == 1 || patches.twist[root]
		}
	}
	cycles := 0
	for _, is := range open {
		if !is {
			cycles++
		}
	}
	// Patches are the rows: the rank is that of the transposed equations.
	_, rank := modular.Reduce(len(patches.parent), func(yield func(int32, []modular.Entry) bool) {
		for i, edge := range e.list {
			var row []modular.Entry
			if len(edge.sides) <= 2 {
				continue
			}
			for _, s := range edge.sides {
				if root, flip := patches.find(s.triangle); !open[root] {
					sign := int8(1)
					if s.forward != flip {
						sign = -1
					}
					row = append(row, modular.Entry{Row: root, Value: modular.Sign(sign)})
				}
			}
			if row != nil && !yield(int32(i), row) {
				return
			}
		}
	})
	return cycles - rank
}
