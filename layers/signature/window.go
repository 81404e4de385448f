package signature

import (
	"slices"

	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/support/exceptions"
)

// Span is the part of a path between two of its points, both included.
type Span struct{ From, To int }

// Expanding returns the spans of a path from the first point to every step-th
// point, and to the last.
func Expanding(points, step int) []Span {
	checkSpans("Expanding", points, step)
	var spans []Span
	for to := step; to < points-1; to += step {
		spans = append(spans, Span{0, to})
	}
	return append(spans, Span{0, points - 1})
}

// Sliding returns the spans of size edges that start at every step-th point of a
// path. Edges left at the end make no span.
func Sliding(points, size, step int) []Span {
	checkSpans("Sliding", points, min(size, step))
	if size > points-1 {
		exceptions.Panicf("signature.Sliding: windows of %d edges on paths of %d points", size, points)
	}
	var spans []Span
	for from := 0; from+size < points; from += step {
		spans = append(spans, Span{from, from + size})
	}
	return spans
}

// Dyadic returns the span of a whole path, its halves, their halves and so on:
// 2^l spans of level l from 0 to levels. The spans of a level follow one another,
// and if 2^l does not divide the number of edges, lengths differ by at most one
// edge.
func Dyadic(points, levels int) []Span {
	checkSpans("Dyadic", points, 1)
	if levels < 0 || levels > 30 || points-1 < 1<<levels {
		exceptions.Panicf("signature.Dyadic: %d levels of paths of %d points: want an edge or more for each "+
			"part", levels, points)
	}
	var spans []Span
	for l := range levels + 1 {
		cut := func(i int) int { return i * (points - 1) >> l }
		for i := range 1 << l {
			spans = append(spans, Span{cut(i), cut(i + 1)})
		}
	}
	return spans
}

// checkSpans panics unless there are 2 points or more and step is positive.
func checkSpans(function string, points, step int) {
	if points < 2 || step < 1 {
		exceptions.Panicf("signature.%s: windows of %d points with step %d: want 2 points or more and a "+
			"step of 1 or more", function, points, step)
	}
}

// Windows returns the parts of paths [..., T, n] in the spans, as paths
// [..., spans, points, n] with the points of the longest. Shorter ones stand still
// at their last point, which adds nothing to an integral.
func Windows(paths *Node, spans []Span) *Node {
	dims := pathDims("Windows", paths)
	points := 0
	for _, s := range spans {
		if s.From < 0 || s.To <= s.From || s.To >= dims[len(dims)-2] {
			exceptions.Panicf("signature.Windows: span from %d to %d of paths of %d points", s.From, s.To,
				dims[len(dims)-2])
		}
		points = max(points, s.To-s.From+1)
	}
	if points == 0 {
		exceptions.Panicf("signature.Windows: no spans")
	}
	parts := make([]*Node, len(spans))
	for i, s := range spans {
		part := SliceAxis(paths, -2, AxisRange(s.From, s.To+1))
		if still := points - (s.To - s.From + 1); still > 0 {
			end := slices.Clone(dims)
			end[len(dims)-2] = still
			part = Concatenate([]*Node{part, BroadcastToDims(SliceAxis(part, -2, AxisElem(-1)), end...)}, -2)
		}
		parts[i] = ExpandAxes(part, -3)
	}
	return Concatenate(parts, -3)
}

// WithTime returns paths [..., T, n+1] with one more coordinate, which runs from
// 0 to 1 in equal steps. Signatures of such paths tell how fast a path was run
// through, and two such paths from the same point differ in their signatures, at
// some depth (Hambly and Lyons, Uniqueness for the signature of a path of bounded
// variation and the reduced path group, Ann. of Math. 171, 2010). See
// [WithBasepoint] for paths that start elsewhere.
func WithTime(paths *Node) *Node {
	dims := slices.Clone(pathDims("WithTime", paths))
	dims[len(dims)-1] = 1
	shape := shapes.Make(paths.DType(), dims...)
	time := DivScalar(Iota(paths.Graph(), shape, len(dims)-2), float64(dims[len(dims)-2]-1))
	return Concatenate([]*Node{paths, time}, -1)
}

// WithBasepoint returns paths [..., T+1, n] that start at the origin. Signatures
// of such paths tell where a path is.
func WithBasepoint(paths *Node) *Node {
	pathDims("WithBasepoint", paths)
	return Concatenate([]*Node{ZerosLike(SliceAxis(paths, -2, AxisElem(0))), paths}, -2)
}

// LeadLag returns paths [..., 2T-1, 2n] whose first n coordinates, the lead,
// take each step before the others, the lag, follow. Twice the area between both
// is the quadratic variation (Flint, Hambly and Lyons, Discretely sampled signals and the
// rough Hoff process, Stochastic Process. Appl. 126, 2016).
func LeadLag(paths *Node) *Node {
	dims := slices.Clone(pathDims("LeadLag", paths))
	dims[len(dims)-2] *= 2
	twice := Reshape(Stack([]*Node{paths, paths}, -2), dims...)
	return Concatenate([]*Node{
		SliceAxis(twice, -2, AxisRangeToEnd(1)), SliceAxis(twice, -2, AxisRangeFromStart(-1))}, -1)
}
