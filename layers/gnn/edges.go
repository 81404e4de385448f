package gnn

import (
	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/support/exceptions"

	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/exterior"
)

// edges are the M directed edges along which messages go, both directions of
// each edge of a batch. All layers of a network share one.
type edges struct {
	from, to *Node // [M, 1] vertex numbers
	vertices int
	norm     *Node // cache of invSqrtDegree
}

// newEdges returns the edges of a batch and the features of its vertices.
func newEdges(b *layers.Batch) (*edges, *Node) {
	if b.Degree() < 1 || !b.Vertices().DType().IsFloat() {
		exceptions.Panicf("gnn: a batch of degree %d, vertices %s: want edges, and vertices of floats",
			b.Degree(), b.Vertices().Shape())
	}
	pairs := b.Corners(1)
	first, second := SliceAxis(pairs, 1, AxisElem(0)), SliceAxis(pairs, 1, AxisElem(1))
	return &edges{
		from:     Concatenate([]*Node{first, second}, 0),
		to:       Concatenate([]*Node{second, first}, 0),
		vertices: b.Count(0),
	}, b.Vertices()
}

// sum returns the sums of the messages [M, width] that reach each vertex:
// [V, width].
func (e *edges) sum(messages *Node) *Node {
	return exterior.SegmentSum(messages, Squeeze(e.to, -1), e.vertices, false)
}

// neighbors returns the sums of the features h [V, width] of the neighbors of
// each vertex: [V, width].
func (e *edges) neighbors(h *Node) *Node { return e.sum(Gather(h, e.from)) }

// invSqrtDegree returns 1/√d_i as [V, 1], d_i being one more than the number
// of edges that reach vertex i.
func (e *edges) invSqrtDegree(dtype dtypes.DType) *Node {
	if e.norm == nil {
		e.norm = Inverse(Sqrt(OnePlus(e.sum(ConvertDType(OnesLike(e.to), dtype)))))
	}
	return e.norm
}
