package tu

import (
	"cmp"
	"slices"
	"sort"

	"github.com/dustin/go-humanize/english"
)

// edge is an edge with the first line of DS_A.txt that lists it.
type edge struct {
	from, to int32 // nodes over all graphs, from 0, the smaller first
	line     int32 // place among the lines that are not blank, from 0
}

// compare orders edges by their nodes, and those of the same nodes by line.
func (e edge) compare(o edge) int {
	return cmp.Or(cmp.Compare(e.from, o.from), cmp.Compare(e.to, o.to), cmp.Compare(e.line, o.line))
}

// unite sorts edges and keeps the first of those that are the same.
func unite(edges []edge) []edge {
	slices.SortFunc(edges, edge.compare)
	return slices.CompactFunc(edges, func(e, o edge) bool { return e.from == o.from && e.to == o.to })
}

// readEdges sets Edges, EdgeStart and what belongs to edges from DS_A.txt and the files of edges.
func (a *Archive) readEdges(f *files) error {
	edges, lines, err := a.listEdges(f)
	if err != nil {
		return err
	}
	byLine := make([]int32, len(edges))
	for i := range byLine {
		byLine[i] = int32(i)
	}
	slices.SortFunc(byLine, func(i, j int32) int { return cmp.Compare(edges[i].line, edges[j].line) })
	of := things{"lines of " + f.file("A"), lines, len(edges), func(line int) int {
		i, ok := slices.BinarySearchFunc(byLine, int32(line), func(i, line int32) int {
			return cmp.Compare(edges[i].line, line)
		})
		if !ok {
			return -1
		}
		return int(byLine[i])
	}}
	if a.EdgeLabels, err = readTable(f, "edge_labels", of, parseInteger); err != nil {
		return err
	}
	if a.EdgeAttributes, err = readTable(f, "edge_attributes", of, parseReal); err != nil {
		return err
	}
	a.EdgeStart = make([]int32, 1, a.Graphs()+1)
	a.Edges = make([]int32, 0, 2*len(edges))
	for g := range a.Graphs() {
		for at := len(a.Edges) / 2; at < len(edges) && edges[at].from < a.NodeStart[g+1]; at++ {
			a.Edges = append(a.Edges, edges[at].from-a.NodeStart[g], edges[at].to-a.NodeStart[g])
		}
		a.EdgeStart = append(a.EdgeStart, int32(len(a.Edges)/2))
	}
	return nil
}

// listEdges returns the edges in DS_A.txt, each once, and the number of its lines. Self-loops are counted and
// left out. Memory is for the edges that differ, however often they are listed.
func (a *Archive) listEdges(f *files) (edges []edge, lines int, err error) {
	nodes, graph := a.Nodes(), 0
	// Lines of a graph mostly follow each other.
	graphOf := func(node int) int {
		if v := int32(node - 1); v < a.NodeStart[graph] || v >= a.NodeStart[graph+1] {
			graph = sort.Search(a.Graphs(), func(g int) bool { return v < a.NodeStart[g+1] })
		}
		return graph
	}
	lines, _, err = readRows(f, "A", parseInteger, func(t *text, line int, values []int) error {
		if len(values) != 2 {
			return t.fail("%s: a line holds the two nodes of an edge, separated by a comma",
				english.Plural(len(values), "value", ""))
		}
		u, v := min(values[0], values[1]), max(values[0], values[1])
		for _, node := range values {
			if node < 1 || node > nodes {
				return t.fail("node %d, but nodes are numbered 1 to %d: check that this file and %s belong "+
					"together", node, nodes, f.file("graph_indicator"))
			}
		}
		if p, q := graphOf(values[0]), graphOf(values[1]); p != q {
			return t.fail("an edge from node %d in graph %d to node %d in graph %d: remove it or correct %s",
				values[0], p+1, values[1], q+1, f.file("graph_indicator"))
		}
		if u == v {
			a.SelfLoops++
			return nil
		}
		if len(edges) == cap(edges) {
			if edges = unite(edges); len(edges) > maxCount {
				return t.fail("more than %d edges, the most that are read", maxCount)
			}
			if 2*len(edges) > cap(edges) || edges == nil {
				edges = slices.Grow(edges, max(1<<12, cap(edges)))
			}
		}
		edges = append(edges, edge{int32(u - 1), int32(v - 1), int32(line)})
		return nil
	})
	edges = unite(edges)
	a.Repeated = lines - a.SelfLoops - len(edges)
	return edges, lines, err
}
