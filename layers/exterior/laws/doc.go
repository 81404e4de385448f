// Package laws checks the laws of exterior calculus on forms, integrals and
// quadrature rules of your own.
//
// A [Subject] holds a form to test, with its rule and possibly an integral of
// its own, and a backend. Every law draws random simplices and measures the
// deviation. It returns nil, or an error [ErrViolated] with the figures:
//
//	s := laws.Subject{Backend: backend, Form: myForm}
//	if err := laws.Stokes(s); err != nil {
//		log.Fatal(err) // laws: Stokes: entry 3 is 0.41, want 0.42: off by 2.4e-02 …
//	}
//
//	law              statement
//	[Stokes]         ∫_σ dω = ∫_∂σ ω
//	[Closed]         d(dω) = 0
//	[Orientation]    ∫ changes sign when two vertices are exchanged
//	[Subdivision]    integrals add up over the parts of a simplex
//	[Linearity]      X(Lβ, ωR) = L·X(β, ω)·R
//	[Pullback]       ∫_σ φ*ω = ∫_φ(σ) ω for affine φ
//	[Padding]        the integral over a simplex collapsed to a point is 0
//	[Agreement]      a form's own Integral agrees with its coefficients
//	[Exactness]      a rule is exact to its stated degree
//
// The checks do not need package testing: they run in tests, notebooks and
// programs.
package laws
