package layers

import (
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/support/exceptions"

	"github.com/neuralkforms/nkf/layers/exterior"
	"github.com/neuralkforms/nkf/layers/internal/indices"
)

// Reduction is how a readout makes one row out of the rows of a complex.
type Reduction int

// The readouts of the paper (section 4.3), column by column over the
// simplices of a complex.
const (
	// Sum is Σ_σ X_σj, the integral over the whole chain. It changes sign
	// with the orientation of a simplex: right for oriented data such as
	// paths and surfaces.
	Sum Reduction = iota
	// L1 is Σ_σ |X_σj|. It does not depend on orientations.
	L1
	// L2 is √(Σ_σ X_σj²). It does not depend on orientations. Its gradient
	// at a column of zeros is taken as zero.
	L2
	// SquaredL2 is Σ_σ X_σj², which does not depend on orientations and is
	// smooth. It is what the paper's benchmarks use.
	SquaredL2
)

// String returns the name of the reduction.
func (r Reduction) String() string {
	if r < Sum || r > SquaredL2 {
		return "unknown"
	}
	return [...]string{"sum", "L1", "L2", "squared L2"}[r]
}

// Readout reduces the rows of the integration matrix x [S, ℓ] that belong to
// one complex to one row: [complexes, ℓ]. complexOf [S] is the complex of
// each row, integers in ascending order; rows of the dummy complex, number
// complexes, are dropped. A complex without simplices has a row of zeros. Rows
// with other numbers are dropped silently, unless NKF_CHECK_INDICES is set.
func Readout(reduction Reduction, x, complexOf *Node, complexes int) *Node {
	if x.Rank() != 2 || complexOf.Rank() != 1 || !complexOf.DType().IsInt() ||
		complexOf.Shape().Dimensions[0] != x.Shape().Dimensions[0] {
		exceptions.Panicf("layers.Readout: integrals of shape %s with complexes of shape %s: "+
			"want [S, forms] and [S] of integers", x.Shape(), complexOf.Shape())
	}
	check := indices.New("layers.Readout", "complexOf", "complexes with the dummy", complexOf, complexes+1)
	x, complexOf = check.Guard(x), check.Index(complexOf)
	sums := exterior.SegmentSum(reduction.term(x), complexOf, complexes+1, true)
	return reduction.finish(SliceAxis(sums, 0, AxisRangeFromStart(complexes)))
}

// readoutCounts is [Readout] where simplices repeat themselves, as the bonds
// of molecules do: x [D, ℓ] has the integrals over the distinct ones, and
// counts [complexes, D], integers, how often each of them is in each complex;
// for Sum, those of the other orientation are counted as −1. One product takes
// the place of a gather and a scatter, so that an integral that is infinite or
// no number reaches the rows of all complexes.
func readoutCounts(reduction Reduction, x, counts *Node) *Node {
	if x.Rank() != 2 || counts.Rank() != 2 || counts.Shape().Dimensions[1] != x.Shape().Dimensions[0] {
		exceptions.Panicf("layers.readoutCounts: integrals of shape %s with counts of shape %s: "+
			"want [simplices, forms] and [complexes, simplices]", x.Shape(), counts.Shape())
	}
	return reduction.finish(MatMul(ConvertDType(counts, x.DType()), reduction.term(x)))
}

// term is what is summed up.
func (r Reduction) term(x *Node) *Node {
	switch r {
	case Sum:
		return x
	case L1:
		return Abs(x)
	case L2, SquaredL2:
		return Square(x)
	}
	exceptions.Panicf("layers.Readout: unknown reduction %d", int(r))
	return nil
}

// finish makes the readout of the sums.
func (r Reduction) finish(sums *Node) *Node {
	if r == L2 {
		return safeSqrt(sums)
	}
	return sums
}

// safeSqrt is √x with gradient zero, not infinity, at zero.
func safeSqrt(x *Node) *Node {
	zero := Equal(x, ScalarZero(x.Graph(), x.DType()))
	return Where(zero, ZerosLike(x), Sqrt(Where(zero, OnesLike(x), x)))
}
