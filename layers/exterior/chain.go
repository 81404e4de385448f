package exterior

import (
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
	rows := Mul(Gather(x, ExpandAxes(simplex, -1)), ExpandAxes(ConvertDType(coefficients, x.DType()), -1))
	return SegmentSum(rows, chain, count, false)
}

// SegmentSum returns the sums of rows that share a segment: [count, ...] from
// rows [S, ...] and their segments [S], integers below count. Sorted says
// that segments ascend, which is faster on some devices. Without rows all sums
// are zero. XLA drops the rows of segments that do not exist, and the Go backend fails.
func SegmentSum(rows, segments *Node, count int, sorted bool) *Node {
	if rows.Rank() == 0 {
		exceptions.Panicf("exterior.SegmentSum: rows of shape %s: want [rows, ...]", rows.Shape())
	}
	shape := rows.Shape().Clone()
	shape.Dimensions[0] = count
	// GoMLX's pure Go backend (compute v0.1.3) fails on scatters of nothing
	// and into nothing. Where the segments do not fit, Scatter says so.
	nothing := rows.Shape().Size() == 0 || shape.Size() == 0
	if nothing && segments.DType().IsInt() && segments.Rank() == 1 &&
		segments.Shape().Dimensions[0] == rows.Shape().Dimensions[0] {
		return Zeros(rows.Graph(), shape)
	}
	return Scatter(ExpandAxes(segments, -1), rows, shape, sorted, false)
}
