package signature

import (
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/support/exceptions"
)

// Hold returns paths [B, T, n] of which path b stands still at its point
// lengths[b]-1 from there on: the way in which paths of unequal lengths share a
// node. Standing still adds nothing to an integral, so that the last row of
// [Integrals] is that of the whole path. Lengths is [B] of integers from 1 to
// T; a length below one counts as one. What stands in the rest of a path, NaN
// included, changes no value and no gradient.
func Hold(paths, lengths *Node) *Node {
	d := paths.Shape().Dimensions
	if len(d) != 3 || lengths.Rank() != 1 || !lengths.DType().IsInt() || rowCount(lengths) != d[0] {
		exceptions.Panicf("signature.Hold: paths %s with lengths %s: want [B, T, n] and [B] integers",
			paths.Shape(), lengths.Shape())
	}
	point := Iota(paths.Graph(), shapes.Make(dtypes.Int32, d...), 1)
	last := MaxScalar(AddScalar(ConvertDType(lengths, dtypes.Int32), -1), 0)
	last = BroadcastToDims(Reshape(last, -1, 1, 1), d...)
	zeros := ZerosLike(paths)
	end := ReduceAndKeep(Where(Equal(point, last), paths, zeros), ReduceSum, 1)
	return Where(LessThan(point, last), paths, BroadcastToDims(end, d...))
}

// FromVertices returns the paths of a flat batch as a node [B, points, n] that
// all functions here take: vertices [V, n], and the path of each [V], integers
// that ascend, B for padding, as in layers.Batch. The vertices of a path come in
// its order. A path of fewer points stands still at its last, as by [Hold]; one
// of more is cut there; one without vertices does not move.
func FromVertices(vertices, of *Node, count, points int) *Node {
	if vertices.Rank() != 2 || count < 1 || points < 1 {
		exceptions.Panicf("signature.FromVertices: %d paths of %d points from vertices %s: want [V, n]",
			count, points, vertices.Shape())
	}
	checkOf("FromVertices", of, rowCount(vertices))
	first, lengths := spans(of, count)
	point := Iota(of.Graph(), shapes.Make(dtypes.Int32, count, points), 1)
	end := MaxScalar(AddScalar(lengths, -1), 0)
	at := Add(ExpandAxes(first, -1), Min(point, ExpandAxes(end, -1)))
	at = MinScalar(at, rowCount(vertices)-1)
	return Gather(vertices, ExpandAxes(at, -1))
}

// spans returns the first vertex of each path and how many it has, [B] each.
func spans(of *Node, count int) (first, lengths *Node) {
	of = ConvertDType(of, dtypes.Int32)
	path := Iota(of.Graph(), shapes.Make(dtypes.Int32, count, rowCount(of)), 0)
	all := BroadcastToDims(ExpandAxes(of, 0), path.Shape().Dimensions...)
	total := func(condition *Node) *Node { return ReduceSum(ConvertDType(condition, dtypes.Int32), 1) }
	return total(LessThan(all, path)), total(Equal(all, path))
}

// rowCount returns the length of the first axis.
func rowCount(x *Node) int { return x.Shape().Dimensions[0] }

// checkOf panics unless of holds the paths of the given number of vertices.
func checkOf(function string, of *Node, vertices int) {
	if of.Rank() != 1 || !of.DType().IsInt() || rowCount(of) != vertices {
		exceptions.Panicf("signature.%s: paths of the vertices of shape %s: want [V] integers", function,
			of.Shape())
	}
}
