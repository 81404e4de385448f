// Package heat holds layers on functions on surfaces whose results do not depend on how a surface is cut into
// triangles: integrals against area, and functions of the Laplacian Δ of the metric.
//
// The layers use two operators. One is the heat that flows from a function f,
//
//	exp(-tΔ)f = Σ_j exp(-λ_j t) φ_j ⟨φ_j, f⟩,
//
// in a basis of eigenfunctions of the smallest eigenvalues. The other is the product of two gradients, which
// needs no frames (carré du champ; Bakry and Émery, Diffusions hypercontractives, 1985),
//
//	⟨df, dg⟩ = ½ (fΔg + gΔf - Δ(fg)).
//
// They reach forms of all degrees. Heat commutes with d, so du is what heat leaves of the 1-form dh of a
// function h, if u is what it leaves of h. The size of the 2-form du ∧ dv is Gram's determinant,
//
//	|du ∧ dv|² = |du|²|dv|² - ⟨du, dv⟩².
//
// All converge with order 2 as triangles become smaller. No single eigenfunction is used, so the choice of a
// basis of an eigenspace has no effect, unless the eigenfunctions end within it. Nothing is oriented, so the
// orientation of triangles has no effect.
//
// [Network] stacks layers of these operators. With functions alone, the layers are close to those of
// DiffusionNet (Sharp, Attaiki, Crane and Ovsjanikov, DiffusionNet: Discretization Agnostic Learning on
// Surfaces, 2022), whose gradients are in frames of the triangles around each vertex.
//
// Like GoMLX layers, these take the scope first and panic with a one-sentence message on wrong shapes.
package heat
