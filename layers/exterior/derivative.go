package exterior

import (
	"slices"

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
	d := f.derivative(nil)
	switch {
	case f.Degree == 0:
		d.Integral = f.increase
	case f.differential != nil:
		d.Integral = f.differential
	default:
		d.Integral = f.alongEdges
	}
	return d
}

// derivative is D by the coefficients alone. steps is called, unless it is nil,
// for coefficients that depend on the point by steps alone.
func (f Form) derivative(steps func()) Form {
	return f.derived(f.Dim, f.Degree+1, f.Count, func(points *Node) *Node {
		d := partials(f.At, points, axes(points), steps)
		// Rows i·C(n,k) + J hold ∂_i f_J.
		rows := Reshape(Transpose(d, 1, 2), -1, points.Shape().Dimensions[0], f.Count)
		terms := shuffles(f.Dim, 1, f.Degree)
		pick := make([]int32, len(terms))
		for t, term := range terms {
			pick[t] = int32(term.left*Components(f.Dim, f.Degree) + term.right)
		}
		return Transpose(signedSums(takeRows(rows, pick), terms), 0, 1)
	})
}

// increase returns the integrals of df over edges, f(v_1) - f(v_0).
func (f Form) increase(corners []*Node, _ *quadrature.Nodes) *Node {
	point := &quadrature.Nodes{Barycentric: []float64{1}, Weights: []float64{1}}
	return Sub(f.integral(corners[1:], point), f.integral(corners[:1], point))
}

// alongEdges returns ∫_σ dω for simplices with the given corners, where
// e_0, …, e_k are the edges from corner 0, by
//
//	dω(e_0, …, e_k) = Σ_a (-1)^a · ∂_{e_a} ω(e_0, …, ê_a, …, e_k)
//
// which holds for vectors that do not depend on the point: k+1 derivatives of
// C(n,k) coefficients instead of n, whatever the dimension.
func (f Form) alongEdges(corners []*Node, nodes *quadrature.Nodes) *Node {
	count, edges := corners[0].Shape().Dimensions[0], len(corners)-1
	directions := make([]*Node, edges)
	for a := range directions {
		directions[a] = Sub(corners[a+1], corners[0])
	}
	along := Stack(directions, 0)
	// The same directions at every point of the rule.
	along = BroadcastToDims(ExpandAxes(along, 1), edges, nodes.Len(), count, f.Dim)
	along = Reshape(along, edges, nodes.Len()*count, f.Dim)
	points := Reshape(mix(corners, nodes), nodes.Len()*count, f.Dim)
	d := Reshape(partials(f.At, points, along, nil), edges, nodes.Len(), count, -1)
	means := weightedSum(Transpose(d, 0, 1), nodes.Weights)
	means = Reshape(means, edges, count, Components(f.Dim, f.Degree), f.Count)
	return alternating(edges, func(a int) *Node {
		return contract(edgeBlade(without(corners, a)), Squeeze(SliceAxis(means, 0, AxisElem(a)), 0))
	})
}

// without returns the corners but for the one at the end of edge a.
func without(corners []*Node, a int) []*Node {
	return slices.Delete(slices.Clone(corners), a+1, a+2)
}

// alternating returns Σ_a (-1)^a term(a) over count terms.
func alternating(count int, term func(a int) *Node) *Node {
	total := term(0)
	for a := 1; a < count; a++ {
		if a%2 == 1 {
			total = Sub(total, term(a))
		} else {
			total = Add(total, term(a))
		}
	}
	return total
}
