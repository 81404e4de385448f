package gnn

import (
	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/support/exceptions"

	"github.com/neuralkforms/nkf/layers/exterior"
	"github.com/neuralkforms/nkf/layers/internal/indices"
)

// Edges are the M directed edges along which messages go. All layers of a
// network share one.
type Edges struct {
	from, to *Node // [M, 1] vertex numbers
	vertices int
	check    *indices.Check
	norm     *Node // cache of invSqrtDegree
}

// Undirected returns both directions of each of the edges [S, 2], integer
// indices of vertices. Their order makes no difference. At least one edge is
// required; a batch without edges has one for padding. Indices out of range
// silently make wrong messages, unless NKF_CHECK_INDICES is set.
func Undirected(edges *Node, vertices int) *Edges {
	if edges.Rank() != 2 || edges.Shape().Dimensions[0] == 0 || edges.Shape().Dimensions[1] != 2 ||
		!edges.DType().IsInt() {
		exceptions.Panicf("gnn.Undirected: edges of shape %s: want integers [S, 2], S 1 or more",
			edges.Shape())
	}
	check := indices.New("gnn.Undirected", "edges", "vertices", edges, vertices)
	edges = check.Index(edges)
	first := SliceAxis(edges, 1, AxisElem(0))
	second := SliceAxis(edges, 1, AxisElem(1))
	return &Edges{
		from:     Concatenate([]*Node{first, second}, 0),
		to:       Concatenate([]*Node{second, first}, 0),
		vertices: vertices,
		check:    check,
	}
}

// features returns h, and panics unless it has a row of features for every
// vertex. Integers would make weights that are integers, all of them 0.
func (e *Edges) features(layer string, h *Node, width int) *Node {
	if h.Rank() != 2 || h.Shape().Dimensions[0] != e.vertices || width < 1 || !h.DType().IsFloat() {
		exceptions.Panicf(
			"gnn.%s: features of shape %s, width %d: want floats [%d vertices, features], 1 or more",
			layer, h.Shape(), width, e.vertices)
	}
	return e.check.Guard(h)
}

// sum returns the sums of the messages [M, width] that reach each vertex:
// [V, width].
func (e *Edges) sum(messages *Node) *Node {
	return exterior.SegmentSum(messages, Squeeze(e.to, -1), e.vertices, false)
}

// neighbors returns the sums of the features h [V, width] of the neighbors of
// each vertex: [V, width].
func (e *Edges) neighbors(h *Node) *Node { return e.sum(Gather(h, e.from)) }

// invSqrtDegree returns 1/√d_i as [V, 1], d_i being one more than the number
// of edges that reach vertex i.
func (e *Edges) invSqrtDegree(dtype dtypes.DType) *Node {
	if e.norm == nil || e.norm.DType() != dtype {
		ones := ConvertDType(OnesLike(e.to), dtype)
		e.norm = Inverse(Sqrt(OnePlus(e.sum(ones))))
	}
	return e.norm
}
