package layers

import (
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/support/exceptions"

	"github.com/neuralkforms/nkf/datasets/packing"
)

// Parts are the nodes of a [Batch] made by hand. Set those that its methods use. Package layers describes
// padding. Facets of your own are for [NewIncidence].
type Parts struct {
	Vertices *Node   // [V, n]: coordinates; zeros for padding
	VertexOf *Node   // [V] integers, ascending: complex of each vertex; B for padding
	Corners  []*Node // by degree k > 0, [S, k+1] integers: vertices of each, in the order that orients it
	Of       []*Node // by degree k > 0, [S] integers, ascending: complex of each simplex; B for padding
	Mask     *Node   // [B] bool: true for complexes, false for padding
	Labels   *Node   // [B] integers: class numbers
}

// NewBatch returns the batch of these parts. It panics if a part has the wrong number of axes, and for parts
// of degree 0, which are Vertices and VertexOf.
func NewBatch(p Parts) *Batch {
	for _, parts := range [][]*Node{p.Corners, p.Of} {
		if len(parts) > 0 && parts[0] != nil {
			exceptions.Panicf("layers.NewBatch: Corners or Of have a part of degree 0: set Vertices and " +
				"VertexOf")
		}
	}
	b := &Batch{degree: max(0, len(p.Corners)-1), parts: map[name]*part{}}
	set := func(kind packing.Kind, degree int, x *Node) {
		if x == nil {
			return
		}
		if x.Rank() != kind.Rank() {
			exceptions.Panicf("layers.Batch: %s of shape %s: want %d axes", kind, x.Shape(), kind.Rank())
		}
		b.graph = x.Graph()
		b.parts[name{kind, degree}] = &part{rows: rows(x), node: x}
	}
	set(packing.Rows, 0, p.Vertices)
	set(packing.VertexOf, 0, p.VertexOf)
	set(packing.Mask, 0, p.Mask)
	set(packing.Labels, 0, p.Labels)
	for k, x := range p.Corners {
		set(packing.Corners, k, x)
	}
	for k, x := range p.Of {
		set(packing.SimplexOf, k, x)
	}
	return b
}
