package mesh

import (
	"slices"
	"sort"
)

// edges holds the edges of the triangles that count for the topology: without those that have a vertex twice,
// and those whose vertices an earlier one has.
type edges struct {
	ends  []int32 // [E, 2]: vertices, the smaller first, ascending
	start []int32 // [E+1]: edge e has the sides start[e] to start[e+1] of sides
	sides []int32 // 3t + i is the side of triangle t from its corner i to the next

	triangles  int     // that count
	degenerate int     // triangles that have a vertex twice
	doubled    []int32 // triangles whose vertices an earlier one has
	leftOut    []bool  // [T]: both of these; nil for none
}

// edges finds the edges, in time and memory proportional to the numbers of vertices and triangles where no
// vertex has very many.
func (m *Mesh) edges() *edges {
	vertices, triangles := m.Len()
	e := &edges{start: []int32{0}}
	m.leaveOut(e)
	// Sides by their smaller end, each list by its larger end.
	first := make([]int32, vertices+2)
	each := func(visit func(side, low, high int32)) {
		for t := range triangles {
			if e.leftOut != nil && e.leftOut[t] {
				continue
			}
			for i := range 3 {
				a, b := m.side(int32(3*t + i))
				visit(int32(3*t+i), min(a, b), max(a, b))
			}
		}
	}
	each(func(_, low, _ int32) { first[low+2]++ })
	for v := range vertices {
		first[v+2] += first[v+1]
	}
	e.sides = make([]int32, first[vertices+1])
	each(func(side, low, _ int32) {
		e.sides[first[low+1]] = side
		first[low+1]++
	})
	for v := range int32(vertices) {
		list := e.sides[first[v]:first[v+1]]
		slices.SortFunc(list, func(s, t int32) int {
			if high := int(m.high(s)) - int(m.high(t)); high != 0 {
				return high
			}
			return int(s) - int(t)
		})
		for i, side := range list {
			if i == 0 || m.high(side) != m.high(list[i-1]) {
				e.ends = append(e.ends, v, m.high(side))
				e.start = append(e.start, 0)
			}
			e.start[len(e.start)-1] = first[v] + int32(i) + 1
		}
	}
	return e
}

// len returns the number of edges.
func (e *edges) len() int { return len(e.start) - 1 }

// of returns the sides that an edge is made of.
func (e *edges) of(edge int) []int32 { return e.sides[e.start[edge]:e.start[edge+1]] }

// find returns the number of the edge of a side.
func (e *edges) find(m *Mesh, s int32) int {
	a, b := m.side(s)
	low, high := min(a, b), max(a, b)
	return sort.Search(e.len(), func(i int) bool {
		return e.ends[2*i] > low || e.ends[2*i] == low && e.ends[2*i+1] >= high
	})
}

// side returns the ends of side 3t + i in the order in which triangle t has them.
func (m *Mesh) side(s int32) (from, to int32) {
	if s%3 == 2 {
		return m.Triangles[s], m.Triangles[s-2]
	}
	return m.Triangles[s], m.Triangles[s+1]
}

func (m *Mesh) high(s int32) int32 {
	a, b := m.side(s)
	return max(a, b)
}

// forward reports whether a triangle has its side from the smaller to the larger vertex number.
func (m *Mesh) forward(s int32) bool {
	a, b := m.side(s)
	return a < b
}

// leaveOut finds the triangles that do not count.
func (m *Mesh) leaveOut(e *edges) {
	vertices, triangles := m.Len()
	out := make([]bool, triangles)
	first := make([]int32, vertices+2) // triangles by their smallest vertex
	sorted := func(t int32) (a, b, c int32) {
		a, b, c = m.Triangles[3*t], m.Triangles[3*t+1], m.Triangles[3*t+2]
		a, b = min(a, b), max(a, b)
		b, c = min(b, c), max(b, c)
		return min(a, b), max(a, b), c
	}
	for t := range int32(triangles) {
		a, b, c := sorted(t)
		if a == b || b == c {
			out[t] = true
			e.degenerate++
			continue
		}
		first[a+2]++
	}
	for v := range vertices {
		first[v+2] += first[v+1]
	}
	list := make([]int32, first[vertices+1])
	for t := range int32(triangles) {
		if a, _, _ := sorted(t); !out[t] {
			list[first[a+1]] = t
			first[a+1]++
		}
	}
	for v := range vertices {
		part := list[first[v]:first[v+1]]
		compare := func(s, t int32) int {
			_, b, c := sorted(s)
			_, b2, c2 := sorted(t)
			if b != b2 {
				return int(b) - int(b2)
			}
			return int(c) - int(c2)
		}
		slices.SortStableFunc(part, compare)
		for i := 1; i < len(part); i++ {
			if compare(part[i-1], part[i]) == 0 {
				out[part[i]] = true
				e.doubled = append(e.doubled, part[i])
			}
		}
	}
	e.triangles = triangles - e.degenerate - len(e.doubled)
	if e.triangles < triangles {
		e.leftOut = out
	}
}

// counted returns the triangles that count.
func (e *edges) counted(m *Mesh) []int32 {
	if e.leftOut == nil {
		return m.Triangles
	}
	var out []int32
	for t, is := range e.leftOut {
		if !is {
			out = append(out, m.Triangles[3*t:3*t+3]...)
		}
	}
	return out
}
