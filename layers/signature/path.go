package signature

import (
	"slices"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/support/exceptions"
)

// FromVertices returns the paths of a flat batch as a node [B, points, n]: vertices [V, n], and the path of
// each [V], integers that ascend, B for padding, as in layers.Batch. The vertices of a path come in its
// order. A path of fewer points repeats its last point; a path of more points is cut; a path without vertices
// stays at the origin. Values after the end of a path, NaN included, change no result and no gradient.
func FromVertices(vertices, of *Node, count, points int) *Node {
	if vertices.Rank() != 2 || of.Rank() != 1 || !of.DType().IsInt() || count < 1 || points < 1 ||
		of.Shape().Size() != vertices.Shape().Dimensions[0] {
		exceptions.Panicf("signature.FromVertices: %d paths of %d points from vertices %s of paths %s: want "+
			"[V, n] and [V] integers", count, points, vertices.Shape(), of.Shape())
	}
	all := of.Shape().Size()
	of = ConvertDType(of, dtypes.Int32)
	path := Iota(of.Graph(), shapes.Make(dtypes.Int32, count, all), 0)
	of = BroadcastToDims(ExpandAxes(of, 0), count, all)
	total := func(condition *Node) *Node {
		return ReduceAndKeep(ConvertDType(condition, dtypes.Int32), ReduceSum, 1)
	}
	first, own := total(LessThan(of, path)), total(Equal(of, path))
	point := Iota(of.Graph(), shapes.Make(dtypes.Int32, count, points), 1)
	at := MinScalar(Add(first, MaxScalar(Min(point, AddScalar(own, -1)), 0)), all-1)
	x := Gather(vertices, ExpandAxes(at, -1))
	some := GreaterThan(ExpandAxes(own, -1), ScalarZero(of.Graph(), dtypes.Int32))
	return Where(BroadcastToDims(some, x.Shape().Dimensions...), x, ZerosLike(x))
}

// WithTime returns paths [..., T, n+1] with one more coordinate, which runs from 0 to 1 in equal steps.
// Signatures of such paths depend on the speed along a path, and two such paths from the same point differ
// in their signatures, at some depth (Hambly and Lyons, Uniqueness for the signature of a path of
// bounded variation and the reduced path group, Ann. of Math. 171, 2010). See [WithBasepoint] for paths that
// start elsewhere.
func WithTime(paths *Node) *Node {
	dims := slices.Clone(pathDims("WithTime", paths))
	dims[len(dims)-1] = 1
	shape := shapes.Make(paths.DType(), dims...)
	time := DivScalar(Iota(paths.Graph(), shape, len(dims)-2), float64(dims[len(dims)-2]-1))
	return Concatenate([]*Node{paths, time}, -1)
}

// WithBasepoint returns paths [..., T+1, n] that start at the origin. Signatures of such paths depend on the
// position of a path.
func WithBasepoint(paths *Node) *Node {
	pathDims("WithBasepoint", paths)
	return Concatenate([]*Node{ZerosLike(SliceAxis(paths, -2, AxisElem(0))), paths}, -2)
}

// LeadLag returns paths [..., 2T-1, 2n] whose first n coordinates, the lead, take each step before the
// others, the lag. Twice the area between both is the quadratic variation (Flint, Hambly and Lyons,
// Discretely sampled signals and the rough Hoff process, Stochastic Process. Appl. 126, 2016).
func LeadLag(paths *Node) *Node {
	dims := slices.Clone(pathDims("LeadLag", paths))
	dims[len(dims)-2] *= 2
	twice := Reshape(Stack([]*Node{paths, paths}, -2), dims...)
	lag, lead := ends(twice)
	return Concatenate([]*Node{lead, lag}, -1)
}

// ends returns the first and the last points of the edges of paths, [..., T-1, n] each.
func ends(paths *Node) (from, to *Node) {
	return SliceAxis(paths, -2, AxisRangeFromStart(-1)), SliceAxis(paths, -2, AxisRangeToEnd(1))
}

// pathDims returns the dimensions of paths [..., T > 1, n].
func pathDims(function string, paths *Node) []int {
	d := paths.Shape().Dimensions
	if len(d) < 2 || d[len(d)-2] < 2 || paths.Shape().Size() == 0 || !paths.DType().IsFloat() {
		exceptions.Panicf("signature.%s: paths of shape %s: want [..., points > 1, n] of floats", function,
			paths.Shape())
	}
	return d
}
