package layers

import (
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/support/exceptions"

	"github.com/neuralkforms/nkf/datasets/packing"
	"github.com/neuralkforms/nkf/layers/exterior"
	"github.com/neuralkforms/nkf/layers/internal/custom"
)

// Directed returns the edges in both directions, by the numbers of their vertices: from one, [2·S, 1], to
// another. First are all edges as they are listed.
func (b *Batch) Directed() (from, to *Node) {
	if b.from == nil {
		pairs := b.Corners(1)
		first, second := SliceAxis(pairs, 1, AxisElem(0)), SliceAxis(pairs, 1, AxisElem(1))
		b.from, b.to = Concatenate([]*Node{first, second}, 0), Concatenate([]*Node{second, first}, 0)
	}
	return b.from, b.to
}

// Neighbors returns the sums of the rows of x [V, ℓ] over the neighbors of each vertex, the other ends of its
// edges: [V, ℓ]. Those of padding vertices are undefined.
//
// Batches of [Unpack] list the neighbors of the vertices of large graphs. Sums over lists take less time and
// memory than sums over edges, and are as exact in float32.
func (b *Batch) Neighbors(x *Node) *Node {
	b.exist("Neighbors", 1)
	if x.Rank() != 2 || rows(x) != b.Count(0) {
		exceptions.Panicf("layers.Batch.Neighbors: values of shape %s: want [%d, ℓ]", x.Shape(), b.Count(0))
	}
	if !b.has(packing.Neighbors, 1) {
		from, to := b.Directed()
		return exterior.SegmentSum(Gather(x, from), Squeeze(to, -1), b.Count(0), false)
	}
	// The sum is its own adjoint: i is a neighbor of j as often as j is one of i. GoMLX would scatter.
	return custom.Gradients(b.sumListed(x), []*Node{x}, func(v *Node) map[*Node]*Node {
		return map[*Node]*Node{x: b.sumListed(v)}
	})
}

// sumListed returns the sums of rows over the listed neighbors.
func (b *Batch) sumListed(x *Node) *Node {
	lists, vertices := b.get(packing.Neighbors, 1), b.Count(0)
	number := Iota(lists.Graph(), shapes.Make(lists.DType(), vertices, 1), 0)
	last := BroadcastToShape(Equal(number, ConstAs(number, vertices-1)), x.Shape())
	x = Where(last, ZerosLike(x), x) // lists are padded with the last vertex
	sum := func(from, to int) *Node {
		some := Slice(lists, AxisRange(from, to), AxisRangeToEnd(1))
		return ReduceSum(Gather(x, ExpandAxes(some, -1)), 1)
	}
	of, further := SliceAxis(lists, 1, AxisElem(0)), rows(lists)-vertices
	more := exterior.SegmentSum(sum(vertices, rows(lists)),
		Squeeze(SliceAxis(of, 0, AxisRange(vertices, rows(lists))), -1), further+1, true)
	return Add(sum(0, vertices), Gather(more, SliceAxis(of, 0, AxisRangeFromStart(vertices))))
}
