package tu

import (
	"cmp"
	"slices"
	"sort"
)

// edge is an edge with the first line of DS_A.txt that lists it.
type edge struct {
	from, to int32 // nodes over all graphs, from 0, the smaller first
	line     int32 // place among the lines that are not blank, from 0
}

// compare orders edges by their nodes, and those of the same nodes by line.
func (e edge) compare(o edge) int {
	switch {
	case e.from != o.from:
		return cmp.Compare(e.from, o.from)
	case e.to != o.to:
		return cmp.Compare(e.to, o.to)
	}
	return cmp.Compare(e.line, o.line)
}

// edgeList collects edges, each once: memory is for those that differ, however often they are listed.
type edgeList struct {
	edges    []edge
	repeated int // that were there before
}

// add adds an edge of a later line than all before, and reports whether there is room for it.
func (l *edgeList) add(e edge) bool {
	if len(l.edges) == cap(l.edges) {
		if l.unite(); len(l.edges) > maxCount {
			return false
		}
		if 2*len(l.edges) > cap(l.edges) || l.edges == nil {
			l.edges = slices.Grow(l.edges, max(1<<12, cap(l.edges)))
		}
	}
	l.edges = append(l.edges, e)
	return true
}

// unite sorts the edges and keeps the first of those that are the same.
func (l *edgeList) unite() {
	slices.SortFunc(l.edges, edge.compare)
	before := len(l.edges)
	l.edges = slices.CompactFunc(l.edges, func(e, o edge) bool { return e.from == o.from && e.to == o.to })
	l.repeated += before - len(l.edges)
}

// readEdges sets Edges, EdgeStart and what belongs to edges from DS_A.txt and the files of edges.
func (a *Archive) readEdges(f *files) error {
	list, lines, err := a.listEdges(f)
	if err != nil {
		return err
	}
	a.Repeated = list.repeated
	byLine := make([]int32, len(list.edges))
	for i := range byLine {
		byLine[i] = int32(i)
	}
	slices.SortFunc(byLine, func(i, j int32) int {
		return cmp.Compare(list.edges[i].line, list.edges[j].line)
	})
	of := func() things {
		next := 0
		return things{"lines of " + f.file("A"), lines, len(byLine), func(line int) int {
			if next == len(byLine) || int(list.edges[byLine[next]].line) != line {
				return -1
			}
			next++
			return int(byLine[next-1])
		}}
	}
	if a.EdgeLabels, err = readTable(f, "edge_labels", of(), parseInteger); err != nil {
		return err
	}
	if a.EdgeAttributes, err = readTable(f, "edge_attributes", of(), parseReal); err != nil {
		return err
	}
	a.EdgeStart = make([]int32, a.Graphs()+1)
	a.Edges = make([]int32, 0, 2*len(list.edges))
	g := 0
	for _, e := range list.edges {
		for e.from >= a.NodeStart[g+1] {
			g++
			a.EdgeStart[g] = int32(len(a.Edges) / 2)
		}
		a.Edges = append(a.Edges, e.from-a.NodeStart[g], e.to-a.NodeStart[g])
	}
	for g++; g <= a.Graphs(); g++ {
		a.EdgeStart[g] = int32(len(a.Edges) / 2)
	}
	return nil
}

// listEdges returns the edges in DS_A.txt and the number of its lines. Self-loops are counted and left out.
func (a *Archive) listEdges(f *files) (list edgeList, lines int, err error) {
	t, err := f.text("A")
	if err != nil {
		return list, 0, err
	}
	defer t.close()
	nodes, graph := a.Nodes(), 0
	// Lines of a graph mostly follow each other.
	graphOf := func(node int32) int {
		if node < a.NodeStart[graph] || node >= a.NodeStart[graph+1] {
			graph = sort.Search(a.Graphs(), func(g int) bool { return node < a.NodeStart[g+1] })
		}
		return graph
	}
	for ; t.next(); lines++ {
		u, err := t.integer()
		if err != nil {
			return list, 0, err
		}
		if !t.more {
			return list, 0, t.fail("one value: a line holds the two nodes of an edge, separated by a comma")
		}
		v, err := t.integer()
		if err != nil {
			return list, 0, err
		}
		if t.more {
			return list, 0, t.fail("more than two values: a line holds the two nodes of an edge, nothing " +
				"else")
		}
		for _, node := range [2]int{u, v} {
			if node < 1 || node > nodes {
				return list, 0, t.fail("node %d, but nodes are numbered 1 to %d: check that this file and "+
					"%s belong together", node, nodes, f.file("graph_indicator"))
			}
		}
		if p, q := graphOf(int32(u-1)), graphOf(int32(v-1)); p != q {
			return list, 0, t.fail("an edge from node %d in graph %d to node %d in graph %d: remove it or "+
				"correct %s", u, p+1, v, q+1, f.file("graph_indicator"))
		}
		if u == v {
			a.SelfLoops++
		} else if !list.add(edge{int32(min(u, v) - 1), int32(max(u, v) - 1), int32(lines)}) {
			return list, 0, t.fail("more than %d edges, the most that are read", maxCount)
		}
	}
	list.unite()
	return list, lines, t.err // none at all is a data set of points
}
