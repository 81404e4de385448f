package exterior

import (
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/support/exceptions"
)

// Pullback returns the bundle φ*ω on Rᵐ for a differentiable map φ: Rᵐ → Rⁿ
// given on rows, from points [P, m] to [P, n],
//
//	(φ*ω)_J(x) = Σ_I f_I(φ(x)) · det(∂φ_I/∂x_J),
//
// the Jacobian by automatic differentiation. For an affine map pass
// [Affine.Apply]. Then ∫_σ φ*ω = ∫_φ(σ) ω; pull-back commutes with the wedge
// product and with the exterior derivative. As in [Form], φ must compute each
// row from the same row of its argument. It panics for k > m, where φ*ω has no
// components.
func (f Form) Pullback(m int, phi func(points *Node) *Node) Form {
	if f.Degree > m {
		exceptions.Panicf(
			"exterior.Form.Pullback: the pull-back of a %d-form to dimension %d has no components",
			f.Degree, m)
	}
	return f.derived(m, f.Degree, f.Count, func(points *Node) *Node {
		values := f.At(phi(points))
		if f.Degree == 0 {
			return values
		}
		// Row i is ∂φ/∂x_i at every point.
		jacobian := partials(phi, points, axes(points))
		return Einsum("jpi,pil->pjl", minors(jacobian, f.Degree), values)
	})
}

// minors returns the k×k minors of matrices with rows [n, P, m], n of each, for
// k > 0: [C(n,k), P, C(m,k)].
func minors(rows *Node, k int) *Node {
	n, count, m := rows.Shape().Dimensions[0], rows.Shape().Dimensions[1], rows.Shape().Dimensions[2]
	names := MultiIndices(n, k)
	vectors := make([]*Node, k)
	for a := range vectors {
		pick := make([]int32, len(names))
		for j, name := range names {
			pick[j] = int32(name[a])
		}
		vectors[a] = Reshape(takeRows(rows, pick), len(names)*count, m)
	}
	return Reshape(blade(vectors...), len(names), count, Components(m, k))
}
