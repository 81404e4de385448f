// Package cochain holds networks that pass messages by integrals of
// differential forms: cochain networks.
//
// A k-cochain assigns a number to every oriented k-simplex, and the negative
// number to the simplex with the opposite orientation. Two operators connect
// adjacent degrees, the coboundary d and its adjoint δ, the boundary:
//
//	(dx)_σ = Σ_τ [σ:τ] x_τ,   (δX)_τ = Σ_σ [σ:τ] X_σ,
//
// where [σ:τ] = ±1 is the orientation of the face τ in the boundary of σ; see
// [layers.Incidence]. They do not depend on the embedding and have no weights.
// Integrals of forms over simplices are cochains that depend on the embedding
// and can be learned: neural k-forms (Maggs, Hacker and Rieck, Simplicial
// Representation Learning with Neural k-Forms, ICLR 2024), those of
// layers.KForm.
//
// A cochain layer combines both. It maps vertices to points x of Rᵐ and
// integrates forms on Rᵐ over the edges, X = ∫ω. The boundary sums at
// each vertex the integrals over its edges, all directed towards it, and the
// sum moves the vertex,
//
//	x ← normalize(x + ψ(x, δX)).
//
// One level depends on single edges only, two levels on paths of two edges, and
// so on. The result does not depend on orientations: reversing an edge changes
// the signs of X and of [σ:τ], but not x. [Network] stacks such layers and
// reads out every level. Within a GoMLX model function, with a batch as package
// layers describes and the sizes of the model "cochain" of package models:
//
//	config := cochain.Config{Width: 8, Layers: 3, Forms: 8, Hidden: 32, Points: 2,
//		Functions: 16, Head: 32, Dropout: 0.3}
//	logits := cochain.Network(scope, batch, config, classes) // [B, classes]
//
// With triangles, edges have features of their own: the layer [Hodge] updates
// k-cochains from their faces and cofaces.
//
// Like GoMLX layers, these take the scope first and panic with a one-sentence
// message on wrong shapes. Batches are padded as in package layers: all corners
// of a padding simplex are the same vertex, so its integrals are exactly zero,
// and padding simplices belong to a dummy complex after the last. The vertex
// should be a padding vertex, which belongs to the dummy complex. It must be
// one where vertices receive from their neighbors, as in
// [layers.Incidence.Neighbors] and with Config.Neighbors, because a loop adds
// its vertex to itself; and where simplices are points, whose integrals are
// values and not zero.
package cochain
