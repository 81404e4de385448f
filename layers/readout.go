package layers

import (
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/support/exceptions"

	"github.com/neuralkforms/nkf/layers/exterior"
)

// Reduction maps the rows of a complex to one row of a readout.
type Reduction int

// The readouts of the paper (section 4) are Sum, Mass and L2. All reduce column by column
// over the simplices of a complex.
const (
	// Sum is Σ_σ X_σj, the integral over the whole chain. It changes sign
	// with the orientation of a simplex: right for oriented data such as
	// paths and surfaces.
	Sum Reduction = iota
	// Mass is Σ_σ |X_σj|, the L1 norm. It does not depend on orientations, and
	// under subdivision converges to ∫|ω|, the L¹ norm of the form on the complex, here called its mass.
	// Its gradient at X_σj = 0 is taken as that of X_σj, which depends on the orientation.
	Mass
	// L2 is √(Σ_σ X_σj²). It does not depend on orientations. Its gradient
	// at a column of zeros is taken as zero.
	L2
	// SquaredL2 is Σ_σ X_σj², which does not depend on orientations and is
	// smooth. The published code uses it for the benchmarks. Like L2 it depends on the
	// resolution: cutting a k-simplex into N equal parts divides it by N, so that
	// under subdivision it goes to 0.
	SquaredL2
)

// String returns the name of the reduction.
func (r Reduction) String() string {
	if r < Sum || r > SquaredL2 {
		return "unknown"
	}
	return [...]string{"sum", "mass", "L2", "squared L2"}[r]
}

// Readout reduces the rows of the integration matrix x [S, ℓ] that belong to
// one complex to one row: [complexes, ℓ]. complexOf [S] is the complex of
// each row, integers in ascending order; rows of the dummy complex, number
// complexes, are dropped. A complex without simplices has a row of zeros. Rows
// with other numbers are for [exterior.SegmentSum].
func Readout(reduction Reduction, x, complexOf *Node, complexes int) *Node {
	if complexes < 0 || x.Rank() != 2 || complexOf.Rank() != 1 || !complexOf.DType().IsInt() ||
		complexOf.Shape().Dimensions[0] != x.Shape().Dimensions[0] {
		exceptions.Panicf("layers.Readout: integrals of shape %s with complexes of shape %s, %d in "+
			"all: want [S, forms] and [S] of integers, of none or more", x.Shape(), complexOf.Shape(),
			complexes)
	}
	return reduction.finish(exterior.SegmentSum(reduction.term(x), complexOf, complexes, true))
}

// readoutCounts is [Readout] for repeated simplices, such as the bonds of
// molecules: x [D, ℓ] has the integrals over the distinct simplices, and counts
// [complexes, D], integers, the number of each in each complex; for Sum, simplices
// of the other orientation count as −1. One product replaces a gather and a
// scatter, so an integral that is infinite or NaN affects the rows of all
// complexes.
func readoutCounts(reduction Reduction, x, counts *Node) *Node {
	return reduction.finish(MatMul(ConvertDType(counts, x.DType()), reduction.term(x)))
}

// term is what is summed up.
func (r Reduction) term(x *Node) *Node {
	switch r {
	case Sum:
		return x
	case Mass:
		return Abs(x)
	case L2, SquaredL2:
		return Square(x)
	}
	exceptions.Panicf("layers.Readout: unknown reduction %d", int(r))
	return nil
}

// finish turns the sums into the readout.
func (r Reduction) finish(sums *Node) *Node {
	if r == L2 {
		return SafeSqrt(sums)
	}
	return sums
}

// SafeSqrt is √x with gradient zero, not infinity, at zero.
func SafeSqrt(x *Node) *Node {
	zero := Equal(x, ScalarZero(x.Graph(), x.DType()))
	return Where(zero, ZerosLike(x), Sqrt(Where(zero, OnesLike(x), x)))
}
