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

// Star returns the Hodge duals ⋆ω_j, (n-k)-forms, for the Euclidean metric
// and the standard orientation: ω ∧ ⋆ω = |ω|² dx_1 ∧ … ∧ dx_n, that is
//
//	⋆dx_I = sign(I, J) dx_J,   J the complement of I.
//
// Applied twice it is (-1)^(k(n-k)).
func (f Form) Star() Form {
	// The terms of dx_I ∧ dx_J for complements, all of one component.
	pairs := shuffles(f.Dim, f.Degree, f.Dim-f.Degree)
	terms, pick := make([]shuffle, len(pairs)), make([]int32, len(pairs))
	for _, pair := range pairs {
		terms[pair.right] = shuffle{out: pair.right, sign: pair.sign}
		pick[pair.right] = int32(pair.left)
	}
	return f.derived(f.Dim, f.Dim-f.Degree, f.Count, func(points *Node) *Node {
		rows := takeRows(Transpose(f.At(points), 0, 1), pick)
		return Transpose(signedSums(rows, terms), 0, 1)
	})
}

// Codifferential returns the bundle of (k-1)-forms
//
//	δω = (-1)^(n(k+1)+1) ⋆d⋆ω,
//
// the formal adjoint of the exterior derivative: ∫⟨dα, ω⟩ = ∫⟨α, δω⟩ where one of
// them has compact support. For a 1-form it is minus the divergence, and δd of a
// function is minus its Laplacian. It panics for k = 0, where it has no
// components.
//
// Derivatives are those that exist almost everywhere. If ω is piecewise
// constant, as dη of a network with ReLU is, they are 0: δω is concentrated on
// the jumps, which are not computed. Use a smooth activation, such as
// layers.SiLU.
func (f Form) Codifferential() Form {
	if f.Degree == 0 {
		exceptions.Panicf("exterior.Form.Codifferential: the codifferential of a function is zero, and has " +
			"no components: want forms of degree 1 or more")
	}
	sign := -1.0
	if f.Dim*(f.Degree+1)%2 == 1 {
		sign = 1
	}
	return f.Star().D().Star().Scale(sign)
}

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
	if phi == nil {
		exceptions.Panicf("exterior.Form.Pullback: the map is nil: want a function of points [P, %d]", m)
	}
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
