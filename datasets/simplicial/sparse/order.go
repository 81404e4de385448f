package sparse

import (
	"cmp"
	"math"
	"slices"
)

// minimumDegree returns an elimination order that keeps the factor of a sparse: at each step a
// variable with about the fewest neighbors goes (Amestoy, Davis and Duff, An approximate minimum
// degree ordering algorithm, SIAM J. Matrix Anal. Appl. 17, 1996).
func minimumDegree(a *Symmetric) []int32 {
	g, last := newQuotient(a)
	for low := 0; g.left > 0; {
		for g.head[low] < 0 {
			low++
		}
		low = g.eliminate(g.head[low])
	}
	return append(g.order, last...)
}

// quotient is the graph that elimination leaves. The neighbors of a variable are other variables and
// the members of elements: an element is an eliminated variable with the clique that it left behind.
// Variables that have come to be alike are merged into one of more weight.
type quotient struct {
	variables [][]int32 // next to a variable
	elements  [][]int32 // next to a variable
	members   [][]int32 // variables of an element
	size      []int     // weight of the members of an element, 0 once it is part of another
	weight    []int     // of a variable, 0 once it is merged or eliminated
	merged    [][]int32 // variables that were merged into this one
	order     []int32   // variables that are eliminated
	left      int       // number of those that are not

	degree           []int   // upper bound on the weight of the neighbors of a variable
	head, next, prev []int32 // doubly linked lists of the variables of each degree, -1 at the ends

	mark, outside []int // see eliminate
	stamp, base   int
}

// newQuotient returns the graph of a matrix, and variables that are to be eliminated last.
func newQuotient(a *Symmetric) (g *quotient, last []int32) {
	n := a.cols
	lists := func() [][]int32 { return make([][]int32, n) }
	g = &quotient{
		variables: lists(), elements: lists(), members: lists(), merged: lists(),
		size: make([]int, n), weight: make([]int, n), degree: make([]int, n),
		head: make([]int32, n+1), next: make([]int32, n), prev: make([]int32, n),
		mark: make([]int, n), outside: make([]int, n), base: 1, left: n,
	}
	for d := range g.head {
		g.head[d] = -1
	}
	// What is next to a variable with very many neighbors fills up, and every step has to look through
	// them: such a variable goes last. The threshold is that of AMD.
	dense := max(16, int(10*math.Sqrt(float64(n))))
	flat := make([]int32, 0, len(a.row))
	for i := n - 1; i >= 0; i-- {
		from := len(flat)
		for _, j := range a.row[a.start[i]:a.start[i+1]] {
			if int(j) != i {
				flat = append(flat, j)
			}
		}
		g.variables[i] = flat[from:]
		if g.degree[i] = len(flat) - from; g.degree[i] > dense {
			last = append(last, int32(i))
			g.left--
			continue
		}
		g.weight[i] = 1
		g.insert(int32(i))
	}
	return g, last
}

// insert puts a variable at the head of the list of its degree.
func (g *quotient) insert(i int32) {
	d := g.degree[i]
	g.prev[i], g.next[i] = -1, g.head[d]
	if g.head[d] >= 0 {
		g.prev[g.head[d]] = i
	}
	g.head[d] = i
}

// remove takes a variable out of the list of its degree.
func (g *quotient) remove(i int32) {
	if g.next[i] >= 0 {
		g.prev[g.next[i]] = g.prev[i]
	}
	if g.prev[i] >= 0 {
		g.next[g.prev[i]] = g.next[i]
	} else {
		g.head[g.degree[i]] = g.next[i]
	}
}

// emit orders a variable and those that were merged into it.
func (g *quotient) emit(i int32) {
	g.order = append(g.order, i)
	g.left--
	for _, j := range g.merged[i] {
		g.emit(j)
	}
	g.weight[i] = 0
	g.variables[i], g.elements[i], g.merged[i] = nil, nil, nil
}

// eliminate turns a variable into an element and returns the smallest degree of its members, or of
// the variable if that is less.
func (g *quotient) eliminate(p int32) (low int) {
	low = g.degree[p]
	g.gather(p)
	// The weight of the members of other elements outside of p, above base.
	for _, i := range g.members[p] {
		for _, e := range g.elements[i] {
			if g.outside[e] < g.base {
				g.outside[e] = g.base + g.size[e]
			}
			g.outside[e] -= g.weight[i]
		}
	}
	for _, i := range g.members[p] {
		g.prune(i, p)
	}
	g.base += len(g.mark) + 1
	g.merge(g.members[p])
	g.members[p] = slices.DeleteFunc(g.members[p], func(i int32) bool { return g.weight[i] == 0 })
	for _, i := range g.members[p] {
		g.degree[i] = min(g.degree[i]+g.size[p]-g.weight[i], g.left-g.weight[i])
		g.insert(i)
		low = min(low, g.degree[i])
	}
	return low
}

// gather makes an element of a variable: its members are all neighbors, and the elements next to it
// become part of it. The members are marked, and in no list of degrees.
func (g *quotient) gather(p int32) {
	g.remove(p)
	g.stamp++
	g.mark[p] = g.stamp
	var members []int32
	size := 0
	collect := func(variables []int32) {
		for _, i := range variables {
			if g.weight[i] > 0 && g.mark[i] != g.stamp {
				g.mark[i] = g.stamp
				g.remove(i)
				members = append(members, i)
				size += g.weight[i]
			}
		}
	}
	collect(g.variables[p])
	for _, e := range g.elements[p] {
		collect(g.members[e])
		g.members[e], g.size[e] = nil, 0
	}
	g.emit(p)
	g.members[p], g.size[p] = members, size
}

// prune drops from a member of the new element p what is part of p, and sets its degree to a bound on
// the weight of its neighbors outside of p. Without any it is eliminated with p.
func (g *quotient) prune(i, p int32) {
	degree := 0
	elements := g.elements[i][:0]
	for _, e := range g.elements[i] {
		switch {
		case g.size[e] == 0:
		case g.outside[e] == g.base: // all members are those of p
			g.members[e], g.size[e] = nil, 0
		default:
			elements = append(elements, e)
			degree += g.outside[e] - g.base
		}
	}
	variables := g.variables[i][:0]
	for _, j := range g.variables[i] {
		if g.weight[j] > 0 && g.mark[j] != g.stamp {
			variables = append(variables, j)
			degree += g.weight[j]
		}
	}
	if degree == 0 {
		g.size[p] -= g.weight[i]
		g.emit(i)
		return
	}
	g.elements[i], g.variables[i] = append(elements, p), variables
	g.degree[i] = min(g.degree[i], degree)
}

// merge makes one variable of members that have the same neighbors.
func (g *quotient) merge(members []int32) {
	type hashed struct {
		hash int
		i    int32
	}
	var list []hashed
	for _, i := range members {
		if g.weight[i] == 0 {
			continue
		}
		h := hashed{i: i}
		for _, e := range g.elements[i] {
			h.hash += int(e)
		}
		for _, j := range g.variables[i] {
			h.hash += int(j)
		}
		list = append(list, h)
	}
	slices.SortStableFunc(list, func(a, b hashed) int { return cmp.Compare(a.hash, b.hash) })
	for a, h := range list {
		if g.weight[h.i] == 0 {
			continue
		}
		marked := false
		for _, other := range list[a+1:] {
			if other.hash != h.hash {
				break
			}
			if g.weight[other.i] == 0 || len(g.elements[h.i]) != len(g.elements[other.i]) ||
				len(g.variables[h.i]) != len(g.variables[other.i]) {
				continue
			}
			if !marked {
				marked = true
				g.stamp++
				g.markAll(h.i)
			}
			if g.marked(other.i) {
				g.weight[h.i] += g.weight[other.i]
				g.weight[other.i] = 0
				g.merged[h.i] = append(g.merged[h.i], other.i)
				g.variables[other.i], g.elements[other.i] = nil, nil
			}
		}
	}
}

// markAll marks the neighbors of a variable. Numbers of variables and of elements do not coincide.
func (g *quotient) markAll(i int32) {
	for _, e := range g.elements[i] {
		g.mark[e] = g.stamp
	}
	for _, j := range g.variables[i] {
		g.mark[j] = g.stamp
	}
}

// marked reports whether all neighbors of a variable are marked.
func (g *quotient) marked(i int32) bool {
	unmarked := func(j int32) bool { return g.mark[j] != g.stamp }
	return !slices.ContainsFunc(g.elements[i], unmarked) && !slices.ContainsFunc(g.variables[i], unmarked)
}
