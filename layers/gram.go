package layers

import (
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/support/exceptions"

	"github.com/neuralkforms/nkf/layers/exterior"
	"github.com/neuralkforms/nkf/layers/internal/indices"
)

// Gram returns the Gram matrices of the forms on each complex, symmetric
// [complexes, ℓ, ℓ], from the rows of the integration matrix x [S, ℓ] and the
// complex of each row as in [Readout]:
//
//	G_ij = Σ_σ X_σi X_σj,   G = XᵀX.
//
// It is the readout that keeps the most among those that do not depend on the
// order or the orientations of the simplices and are quadratic: XᵀX is the
// same for Q·X and determines X up to such an orthogonal Q, of which the
// signed permutations of the simplices are some. Its diagonal is the SquaredL2
// readout; the rest says which forms see the same simplices, and with the same
// sign. It follows a change of forms, G(ωR) = RᵀG(ω)R, so that its eigenvalues
// do not depend on an orthogonal choice of forms either.
func Gram(x, complexOf *Node, complexes int) *Node {
	if x.Rank() != 2 || complexOf.Rank() != 1 || complexOf.Shape().Dimensions[0] != x.Shape().Dimensions[0] {
		exceptions.Panicf("layers.Gram: integrals of shape %s with complexes of shape %s: want [S, ℓ], [S]",
			x.Shape(), complexOf.Shape())
	}
	check := indices.New("layers.Gram", "complexOf", "complexes with the dummy", complexOf, complexes+1)
	x, complexOf = check.Guard(x), check.Index(complexOf)
	products := Mul(ExpandAxes(x, 1), ExpandAxes(x, 2))
	sums := exterior.SegmentSum(products, complexOf, complexes+1, true)
	return SliceAxis(sums, 0, AxisRangeFromStart(complexes))
}
