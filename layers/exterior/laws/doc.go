// Package laws checks the laws of exterior calculus on forms, integrals and
// quadrature rules of your own.
//
// A [Subject] says what is tested: a form, with its rule and perhaps an integral
// of its own, and a backend. Every law draws random simplices, measures by how much
// it fails and returns nil, or an error with the figures, [ErrViolated]:
//
//	s := laws.Subject{Backend: backend, Form: myForm}
//	if err := laws.Stokes(s); err != nil {
//		log.Fatal(err) // laws: Stokes: entry 3 is 0.41, want 0.42: off by 2.4e-02 …
//	}
//
//	law              states
//	[Stokes]         ∫_σ dω = ∫_∂σ ω
//	[Closed]         d(dω) = 0
//	[Orientation]    ∫ changes sign with every exchange of two vertices
//	[Subdivision]    integrals add up over the parts of a simplex
//	[Linearity]      X(Lβ, ωR) = L·X(β, ω)·R
//	[Pullback]       ∫_σ φ*ω = ∫_φ(σ) ω for affine φ
//	[Cartan]         L_X ω = dι_X ω + ι_X dω
//	[Padding]        simplices squeezed to a point count for nothing
//	[Agreement]      a form's own Integral is that of its coefficients
//	[Convergence]    the error falls with the rule's order
//	[Exactness]      a rule is exact to the degree that it states
//
// and of iterated integrals along paths, see package signature:
//
//	[Chen]               ∫_{γη} w = Σ_{uv=w} ∫_γ u · ∫_η v
//	[Shuffle]            ∫u · ∫v = Σ ∫w over the shuffles w of u and v
//	[Reversal]           ∫ along the path backwards is ± that of the word reversed
//	[Reparametrization]  points added on edges change nothing
//	[TreeLike]           nor does a detour there and back
//	[LevyArea]           ∫dx_i dx_j - ∫dx_j dx_i is a determinant
//
// Nothing here needs package testing: the checks run in tests, in notebooks
// and in programs alike.
package laws
