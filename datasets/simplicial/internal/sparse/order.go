package sparse

import (
	"math"
	"slices"
)

// analysis is an elimination order with the places where L has entries.
//
// The order is that of nested dissection by the distance from a vertex at the border of the graph (George
// and Liu, An automatic nested dissection algorithm for irregular finite element problems, SIAM J. Numer.
// Anal. 15, 1978). Vertices at a distance in the middle separate those that are nearer from those farther
// away. Both parts are ordered in the same way, and the separator comes after them. Hubs, such as the apex of
// a cone, come last in their part: around a hub all vertices are at the same distance, so that nothing
// separates them, and a hub that was eliminated early would make all its neighbors neighbors of each other.
type analysis struct {
	order   []int32 // order[k] is the k-th variable to be eliminated
	inverse []int32
	parent  []int32 // of a column of L: the first row below the diagonal, or -1 (the elimination tree)
	start   []int   // column j of L has the entries start[j]..start[j+1]-1
}

func analyze(a *Matrix) *analysis {
	n := a.cols
	d := dissector{Matrix: a, set: make([]int32, n), level: make([]int32, n)}
	all := make([]int32, n)
	for i := range all {
		all[i] = int32(i)
	}
	d.split(all)
	s := &analysis{d.order, make([]int32, n), make([]int32, n), make([]int, n+1)}
	for k, i := range s.order {
		s.inverse[i], s.parent[k] = int32(k), -1
	}
	rows := newRowWalk(a, s)
	for range n {
		for _, i := range rows.next(nil) {
			s.start[i+1]++
		}
	}
	for j := range n {
		s.start[j+1] += s.start[j]
	}
	return s
}

// rowWalk goes through the rows of L.
type rowWalk struct {
	*Matrix
	*analysis
	k          int32
	seen       []int32 // of a column: one more than the last row that has an entry there
	path, back []int32
}

func newRowWalk(a *Matrix, s *analysis) *rowWalk {
	return &rowWalk{Matrix: a, analysis: s, seen: make([]int32, a.cols), path: make([]int32, a.cols)}
}

// next returns the columns where the next row of L has entries, those of children in the elimination tree
// before those of parents. Unless y is nil, it adds column k of the reordered matrix to it, up to the
// diagonal. Paths in the tree that the columns before have found so far are completed.
func (r *rowWalk) next(y []float64) []int32 {
	k := r.k
	r.k++
	r.seen[k] = r.k
	top := len(r.path)
	neighbors, values := r.Column(int(r.order[k]))
	for p, variable := range neighbors {
		i := r.inverse[variable]
		if i > k {
			continue
		}
		if y != nil {
			y[i] += values[p]
		}
		r.back = r.back[:0]
		for ; r.seen[i] != r.k; i = r.parent[i] {
			if r.parent[i] < 0 {
				r.parent[i] = k
			}
			r.seen[i] = r.k
			r.back = append(r.back, i)
		}
		top -= len(r.back)
		copy(r.path[top:], r.back)
	}
	return r.path[top:]
}

// dissector makes an elimination order.
type dissector struct {
	*Matrix
	order []int32
	sets  int32
	set   []int32 // of a vertex: the last one it was part of
	level []int32 // distance of a vertex from the one where the last search began
}

// split orders the vertices of a set.
func (d *dissector) split(set []int32) {
	const small = 8 // vertices whose order hardly matters
	if len(set) <= small {
		d.order = append(d.order, set...)
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
	if rest, hubs := d.hubs(set); len(rest) > 0 && len(hubs) > 0 {
		d.split(rest)
		d.split(hubs)
		return
	}
	for depth := int32(-1); d.level[reached[len(reached)-1]] > depth; {
		last := reached[len(reached)-1]
		depth = d.level[last]
		reached = d.search(set, last)
	}
	near, separator, far := d.middle(reached)
	if len(separator) == 0 {
		d.order = append(d.order, near...)
		return
	}
	d.split(near)
	d.split(far)
	d.order = append(d.order, separator...)
}

// hubs returns the vertices of the last set that have ten times as many neighbors in it as a square grid of
// that size has vertices on a side, and the rest.
func (d *dissector) hubs(set []int32) (rest, hubs []int32) {
	many := int(10 * math.Sqrt(float64(len(set))))
	for _, v := range set {
		neighbors, _ := d.Column(int(v))
		inside := 0
		for i := 0; len(neighbors) > many && i < len(neighbors); i++ {
			if d.set[neighbors[i]] == d.sets {
				inside++
			}
		}
		if inside > many {
			hubs = append(hubs, v)
		} else {
			rest = append(rest, v)
		}
	}
	return rest, hubs
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
