package exterior

import "github.com/gomlx/gomlx/support/exceptions"

// Codifferential returns the bundle of (k-1)-forms
//
//	δω = (-1)^(n(k+1)+1) ⋆d⋆ω,
//
// the formal adjoint of the exterior derivative: ∫⟨dα, ω⟩ = ∫⟨α, δω⟩ where one of
// them has compact support. For a 1-form it is minus the
// divergence, and δd of a function is minus its Laplacian. It panics for
// k = 0, where it has no components.
//
// Derivatives are those that exist almost everywhere. The coefficients of dω
// are piecewise constant where ω is a network with ReLU, or piecewise linear
// otherwise: their derivatives are 0, and what δdω is lies in the jumps, which
// nothing here sees. Coefficients that depend on the point through comparisons
// and the like alone therefore panic when they are evaluated: use a smooth
// activation. Where something smooth is added, the jumps are lost all the same.
func (f Form) Codifferential() Form { return f.codifferential(Form.Star) }

// codifferential is Codifferential with a Hodge star.
func (f Form) codifferential(star func(Form) Form) Form {
	if f.Degree == 0 {
		exceptions.Panicf("exterior.Form.Codifferential: the codifferential of a function is zero, and has " +
			"no components: want forms of degree 1 or more")
	}
	sign := -1.0
	if f.Dim*(f.Degree+1)%2 == 1 {
		sign = 1
	}
	return star(star(f).derivative(jumps)).Scale(sign)
}

// jumps panics for coefficients that depend on the point by steps alone.
func jumps() {
	exceptions.Panicf("exterior.Form.Codifferential: the coefficients are piecewise constant, as those " +
		"of dω are where ω is a network with ReLU: their derivatives are 0 almost everywhere, and the " +
		"jumps, which δ consists of, are not seen: use a smooth activation, such as layers.SiLU")
}
