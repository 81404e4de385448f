package train

import (
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
)

// Batch holds the nodes of one padded batch of complexes, with V vertices and
// S simplices in all and B complexes: see datasets.Batch for the padding.
type Batch struct {
	Vertices  *Node // [V, n]: coordinates; zeros for padding
	VertexOf  *Node // [V] int32, ascending: complex of each vertex; B for padding
	Simplices *Node // [S, k+1] int32: vertex numbers in the batch
	SimplexOf *Node // [S] int32, ascending: complex of each simplex; B for padding
	Mask      *Node // [B] bool: true for complexes, false for padding
	Labels    *Node // [B] int32: class numbers
}

// Complexes returns B.
func (b *Batch) Complexes() int { return b.Mask.Shape().Dimensions[0] }

// Model builds the logits [B, classes] of a batch. It is called once for
// every program that is compiled, always with a root scope.
type Model func(scope *model.Scope, batch *Batch) *Node
