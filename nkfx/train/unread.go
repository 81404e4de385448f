package train

import (
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"

	"github.com/neuralkforms/nkf/datasets/packing"
	"github.com/neuralkforms/nkf/layers"
)

// trim removes from the layouts the parts that no program reads, so that they are neither packed nor sent:
// most of a batch for molecules whose readout takes distinct simplices. read builds the outputs of a program
// on a batch. They may depend on its shape, so a part that any layout needs stays.
func (e *engine) trim(kind string, all []*packing.Layout, read func(g *Graph, batch *layers.Batch) *Node) {
	unread := map[int]int{} // in how many of the layouts
	for _, layout := range all {
		g := e.newGraph("declare " + kind)
		row := Parameter(g, "row", shapes.Make(dtypes.Int32, layout.Width()))
		batch := layers.Unpack(layout, []*Node{Parameter(g, "table", e.table.Shape()), row})
		read(g, batch)
		for _, part := range batch.Unread() {
			unread[part]++
		}
		g.Finalize()
	}
	if e.plan.trimmed {
		return
	}
	var parts []int
	for part, count := range unread {
		if count == len(all) {
			parts = append(parts, part)
		}
	}
	for i, layout := range all {
		all[i] = layout.Without(parts...)
	}
}
