package smiles

// matching pairs vertices of a graph along its edges, each with at most one other. Vertices have the
// numbers from 1; 0 is the partner of a single one.
type matching struct {
	neighbors [][]arc // by vertex, in the order of preference; arc.atom is a vertex
	optional  []bool  // vertices that may stay single
	mate      []int32
	fixed     []bool // vertices that have their final mate
	spend     func(steps int)
	undo      [][2]int32 // vertices and their mates before

	// Of a search. A vertex is inner or outer: an odd or an even number of edges from the root.
	round int32
	label []int32 // 2·round if inner, 2·round+1 if outer, less if not reached
	back  []int32 // the vertex before, on a path whose other edges are pairs
	base  []int32 // leads to the base of the blossom that the vertex is in, itself at first
	met   []int32 // in the last search for a common base
	count int32   // of these searches
	queue []int32 // outer vertices
}

// newMatching returns an empty matching.
func newMatching(p *parser, neighbors [][]arc) *matching {
	n := len(neighbors)
	m := &matching{neighbors: neighbors, optional: make([]bool, n), fixed: make([]bool, n), spend: p.spend}
	for _, s := range []*[]int32{&m.mate, &m.label, &m.back, &m.base, &m.met} {
		*s = p.ints.zeros(n)
	}
	return m
}

// cover pairs all vertices that are not optional, without the absent ones, and reports whether that is
// possible. It finds the first such matching: the one where vertex 1 has the first of the neighbors that it
// has in any, then vertex 2, and so on. It is full if no vertex stays single beside one that was free.
func (m *matching) cover(absent []int32) (all, full bool) {
	clear(m.mate)
	clear(m.fixed)
	for _, a := range absent {
		m.fixed[a] = true
	}
	for a := range int32(len(m.mate)) {
		for _, e := range m.neighbors[a] {
			if !m.fixed[a] && !m.fixed[e.atom] && m.mate[a] == 0 && m.mate[e.atom] == 0 {
				m.pair(a, e.atom)
			}
		}
	}
	for a := range int32(len(m.mate)) {
		if !m.join(a) {
			return false, false
		}
	}
	full = true
	for a := range int32(len(m.mate)) {
		full = m.fix(a) && full
	}
	return true, full
}

// fix gives a vertex its final mate: the first with which the others can still be covered. It reports whether
// there is one, or none was left.
func (m *matching) fix(a int32) (full bool) {
	if m.fixed[a] {
		return true
	}
	m.fixed[a], full = true, true
	for _, e := range m.neighbors[a] {
		if m.fixed[e.atom] {
			continue
		}
		if m.mate[a] == e.atom || m.force(a, e.atom) {
			m.fixed[e.atom] = true
			return true
		}
		full = false
	}
	return full
}

// force pairs a vertex with one that is not fixed, if the others can still be covered.
func (m *matching) force(a, b int32) bool {
	m.undo = m.undo[:0]
	left, right := m.mate[a], m.mate[b]
	m.pair(a, b)
	m.pair(left, 0)
	m.pair(right, 0)
	m.fixed[b] = true
	if m.join(left) && m.join(right) {
		return true
	}
	m.fixed[b] = false
	for i := len(m.undo) - 1; i >= 0; i-- {
		m.mate[m.undo[i][0]] = m.undo[i][1]
	}
	return false
}

// pair makes two vertices mates, or one single.
func (m *matching) pair(a, b int32) {
	for _, e := range [][2]int32{{a, b}, {b, a}} {
		if e[0] != 0 {
			m.undo = append(m.undo, [2]int32{e[0], m.mate[e[0]]})
			m.mate[e[0]] = e[1]
		}
	}
}

// join gives a single vertex that is not optional a mate, and reports whether it can: by a path of edges that
// are in turn no pair and a pair, to another single vertex or to an optional one, which becomes single.
//
// It is the search of J. Edmonds (Paths, trees, and flowers, Canad. J. Math. 17 (1965) 449): an odd cycle
// that is met, a blossom, counts as one vertex, since a path can leave it from any of its vertices.
func (m *matching) join(root int32) bool {
	if root == 0 || m.mate[root] != 0 || m.optional[root] {
		return true
	}
	m.round++
	m.queue = m.queue[:0]
	m.reach(root, 0, 1)
	for head := 0; head < len(m.queue); head++ {
		a := m.queue[head]
		if m.optional[a] {
			last := m.mate[a]
			m.pair(a, 0)
			m.flip(last)
			return true
		}
		m.spend(8 + len(m.neighbors[a]))
		for _, e := range m.neighbors[a] {
			b := e.atom
			switch {
			case m.fixed[b]:
			case m.label[b] < 2*m.round && m.mate[b] == 0:
				m.back[b] = a
				m.flip(b)
				return true
			case m.label[b] < 2*m.round:
				m.reach(b, a, 0)
				m.reach(m.mate[b], 0, 1)
			case m.label[b] == 2*m.round+1 && m.find(a) != m.find(b):
				base := m.common(a, b)
				m.shrink(a, b, base)
				m.shrink(b, a, base)
			}
		}
	}
	return false
}

// reach labels a vertex that is outer or not, with the vertex before an inner one.
func (m *matching) reach(a, back, outer int32) {
	m.label[a], m.back[a], m.base[a] = 2*m.round+outer, back, a
	if outer == 1 {
		m.queue = append(m.queue, a)
	}
}

// flip pairs the vertices of a path from the root to a, which has lost its mate or has none.
func (m *matching) flip(a int32) {
	for a != 0 {
		b := m.back[a]
		next := m.mate[b]
		m.pair(a, b)
		a = next
	}
}

// find returns the base of the blossom that a vertex is in.
func (m *matching) find(a int32) int32 {
	for m.base[a] != a {
		m.base[a] = m.base[m.base[a]]
		a = m.base[a]
	}
	return a
}

// common returns the first base that the paths from two outer vertices to the root have in common.
func (m *matching) common(a, b int32) int32 {
	m.count++
	for a = m.find(a); m.met[a] != m.count; a = m.find(a) {
		m.met[a] = m.count
		if a = m.back[m.mate[a]]; b != 0 {
			a, b = m.find(b), a
		}
		m.spend(1)
	}
	return a
}

// shrink adds the path from an outer vertex to a base to the blossom of the base, which the edge from a to b
// closes. Its inner vertices become outer, too.
func (m *matching) shrink(a, b, base int32) {
	for m.find(a) != base {
		m.back[a] = b
		b = m.mate[a]
		if m.label[b] == 2*m.round {
			m.label[b]++
			m.queue = append(m.queue, b)
		}
		for _, v := range [2]int32{a, b} {
			if m.find(v) == v {
				m.base[v] = base
			}
		}
		a = m.back[b]
		m.spend(1)
	}
}
