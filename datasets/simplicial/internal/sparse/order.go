package sparse

import (
	"cmp"
	"iter"
	"math"
	"slices"
)

// minimumDegree returns an elimination order that keeps the factor of a sparse: at each step a
// variable with about the fewest neighbors goes (Amestoy, Davis and Duff, An approximate minimum
// degree ordering algorithm, SIAM J. Matrix Anal. Appl. 17, 1996).
func minimumDegree(a *Symmetric) []int32 {
	g, last := newQuotient(a)
	for low := 0; g.left > 0; {
		queue := g.queues[low]
		if len(queue) == 0 {
			low++
			continue
		}
		i := queue[len(queue)-1]
		g.queues[low] = queue[:len(queue)-1]
		if g.weight[i] > 0 && g.degree[i] == low { // or else it was moved
			low = g.eliminate(i)
		}
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

	degree []int     // upper bound on the weight of the neighbors of a variable
	queues [][]int32 // variables by their degree, the last first, and some that have another by now

	mark, outside []int // see eliminate
	stamp, base   int
}

// newQuotient returns the graph of a matrix, and variables that are to be eliminated last.
func newQuotient(a *Symmetric) (g *quotient, last []int32) {
	n := a.cols
	lists := func() [][]int32 { return make([][]int32, n) }
	g = &quotient{
		variables: lists(), elements: lists(), members: lists(), merged: lists(),
		queues: make([][]int32, n+1),
		size:   make([]int, n), weight: make([]int, n), degree: make([]int, n),
		mark: make([]int, n), outside: make([]int, n), base: 1, left: n,
	}
	// Every step would look through a variable with very many neighbors, around which the factor fills up:
	// it goes last. The threshold is that of AMD.
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
		g.enqueue(int32(i))
	}
	return g, last
}

// enqueue makes a variable the first of its degree.
func (g *quotient) enqueue(i int32) { g.queues[g.degree[i]] = append(g.queues[g.degree[i]], i) }

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
		g.enqueue(i)
		low = min(low, g.degree[i])
	}
	return low
}

// gather makes an element of a variable: its members are all neighbors, and the elements next to it
// become part of it. The members are marked.
func (g *quotient) gather(p int32) {
	g.stamp++
	g.mark[p] = g.stamp
	var members []int32
	size := 0
	collect := func(variables []int32) {
		for _, i := range variables {
			if g.weight[i] > 0 && g.mark[i] != g.stamp {
				g.mark[i] = g.stamp
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
		for e := range g.neighbors(i) {
			h.hash += int(e)
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
				for e := range g.neighbors(h.i) {
					g.mark[e] = g.stamp
				}
			}
			alike := true
			for e := range g.neighbors(other.i) {
				alike = alike && g.mark[e] == g.stamp
			}
			if alike {
				g.weight[h.i] += g.weight[other.i]
				g.weight[other.i] = 0
				g.merged[h.i] = append(g.merged[h.i], other.i)
				g.variables[other.i], g.elements[other.i] = nil, nil
			}
		}
	}
}

// neighbors yields the elements and the variables next to a variable, whose numbers do not coincide.
func (g *quotient) neighbors(i int32) iter.Seq[int32] {
	return func(yield func(int32) bool) {
		for _, list := range [2][]int32{g.elements[i], g.variables[i]} {
			for _, j := range list {
				if !yield(j) {
					return
				}
			}
		}
	}
}
