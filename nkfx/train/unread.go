package train

import (
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"

	"github.com/neuralkforms/nkf/datasets/packing"
	"github.com/neuralkforms/nkf/layers"
)

// What a model does not read of a batch is neither packed nor sent: of molecules whose readout takes distinct
// simplices that is most of it.

// trim takes out of the layouts what no program reads. read builds what a program makes of a batch. What a
// model reads may depend on the shape: a part is left out that none of the layouts needs.
func (e *engine) trim(kind string, all []*packing.Layout, read func(g *Graph, batch *layers.Batch) *Node) {
	seen := make([]bool, len(all[0].Parts))
	for _, layout := range all {
		g := e.newGraph("declare " + kind)
		look(g, layout, Parameter(g, "table", e.table.Shape()), seen,
			func(batch *layers.Batch) *Node { return read(g, batch) })
		g.Finalize()
	}
	if e.plan.trimmed {
		return
	}
	var unread []int
	for part := range seen {
		if !seen[part] {
			unread = append(unread, part)
		}
	}
	for i, layout := range all {
		all[i] = layout.Without(unread...)
	}
}

// look marks the parts that what read builds on a graph with a batch, and returns, is made of.
func look(g *Graph, l *packing.Layout, table *Node, seen []bool, read func(*layers.Batch) *Node) {
	row := Parameter(g, "row", shapes.Make(dtypes.Int32, l.Width()))
	batch := layers.Unpack(l, []*Node{table, row})
	before := len(g.Nodes())
	out := read(batch)
	// The parts that every node is made of, as bits. Nodes come after their inputs.
	nodes := g.Nodes()
	of := make([]uint64, len(nodes))
	views, parts := 0, uint64(0)
	for i, node := range nodes {
		for _, input := range node.Inputs() {
			of[i] |= of[input.Id()]
			if input == row { // which is cut into the parts in turn
				of[i] = 1 << views
				views++
			}
		}
		if i < before && node != out {
			continue
		}
		parts |= of[i]
		if closes[node.Type()] { // whatever its functions return is no input of a node
			parts = 1<<len(seen) - 1
		}
	}
	for part := range seen {
		seen[part] = seen[part] || parts&(1<<part) != 0
	}
}

// closes are the operations with functions of their own.
var closes = map[NodeType]bool{NodeTypeWhile: true, NodeTypeIf: true, NodeTypeCall: true}
