package sparse

import "slices"

// analysis is an elimination order with the places where L has entries. Columns with about the same rows
// below them form a supernode, which is factored as a dense matrix.
//
// The order is that of nested dissection by the distance from a vertex at the border of the graph (George
// and Liu, An automatic nested dissection algorithm for irregular finite element problems, SIAM J. Numer.
// Anal. 15, 1978). Vertices at a distance in the middle separate those that are nearer from those farther
// away. Both parts are ordered in the same way, and the separator comes after them, as a supernode.
type analysis struct {
	order   []int32 // order[k] is the k-th variable to be eliminated
	inverse []int32
	nodes   []supernode // children before parents
	entries int         // of all dense blocks
}

// supernode is a run of columns of L.
type supernode struct {
	first, last int
	rows        []int32 // below the last column, increasing
	children    []int   // supernodes whose first row is a column of this one
}

func analyze(a *Matrix) *analysis {
	n := a.cols
	d := dissector{Matrix: a, analysis: &analysis{inverse: make([]int32, n)}, set: make([]int32, n),
		level: make([]int32, n)}
	for i := range n {
		d.inverse[i] = int32(i)
	}
	d.split(slices.Clone(d.inverse))
	for k, i := range d.order {
		d.inverse[i] = int32(k)
	}
	d.fill()
	return d.analysis
}

// dissector makes an analysis.
type dissector struct {
	*Matrix
	*analysis
	sets  int32
	set   []int32 // of a vertex: the last one it was part of
	level []int32 // distance of a vertex from the one where the last search began
}

// split orders the vertices of a set.
func (d *dissector) split(set []int32) {
	const small = 8 // vertices whose order hardly matters
	if len(set) <= small {
		d.add(set)
		return
	}
	reached := d.search(set, set[0])
	if len(reached) < len(set) { // not connected
		parts := [][]int32{reached}
		for _, v := range set {
			if d.level[v] < 0 {
				parts = append(parts, d.reach(v))
			}
		}
		for _, part := range parts {
			d.split(part)
		}
		return
	}
	for depth := int32(-1); d.level[reached[len(reached)-1]] > depth; {
		last := reached[len(reached)-1]
		depth = d.level[last]
		reached = d.search(set, last)
	}
	near, separator, far := d.middle(reached)
	if len(separator) == 0 {
		d.add(near)
		return
	}
	d.split(near)
	d.split(far)
	d.add(separator)
}

// add makes a supernode of vertices.
func (d *dissector) add(set []int32) {
	if len(set) > 0 {
		d.nodes = append(d.nodes, supernode{first: len(d.order), last: len(d.order) + len(set)})
		d.order = append(d.order, set...)
	}
}

// search returns the vertices of a set that paths within it lead to from the first, by their distance. The
// level of others is -1.
func (d *dissector) search(set []int32, first int32) []int32 {
	d.sets++
	for _, v := range set {
		d.set[v], d.level[v] = d.sets, -1
	}
	return d.reach(first)
}

// reach is search for vertices of the last set that were not found so far.
func (d *dissector) reach(first int32) []int32 {
	d.level[first] = 0
	reached := []int32{first}
	for i := 0; i < len(reached); i++ {
		v := reached[i]
		neighbors, _ := d.Column(int(v))
		for _, w := range neighbors {
			if d.set[w] == d.sets && d.level[w] < 0 {
				d.level[w] = d.level[v] + 1
				reached = append(reached, w)
			}
		}
	}
	return reached
}

// middle returns the level that is smallest by the smaller of the parts before and after it, and these. There
// is no separator where it would avoid few entries of L: all vertices are near then.
func (d *dissector) middle(reached []int32) (near, separator, far []int32) {
	n := len(reached)
	from, to, best := n, n, 0.0
	for i, end := 0, 0; i < n; i = end {
		for end < n && d.level[reached[end]] == d.level[reached[i]] {
			end++
		}
		if share := float64(min(i, n-end)) / float64(end-i); share > best {
			from, to, best = i, end, share
		}
	}
	near, far = reached[:from:from], reached[to:]
	if 16*len(near)*len(far) < (to-from)*(to-from) {
		return reached, nil, nil
	}
	for _, v := range reached[from:to] {
		neighbors, _ := d.Column(int(v))
		if slices.ContainsFunc(neighbors, func(w int32) bool {
			return d.set[w] == d.sets && d.level[w] > d.level[v]
		}) {
			separator = append(separator, v)
		} else { // it separates nothing
			near = append(near, v)
		}
	}
	return near, separator, far
}

// fill finds the children and the rows of the supernodes: those of the matrix and those of the children.
func (d *dissector) fill() {
	owner, seen := make([]int, d.cols), make([]int, d.cols)
	for v := range d.nodes {
		node := &d.nodes[v]
		for j := node.first; j < node.last; j++ {
			owner[j] = v
		}
	}
	for v := range d.nodes {
		node := &d.nodes[v]
		add := func(i int32) {
			if int(i) >= node.last && seen[i] != v+1 {
				seen[i] = v + 1
				node.rows = append(node.rows, i)
			}
		}
		for _, variable := range d.order[node.first:node.last] {
			neighbors, _ := d.Column(int(variable))
			for _, other := range neighbors {
				add(d.inverse[other])
			}
		}
		for _, c := range node.children {
			for _, i := range d.nodes[c].rows {
				add(i)
			}
		}
		slices.Sort(node.rows)
		if len(node.rows) > 0 {
			up := &d.nodes[owner[node.rows[0]]]
			up.children = append(up.children, v)
		}
		d.entries += (node.last - node.first) * (node.last - node.first + len(node.rows))
	}
}
