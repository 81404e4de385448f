// Package cochain holds networks that pass messages by integrals of
// differential forms: cochain networks.
//
// A k-cochain gives a number to every oriented k-simplex, and minus that number
// when the simplex is turned around. Two operators lead from one degree to the
// next, the coboundary d and its adjoint, the codifferential δ:
//
//	(dx)_σ = Σ_τ [σ:τ] x_τ,   (δX)_τ = Σ_σ [σ:τ] X_σ,
//
// where [σ:τ] = ±1 says how the face τ of σ is directed in the boundary of σ;
// see [layers.Incidence]. They know nothing of embeddings and have nothing to learn.
// Integrals of forms over simplices are cochains that know the embedding, and
// learn: neural k-forms (Maggs, Hacker and Rieck, Simplicial Representation
// Learning with Neural k-Forms, ICLR 2024), those of layers.KForm.
//
// A cochain layer joins the two. Vertices are moved to points x of Rᵐ; forms on
// Rᵐ are integrated over the edges, X = ∫ω; the codifferential brings to each
// vertex the integrals over its edges, all directed towards it; and they move
// the vertex,
//
//	x ← normalize(x + ψ(x, δX)).
//
// One level sees edges only, two see paths, and so on. All of it depends on no
// orientation: when an edge is turned around, X changes its sign and so does
// [σ:τ], and x stays. [Network] stacks such layers and reads out every level:
//
//	logits := cochain.Network(scope, batch, config, classes)
//
// With triangles there is more to do for an edge than to serve its vertices:
// [Hodge] is the layer that updates k-cochains by what comes from their faces
// and cofaces.
//
// As GoMLX layers do, these take the scope first and panic, with a sentence,
// on shapes that do not fit. Batches are padded as in package layers: padding
// simplices have all corners at one vertex, so that their integrals are exactly
// zero, and belong to a dummy complex after the last. Let that be a padding
// vertex, one of the dummy complex: it must be where vertices hear of their
// neighbors, as in [layers.Incidence.Neighbors] and with Config.Neighbors, for a loop
// adds its vertex to itself; and where simplices are points, whose integrals
// are values and not zero.
package cochain
