// Package exterior computes with differential forms on graph nodes: the
// mathematics of nkf, without variables. The layers with variables are in
// package layers.
//
// A *Node is one of GoMLX's package core/graph, which programs import with a dot.
// The integrals of -y dx + x dy over two edges of a square:
//
//	backend, err := backends.New() // of package layers/backends
//	// ...
//	integrals, err := CallOnce(backend, func(g *Graph) *Node {
//		form := exterior.Formula(2, 1, func(x []*Node) []*Node { return []*Node{Neg(x[1]), x[0]} })
//		vertices := Const(g, [][]float64{{0, 0}, {1, 0}, {1, 1}})
//		edges := Const(g, [][]int32{{0, 1}, {1, 2}})
//		return exterior.Integrate(form, vertices, edges)
//	})
//	// ...
//	fmt.Println(integrals.Value()) // [[0] [1]], up to rounding
//
// # Forms
//
// A differential k-form on Rⁿ is ω = Σ_I f_I(x) dx_I, where I runs over the
// C(n,k) increasing multi-indices i_1 < … < i_k in lexicographic order, see
// [MultiIndices]. A [Form] combines ℓ such forms: a function from points [P, n]
// to coefficients [P, C(n,k), ℓ]. Degree, dimension and the number of forms are
// run-time values; degree 0 (functions) and degree n (densities) are no special
// cases.
//
// # Integrals
//
// The integral over the oriented simplex σ = [v_0 … v_k] is
//
//	∫_σ ω = Σ_I det(D^I) · ∫_Δᵏ f_I(x(t)) dt,   D = [v_1-v_0 | … | v_k-v_0],
//
// where D^I has the rows I of D. The minors det(D^I) are the components of the
// wedge product of the edge vectors. [Integrate] is the sum of the coefficients
// over the points of the form's quadrature rule, in integral.go for all forms.
// Networks, see [Neural], and products of functions, see [Decomposable], are fast
// because their affine parts commute with the integral; that of df is the
// difference of f at the ends of an edge.
//
// # Calculus
//
// These operations take and return forms, whether their coefficients are given
// by a formula or by a network:
//
//	ω ∧ η   [Form.Wedge]      dω   [Form.D]                 φ*ω   [Form.Pullback]
//	⋆ω      [Form.Star]       δω   [Form.Codifferential]
//	ω + η   [Form.Add]        cω   [Form.Scale]             ωR    [Form.Combine]
//
// The star and the codifferential are those of the Euclidean metric.
//
// Derivatives are exact, by automatic differentiation, and can be
// differentiated again, so that a network can be trained on its dω. [Formula]
// makes forms from formulas. Package laws checks the identities between these
// operations, such as Stokes' theorem, for any form.
//
// All functions here build graphs and, like those of GoMLX, panic on wrong
// shapes.
package exterior
