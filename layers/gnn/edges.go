package gnn

import (
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/support/exceptions"

	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/exterior"
)

// edges are those of a batch, along which messages go both ways. All layers of a network share one.
type edges struct {
	batch *layers.Batch
	norm  *Node // cache of invSqrtDegree
}

// newEdges returns the edges of a batch and the features of its vertices.
func newEdges(b *layers.Batch) (*edges, *Node) {
	if b.Degree() < 1 || !b.Vertices().DType().IsFloat() {
		exceptions.Panicf("gnn: a batch of degree %d, vertices %s: want edges, and vertices of floats",
			b.Degree(), b.Vertices().Shape())
	}
	return &edges{batch: b}, b.Vertices()
}

// sum returns the sums of the messages [M, width] that reach each vertex:
// [V, width].
func (e *edges) sum(messages *Node) *Node {
	_, to := e.batch.Directed()
	return exterior.SegmentSum(messages, Squeeze(to, -1), e.batch.Count(0), false)
}

// invSqrtDegree returns 1/√d_i as [V, 1], d_i being one more than the number
// of edges that reach vertex i, in the type of h [V, width].
func (e *edges) invSqrtDegree(h *Node) *Node {
	if e.norm == nil {
		e.norm = Inverse(Sqrt(OnePlus(e.batch.Neighbors(OnesLike(SliceAxis(h, 1, AxisElem(0)))))))
	}
	return e.norm
}
