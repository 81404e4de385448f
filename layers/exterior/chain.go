package exterior

import (
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/support/exceptions"
)

// Chains returns the integrals over chains β_i = Σ_σ λ_{σ,i} σ from those
// over simplices, [m, ℓ] from x [S, ℓ]: the product Λᵀ·X with the sparse
// coefficient matrix given entry by entry. Entry t adds coefficients[t] times
// row simplex[t] of x to row chain[t] of the result; both index vectors are
// [T] integers, below S and count. It is the integral's linearity in its
// domain (paper, section 3), X(Lβ, ω) = L·X(β, ω).
func Chains(x, simplex, chain, coefficients *Node, count int) *Node {
	entries := coefficients.Shape()
	for _, index := range []*Node{simplex, chain} { // GoMLX would broadcast a single coefficient
		if index.Rank() != 1 || !index.DType().IsInt() || x.Rank() != 2 ||
			!index.Shape().EqualDimensions(entries) {
			exceptions.Panicf("exterior.Chains: %s coefficients, simplices %s and chains %s for integrals "+
				"%s: want [T] of each, the latter integers, for [S, ℓ]",
				entries, simplex.Shape(), chain.Shape(), x.Shape())
		}
	}
	if entries.Size() > 0 {
		checkIndices("Chains", "simplices", simplex, x.Shape().Dimensions[0])
	}
	rows := Mul(Gather(x, ExpandAxes(simplex, -1)), ExpandAxes(ConvertDType(coefficients, x.DType()), -1))
	return SegmentSum(rows, chain, count, false)
}

// longSum is the largest number of rows that SegmentSum adds one by one, and blockSum the number of rows in
// the blocks of longer sums: where rows are equal, the worst case, 4,096 in float32 are off by up to 1e-4 of
// their sum, and blocks of 64 by 1e-6.
const (
	longSum  = 4096
	blockSum = 64
)

// SegmentSum returns the sums of rows that share a segment: [count, ...] from
// rows [S, ...] and their segments [S], integers. Rows of segments below 0, or not
// below count, are dropped, and without rows all sums are zero. Sorted says
// that segments ascend, which is faster on some devices; if they do not, the sums
// are undefined.
//
// The error of a sum in float32 does not grow with its length: beyond 4,096 rows,
// sums of blocks of rows are added up in float64. Rows of segments that do not ascend are
// added in float64 one by one, which needs twice the memory.
func SegmentSum(rows, segments *Node, count int, sorted bool) *Node {
	if rows.Rank() == 0 || segments.Rank() != 1 || !segments.DType().IsInt() || count < 0 ||
		segments.Shape().Dimensions[0] != rows.Shape().Dimensions[0] {
		exceptions.Panicf("exterior.SegmentSum: rows of shape %s in %d segments, by segments of shape %s: "+
			"want [rows, ...], none or more, and integers [rows]", rows.Shape(), count, segments.Shape())
	}
	shape := rows.Shape().Clone()
	shape.Dimensions[0] = count
	// GoMLX's pure Go backend (compute v0.1.3) fails on scatters of nothing
	// and into nothing.
	if rows.Shape().Size() == 0 || shape.Size() == 0 {
		return Zeros(rows.Graph(), shape)
	}
	if segments.DType() != dtypes.Int32 {
		segments = ConvertDType(segments, dtypes.Int64)
	}
	// Where a segment does not exist, the Go backend fails, and XLA drops the row
	// but gives it the gradient of another. So there are a segment before the first
	// and one after the last, which are cut off.
	one := Scalar(segments.Graph(), segments.DType(), 1)
	beyond := Scalar(segments.Graph(), segments.DType(), count)
	segments = Add(Min(Max(segments, Neg(one)), beyond), one)
	shape.Dimensions[0] = count + 2
	dtype := rows.DType()
	long := dtype.IsFloat() && dtype != dtypes.Float64 && rows.Shape().Dimensions[0] > longSum
	index, existing := ExpandAxes(segments, -1), AxisRange(1, count+1)
	if !long {
		return SliceAxis(Scatter(index, rows, shape, sorted, false), 0, existing)
	}
	if sorted {
		rows, index = blockSums(rows, segments, count+2)
		sorted = false
	}
	shape.DType = dtypes.Float64
	sums := SliceAxis(Scatter(index, ConvertDType(rows, shape.DType), shape, sorted, false), 0, existing)
	return ConvertDType(sums, dtype)
}

// blockSums returns the sums of rows that share a segment and a block, and the
// segments of these sums, [sums, 1]. Where segments ascend, i/blockSum + segment is
// another number for each such pair. Numbers that no pair has are sums of
// nothing, in segment 0.
func blockSums(rows, segments *Node, count int) (sums, of *Node) {
	g, shape := rows.Graph(), rows.Shape().Clone()
	row := Iota(g, shapes.Make(segments.DType(), shape.Dimensions[0]), 0)
	sum := ExpandAxes(Add(Div(row, Scalar(g, row.DType(), blockSum)), segments), -1)
	shape.Dimensions[0] = (shape.Dimensions[0]-1)/blockSum + count
	of = Zeros(g, shapes.Make(segments.DType(), shape.Dimensions[0], 1))
	return Scatter(sum, rows, shape, true, false),
		ScatterMax(of, sum, ExpandAxes(segments, -1), true, false)
}
