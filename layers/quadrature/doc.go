// Package quadrature holds rules for integration over the standard simplex
//
//	Δᵏ = { (t_1, …, t_k) : t_i ≥ 0, Σ t_i ≤ 1 },   volume 1/k!.
//
// A [Rule] is a family: for every dimension k it gives the [Nodes] on Δᵏ, so
// that code which integrates forms never asks for the dimension. On the
// 0-simplex every rule is the value at the point.
//
//	rule                  nodes on Δᵏ      exact to degree   weights
//	[Subdivision](m)      C(m+k, k)        1                 positive
//	[Trapezoid](p)        Subdivision(p-1)
//	[Gauss](q)            qᵏ               2q-1              positive
//	[Symmetric](rule)     up to (k+1)! · those of the rule, exact where it is
//	[Explicit]            any              as stated         any
//
// Subdivision is the rule of the paper (Maggs, Hacker and Rieck, ICLR 2024,
// VolApprox): reproduce with it. Gauss is what to use otherwise: three points
// per direction integrate a neural form with smooth activation to about 1e-8.
package quadrature
