package exterior

import (
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/support/exceptions"

	"github.com/neuralkforms/nkf/layers/quadrature"
)

// D returns the exterior derivative, a bundle of (k+1)-forms,
//
//	dω = Σ_i dx_i ∧ ∂_i ω,   (dω)_K = Σ_{i ∈ K} sign(i, K∖i) · ∂_i f_{K∖i},
//
// by automatic differentiation of the coefficients. It is a form like any
// other: it integrates, it has a derivative (which is zero: d∘d = 0), and
// gradients flow through it to the weights of a neural form.
//
// Derivatives are those that exist almost everywhere: dω of a network with
// ReLU has jumps, which Stokes' theorem allows, but see [Form.Codifferential].
//
// Integrating dω over a simplex takes derivatives along its k+1 edges alone;
// [Form.At] takes n of them. The derivative of a function, k = 0, is exact: its
// integral over an edge is the difference of the values at the ends, whatever
// the rule. D panics for the n-forms of Rⁿ, whose derivative has no components.
func (f Form) D() Form {
	if f.Degree >= f.Dim {
		exceptions.Panicf(
			"exterior.Form.D: the derivative of a %d-form in dimension %d is zero, and has no components",
			f.Degree, f.Dim)
	}
	d := f.derived(f.Dim, f.Degree+1, f.Count, func(points *Node) *Node {
		d := partials(f.At, points, axes(points))
		// Rows i·C(n,k) + J hold ∂_i f_J.
		rows := Reshape(Transpose(d, 1, 2), -1, points.Shape().Dimensions[0], f.Count)
		terms := shuffles(f.Dim, 1, f.Degree)
		pick := make([]int32, len(terms))
		for t, term := range terms {
			pick[t] = int32(term.left*Components(f.Dim, f.Degree) + term.right)
		}
		return Transpose(signedSums(takeRows(rows, pick), terms), 0, 1)
	})
	d.Integral = f.differential
	if f.Degree == 0 {
		d.Integral = f.increase
	}
	return d
}

// increase returns the integrals of df over edges, f(v_1) - f(v_0).
func (f Form) increase(corners []*Node, _ *quadrature.Nodes) *Node {
	point := &quadrature.Nodes{Barycentric: []float64{1}, Weights: []float64{1}}
	return Sub(f.integral(corners[1:], point), f.integral(corners[:1], point))
}
