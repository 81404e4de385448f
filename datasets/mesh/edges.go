package mesh

import (
	"cmp"
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

// buckets sorts the numbers below n by their keys, which are below keys: start[k] to start[k+1] of list have
// the key k, ascending. Numbers with a negative key are left out.
func buckets(keys, n int, key func(i int32) int32) (start, list []int32) {
	start = make([]int32, keys+2)
	for i := range int32(n) {
		if k := key(i); k >= 0 {
			start[k+2]++
		}
	}
	for k := range keys {
		start[k+2] += start[k+1]
	}
	list = make([]int32, start[keys+1])
	for i := range int32(n) {
		if k := key(i); k >= 0 {
			list[start[k+1]] = i
			start[k+1]++
		}
	}
	return start[:keys+1], list
}

// edges finds the edges, in time and memory proportional to the numbers of vertices and triangles where no
// vertex has very many.
func (m *Mesh) edges() *edges {
	vertices, _ := m.Len()
	e := &edges{start: []int32{0}}
	m.leaveOut(e)
	// Sides by their smaller end, each list by its larger end.
	var first []int32
	first, e.sides = buckets(vertices, len(m.Triangles), func(side int32) int32 {
		if e.leftOut != nil && e.leftOut[side/3] {
			return -1
		}
		a, b := m.side(side)
		return min(a, b)
	})
	for v := range int32(vertices) {
		list := e.sides[first[v]:first[v+1]]
		slices.SortFunc(list, func(s, t int32) int {
			return cmp.Or(cmp.Compare(m.high(s), m.high(t)), cmp.Compare(s, t))
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
	sorted := func(t int32) (a, b, c int32) {
		a, b, c = m.Triangles[3*t], m.Triangles[3*t+1], m.Triangles[3*t+2]
		a, b = min(a, b), max(a, b)
		b, c = min(b, c), max(b, c)
		return min(a, b), max(a, b), c
	}
	compare := func(s, t int32) int {
		_, b, c := sorted(s)
		_, b2, c2 := sorted(t)
		return cmp.Or(cmp.Compare(b, b2), cmp.Compare(c, c2))
	}
	first, list := buckets(vertices, triangles, func(t int32) int32 {
		a, b, c := sorted(t)
		if out[t] = a == b || b == c; out[t] {
			return -1
		}
		return a
	})
	e.degenerate = triangles - len(list)
	for v := range vertices {
		part := list[first[v]:first[v+1]]
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
