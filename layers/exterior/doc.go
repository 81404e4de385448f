// Package exterior computes with differential forms on graph nodes: the
// mathematics of nkf without any variables. The layers that own variables
// are in package layers.
//
// # Forms
//
// A differential k-form on Rⁿ is ω = Σ_I f_I(x) dx_I, where I runs over the
// C(n,k) increasing multi-indices i_1 < … < i_k in lexicographic order, see
// [MultiIndices]. A [Form] bundles ℓ of them: a function from points [P, n] to
// coefficients [P, C(n,k), ℓ]. Degree, dimension and the number of forms are
// values; degree 0 (functions) and degree n (densities) are degrees like any
// other.
//
// # Integrals
//
// The integral over the oriented simplex σ = [v_0 … v_k] is
//
//	∫_σ ω = Σ_I det(D^I) · ∫_Δᵏ f_I(x(t)) dt,   D = [v_1-v_0 | … | v_k-v_0],
//
// where D^I keeps the rows of D in I. The minors det(D^I) are the components
// of the wedge product of the edge vectors. [Integrate] evaluates
// the coefficients at the points of the form's quadrature rule, unless the form
// has an Integral of its own: that of a network, see [Neural], is fast because
// its affine parts commute with the integral, and that of df is the difference
// of f at the ends of an edge.
//
// # Calculus
//
// Forms are multiplied, differentiated and moved as forms, whatever their
// coefficients are made of, a formula or a network:
//
//	ω ∧ η   [Form.Wedge]      dω   [Form.D]                 φ*ω   [Form.Pullback]
//	⋆ω      [Form.Star]       δω   [Form.Codifferential]
//	ω + η   [Form.Add]        cω   [Form.Scale]             ωR    [Form.Combine]
//	ι_Xω    [Form.Interior]   L_Xω [Form.Lie]
//
// A [Metric] g(x) has a star, norms, a volume, a codifferential, and ♯ and ♭
// between 1-forms and fields of its own; without one they are Euclidean.
//
// Derivatives are exact, by automatic differentiation, and gradients flow
// through all of them, so that a network can be trained on its dω. Fields
// known by a formula are made with [Formula]. The laws between these
// operations, Stokes' theorem first, are checked by package laws for any form.
//
// All functions here build graphs: they panic on shapes that do not fit, as
// the functions of GoMLX do.
package exterior
