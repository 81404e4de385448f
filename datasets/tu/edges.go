package tu

import (
	"cmp"
	"slices"
)

// listedEdge is a line of DS_A.txt at the smaller of its two nodes.
type listedEdge struct {
	to   int32 // the larger node, over all graphs
	line int32 // place among the lines that are not blank, from 0
}

// readEdges sets Edges, EdgeStart and what belongs to edges from DS_A.txt and the files of edges.
func (a *Archive) readEdges(f *files, graphOf []int32) error {
	pairs, err := readPairs(f, graphOf)
	if err != nil {
		return err
	}
	lines, things := len(pairs)/2, "lines of "+f.file("A")
	labels, err := readTable(f, "edge_labels", parseInteger)
	if err != nil {
		return err
	}
	if err := f.count("edge_labels", labels.rows(), lines, things); err != nil {
		return err
	}
	attributes, err := readTable(f, "edge_attributes", parseReal)
	if err != nil {
		return err
	}
	if err := f.count("edge_attributes", attributes.rows(), lines, things); err != nil {
		return err
	}
	a.EdgeLabels.Columns, a.EdgeAttributes.Columns = labels.Columns, attributes.Columns

	a.EdgeStart = make([]int32, 1, len(a.NodeStart))
	start, edges := a.byNode(pairs)
	for g := range a.Graphs() {
		base := a.NodeStart[g]
		for u := base; u < a.NodeStart[g+1]; u++ {
			listed := edges[start[u]:start[u+1]]
			slices.SortFunc(listed, func(p, q listedEdge) int {
				return cmp.Or(cmp.Compare(p.to, q.to), cmp.Compare(p.line, q.line))
			})
			for i, e := range listed {
				if i > 0 && e.to == listed[i-1].to {
					a.Repeated++
					continue
				}
				a.Edges = append(a.Edges, u-base, e.to-base)
				a.EdgeLabels.Values = append(a.EdgeLabels.Values, labels.Row(int(e.line))...)
				a.EdgeAttributes.Values = append(a.EdgeAttributes.Values, attributes.Row(int(e.line))...)
			}
		}
		a.EdgeStart = append(a.EdgeStart, int32(len(a.Edges)/2))
	}
	return nil
}

// readPairs returns the two nodes of every line of DS_A.txt, from 0, as listed.
func readPairs(f *files, graphOf []int32) ([]int32, error) {
	t, err := f.text("A")
	if err != nil {
		return nil, err
	}
	var pairs []int32
	for t.next() {
		u, err := t.integer()
		if err != nil {
			return nil, err
		}
		if !t.more {
			return nil, t.fail("one value: a line holds the two nodes of an edge, separated by a comma")
		}
		v, err := t.integer()
		if err != nil {
			return nil, err
		}
		if t.more {
			return nil, t.fail("more than two values: a line holds the two nodes of an edge, nothing else")
		}
		for _, node := range [2]int{u, v} {
			if node < 1 || node > len(graphOf) {
				return nil, t.fail("node %d, but nodes are numbered 1 to %d: check that this file and %s "+
					"belong together", node, len(graphOf), f.file("graph_indicator"))
			}
		}
		if p, q := graphOf[u-1], graphOf[v-1]; p != q {
			return nil, t.fail("an edge from node %d in graph %d to node %d in graph %d: remove it or "+
				"correct %s", u, p+1, v, q+1, f.file("graph_indicator"))
		}
		pairs = append(pairs, int32(u-1), int32(v-1))
	}
	return pairs, nil // none at all is a data set of points
}

// byNode sorts the lines of DS_A.txt by the smaller node: node u has edges[start[u]:start[u+1]]. Self-loops
// are counted and left out.
func (a *Archive) byNode(pairs []int32) (start []int32, edges []listedEdge) {
	start = make([]int32, a.Nodes()+2)
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i] == pairs[i+1] {
			a.SelfLoops++
			continue
		}
		start[min(pairs[i], pairs[i+1])+2]++
	}
	for u := range a.Nodes() {
		start[u+2] += start[u+1]
	}
	// start[u+1] runs from the first to past the last edge of u while they are filled in.
	edges = make([]listedEdge, len(pairs)/2-a.SelfLoops)
	for i := 0; i < len(pairs); i += 2 {
		u, v := min(pairs[i], pairs[i+1]), max(pairs[i], pairs[i+1])
		if u != v {
			edges[start[u+1]] = listedEdge{to: v, line: int32(i / 2)}
			start[u+1]++
		}
	}
	return start, edges
}
