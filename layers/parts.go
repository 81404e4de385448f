package layers

import (
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/support/exceptions"

	"github.com/neuralkforms/nkf/datasets/packing"
)

// Parts are the nodes of a [Batch] made by hand. Set those that its methods use. Package layers describes
// padding.
type Parts struct {
	Vertices  *Node       // [V, n]: coordinates; zeros for padding
	VertexOf  *Node       // [V] integers, ascending: complex of each vertex; B for padding
	Simplices []Simplices // by degree; degree 0 has only a cochain and labels
	Mask      *Node       // [B] bool: true for complexes, false for padding
	Labels    *Node       // [B] integers: class numbers
	Targets   *Node       // [B, tasks]: values to be learned, NaN where unknown; nil where it is the class
	Globals   *Node       // [B, width]: input data on whole complexes; 0 for padding; nil for none
}

// Simplices holds the S simplices of one degree k of a batch.
type Simplices struct {
	Corners *Node // [S, k+1] integers: vertex numbers in the batch, in the order that orients the simplex
	Of      *Node // [S] integers, ascending: complex of each simplex; B for padding
	Faces   *Node // [S, k+1] integers: facets, as numbers of (k-1)-simplices in the batch; nil for none
	Signs   *Node // [S, k+1]: their signs in the boundary, 1 or -1; 0 for padding; nil for none
	Cochain *Node // [S, width]: input data; nil for none
	Labels  *Node // [S] integers: class numbers, -1 where unknown and for padding; nil unless learned
}

// NewBatch returns the batch of these parts. It panics if a part has the wrong number of axes.
func NewBatch(p Parts) *Batch {
	b := &Batch{degree: max(0, len(p.Simplices)-1), parts: map[name]*part{}}
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
	set(packing.Targets, 0, p.Targets)
	set(packing.Globals, 0, p.Globals)
	for k, s := range p.Simplices {
		set(packing.Corners, k, s.Corners)
		set(packing.SimplexOf, k, s.Of)
		set(packing.Faces, k, s.Faces)
		set(packing.Signs, k, s.Signs)
		set(packing.Cochain, k, s.Cochain)
		set(packing.Classes, k, s.Labels)
	}
	return b
}
