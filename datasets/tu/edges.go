package tu

import (
	"cmp"
	"slices"
	"sort"

	"github.com/dustin/go-humanize/english"
)

// edge joins two nodes, numbered over all graphs from 0, the smaller first.
type edge struct{ from, to int32 }

// unite sorts edges and keeps each once.
func unite(edges []edge) []edge {
	slices.SortFunc(edges, func(e, o edge) int {
		return cmp.Or(cmp.Compare(e.from, o.from), cmp.Compare(e.to, o.to))
	})
	return slices.Compact(edges)
}

// readEdges sets Edges and EdgeStart from DS_A.txt.
func (a *Archive) readEdges(f *files) error {
	edges, err := a.listEdges(f)
	if err != nil {
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

// listEdges returns the edges in DS_A.txt, each once, without self-loops. Memory grows with the number of
// distinct edges alone.
func (a *Archive) listEdges(f *files) (edges []edge, err error) {
	nodes, graph := a.Nodes(), 0
	// Lines of a graph mostly follow each other.
	graphOf := func(node int) int {
		if v := int32(node - 1); v < a.NodeStart[graph] || v >= a.NodeStart[graph+1] {
			graph = sort.Search(a.Graphs(), func(g int) bool { return v < a.NodeStart[g+1] })
		}
		return graph
	}
	_, _, err = readRows(f, "A", parseInteger, func(t *text, _ int, values []int) error {
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
		edges = append(edges, edge{int32(u - 1), int32(v - 1)})
		return nil
	})
	return unite(edges), err
}
