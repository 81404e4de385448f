package tu

import (
	"cmp"
	"fmt"
	"slices"
	"sort"

	"github.com/dustin/go-humanize/english"
)

// edge joins two nodes, numbered over all graphs from 0, the smaller first.
type edge struct{ from, to int32 }

// edgeReader reads the edges in DS_A.txt, part by part.
type edgeReader struct {
	rows  *rows[int]
	all   *Archive // whose nodes they join
	graph int      // of the last edge
	edge           // the last
	ahead bool     // it is of a part that comes
	held  []edge   // all that are left, where they are not in the order of the graphs; nil else
}

// next goes on to the next edge, and reports whether there is one. Self-loops are none.
func (r *edgeReader) next() bool {
	for r.rows.next() {
		u, v, err := r.ends()
		if err != nil {
			r.rows.err = err
			return false
		}
		if u != v {
			r.edge = edge{int32(u - 1), int32(v - 1)}
			return true
		}
	}
	return false
}

// ends returns the nodes on the row, the smaller first, from 1.
func (r *edgeReader) ends() (u, v int, err error) {
	values := r.rows.values
	if len(values) != 2 {
		return 0, 0, r.rows.fail("%s: a line holds the two nodes of an edge, separated by a comma",
			english.Plural(len(values), "value", ""))
	}
	for _, node := range values {
		if node < 1 || node > r.all.nodes() {
			return 0, 0, r.rows.fail("node %d, but nodes are numbered 1 to %d: check that this file and %s "+
				"belong together", node, r.all.nodes(), r.rows.f.file("graph_indicator"))
		}
	}
	u, v = min(values[0], values[1]), max(values[0], values[1])
	if g, h := r.graphOf(u), r.graphOf(v); g != h {
		return 0, 0, r.rows.fail("an edge from node %d in graph %d to node %d in graph %d: remove it or "+
			"correct %s", u, g+1, v, h+1, r.rows.f.file("graph_indicator"))
	}
	return u, v, nil
}

// graphOf returns the graph of a node, from 1. Lines of a graph mostly follow each other.
func (r *edgeReader) graphOf(node int) int {
	start, v := r.all.nodeStart, int32(node-1)
	if v < start[r.graph] || v >= start[r.graph+1] {
		r.graph = sort.Search(r.all.Len(), func(g int) bool { return v < start[g+1] })
	}
	return r.graph
}

// arrange prepares for reading edges in parts: it reads all of them, and holds them unless they stand in the
// order of the graphs, which the note is about.
func (r *edgeReader) arrange() (notes []string, err error) {
	ordered := true
	for last := 0; ordered && r.next(); last = r.graph {
		ordered = r.graph >= last
	}
	if !ordered {
		notes = []string{fmt.Sprintf("the edges in %s are not in the order of the graphs: all of them are "+
			"held in memory", r.rows.file)}
		r.reopen()
		for r.next() {
			r.held = append(r.held, r.edge)
		}
		slices.SortFunc(r.held, compare)
		r.held = slices.Clip(slices.Compact(r.held))
		return notes, r.rows.close()
	}
	if err := r.rows.close(); err != nil {
		return nil, err
	}
	r.reopen()
	return nil, nil
}

// reopen begins anew.
func (r *edgeReader) reopen() {
	r.rows.free()
	r.rows, r.graph = open(r.rows.f, r.rows.kind, r.rows.parse), 0
}

// compare orders edges.
func compare(e, o edge) int {
	if e.from != o.from {
		return cmp.Compare(e.from, o.from)
	}
	return cmp.Compare(e.to, o.to)
}

// of sets edges and edgeStart of the next part. With the last the file is closed.
func (r *edgeReader) of(part *Archive) error {
	first := r.all.nodeStart[part.first]
	end := r.all.nodeStart[part.first+part.Len()]
	var edges []edge
	if r.held != nil {
		at := sort.Search(len(r.held), func(i int) bool { return r.held[i].from >= end })
		edges, r.held = r.held[:at], r.held[at:]
	} else {
		for r.ahead = r.ahead || r.next(); r.ahead && r.from < end; r.ahead = r.next() {
			edges = append(edges, r.edge)
		}
		if !r.ahead {
			if err := r.rows.close(); err != nil {
				return err
			}
		}
		slices.SortFunc(edges, compare)
		edges = slices.Compact(edges)
	}
	part.edgeStart = make([]int32, 1, part.Len()+1)
	part.edges = make([]int32, 0, 2*len(edges))
	for g := range part.Len() {
		start, end := first+part.nodeStart[g], first+part.nodeStart[g+1]
		for ; len(edges) > 0 && edges[0].from < end; edges = edges[1:] {
			part.edges = append(part.edges, edges[0].from-start, edges[0].to-start)
		}
		part.edgeStart = append(part.edgeStart, int32(len(part.edges)/2))
	}
	return nil
}
