package mesh

import (
	"cmp"
	"slices"
)

// edges holds the edges of the triangles that count for the topology: without those that have a vertex twice,
// and those whose vertices an earlier one has.
type edges struct {
	list      []edge    // by their ends, ascending
	neighbors [][]int32 // [V]: vertices that share an edge with each, ascending

	triangles  []int32 // numbers of those that count
	degenerate int     // triangles that have a vertex twice
	doubled    int     // triangles whose vertices an earlier one has
	closed     bool    // the sum of all triangles has no boundary
}

// edge is an edge of some triangles.
type edge struct {
	ends  [2]int32 // vertices, ascending
	sides []side   // that count, by their triangles, ascending
}

// side is an edge of one triangle.
type side struct {
	low, high int32 // ends
	triangle  int32
	forward   bool // the triangle runs through it from low to high
	doubled   bool // the triangle does not count
}

// edges finds the edges.
func (m *Mesh) edges() *edges {
	vertices, triangles := m.Len()
	e := &edges{neighbors: make([][]int32, vertices), closed: triangles > 0}
	sides := make([]side, 0, 3*triangles)
	seen := make(map[[3]int32]bool, triangles)
	for t := range int32(triangles) {
		corners := [3]int32(m.Triangles[3*t : 3*t+3])
		sorted := corners
		slices.Sort(sorted[:])
		if sorted[0] == sorted[1] || sorted[1] == sorted[2] {
			e.degenerate++
			continue
		}
		doubled := seen[sorted]
		if seen[sorted] = true; doubled {
			e.doubled++
		} else {
			e.triangles = append(e.triangles, t)
		}
		for i, a := range corners {
			b := corners[(i+1)%3]
			sides = append(sides, side{min(a, b), max(a, b), t, a < b, doubled})
		}
	}
	slices.SortFunc(sides, func(s, t side) int {
		return cmp.Or(cmp.Compare(s.low, t.low), cmp.Compare(s.high, t.high),
			cmp.Compare(s.triangle, t.triangle))
	})
	for len(sides) > 0 {
		s, n, net := sides[0], 0, 0
		kept := sides[:0]
		for ; n < len(sides) && sides[n].low == s.low && sides[n].high == s.high; n++ {
			if net--; sides[n].forward {
				net += 2
			}
			if !sides[n].doubled {
				kept = append(kept, sides[n])
			}
		}
		e.closed = e.closed && net == 0
		e.list = append(e.list, edge{[2]int32{s.low, s.high}, kept})
		e.neighbors[s.low] = append(e.neighbors[s.low], s.high)
		e.neighbors[s.high] = append(e.neighbors[s.high], s.low)
		sides = sides[n:]
	}
	return e
}

// ends returns the ends of all edges, [E, 2].
func (e *edges) ends() (ends []int32) {
	for _, edge := range e.list {
		ends = append(ends, edge.ends[:]...)
	}
	return ends
}

// counted returns the triangles of the mesh that count.
func (e *edges) counted(m *Mesh) []int32 {
	var out []int32
	for _, t := range e.triangles {
		out = append(out, m.Triangles[3*t:3*t+3]...)
	}
	return out
}

// parts are the classes of an equivalence relation with signs, as union-find has them: of the vertices that
// edges connect, or of triangles that meet at an edge of two triangles, across which one orientation follows
// from the other.
type parts struct {
	parent []int32
	flip   []bool // a member has the other sign than its parent
	twist  []bool // by root: members have both signs
}

func newParts(n int) *parts {
	p := &parts{parent: make([]int32, n), flip: make([]bool, n), twist: make([]bool, n)}
	for i := range p.parent {
		p.parent[i] = int32(i)
	}
	return p
}

// find returns the root of a member and whether they have different signs. Paths are halved on the way.
func (p *parts) find(i int32) (root int32, flip bool) {
	for p.parent[i] != i {
		if up := p.parent[i]; p.parent[up] != up {
			p.flip[i] = p.flip[i] != p.flip[up]
			p.parent[i] = p.parent[up]
		}
		flip = flip != p.flip[i]
		i = p.parent[i]
	}
	return i, flip
}

// join joins the parts of two members of the same or of different signs, and reports whether there were two.
func (p *parts) join(a, b int32, different bool) bool {
	rootA, flipA := p.find(a)
	rootB, flipB := p.find(b)
	wrong := (flipA != flipB) != different
	if rootA == rootB {
		p.twist[rootA] = p.twist[rootA] || wrong
		return false
	}
	low, high := min(rootA, rootB), max(rootA, rootB)
	p.parent[high], p.flip[high] = low, wrong
	p.twist[low] = p.twist[low] || p.twist[high]
	return true
}

// patches returns the parts of a surface that triangles make which meet at an edge of two triangles.
func (m *Mesh) patches(e *edges) *parts {
	_, triangles := m.Len()
	p := newParts(triangles)
	for _, edge := range e.list {
		if s := edge.sides; len(s) == 2 {
			p.join(s[0].triangle, s[1].triangle, s[0].forward == s[1].forward)
		}
	}
	return p
}

// Orient reverses triangles so that any two that share an edge, with no third, run through it in opposite
// directions, wherever that is possible, and returns the number of reversed triangles. Of the two
// orientations of a patch of triangles it chooses the one with fewer reversals. Edges of three or more
// triangles impose no condition; patches that are not orientable, such as a Möbius band, stay as they are.
func (m *Mesh) Orient() (turned int) {
	p := m.patches(m.edges())
	size := make([]int, len(p.parent))
	against := make([]int, len(p.parent))
	for t := range p.parent {
		root, flip := p.find(int32(t))
		if size[root]++; flip {
			against[root]++
		}
	}
	for t := range p.parent {
		root, flip := p.find(int32(t))
		if !p.twist[root] && flip == (2*against[root] <= size[root]) {
			m.Triangles[3*t+1], m.Triangles[3*t+2] = m.Triangles[3*t+2], m.Triangles[3*t+1]
			turned++
		}
	}
	return turned
}
