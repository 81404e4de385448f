package exterior

import (
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/support/exceptions"
)

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
