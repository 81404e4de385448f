// Package layers holds neural k-forms as GoMLX layers: learnable
// representations of embedded simplicial complexes without message passing
// (Maggs, Hacker and Rieck, Simplicial Representation Learning with Neural
// k-Forms, ICLR 2024).
//
// A neural k-form is a multilayer perceptron whose outputs are the
// coefficients of a differential k-form on Rⁿ. Integrating ℓ of them over the
// k-simplices of a complex with vertices in Rⁿ gives its integration matrix;
// a readout sums its rows per complex, and any GoMLX layers may follow:
//
//	forms := layers.KForm(scope.In("forms"), n, 1, 5).Hidden(16, 8).Done()
//	x := exterior.Integrate(forms, vertices, edges)             // [edges, 5]
//	h := layers.Readout(layers.SquaredL2, x, graphOf, graphs)   // [graphs, 5]
//	h = layers.BatchNorm(scope.In("norm"), h, mask)
//	logits := layers.MLP(scope.In("head"), h, 16, 8, classes)
//
// This is the inside of a GoMLX model function: *Node is a node of its package
// core/graph, and scope a *model.Scope of the store that holds the weights. To run
// it once on a backend:
//
//	store := model.NewStore()
//	out, err := model.CallOnce(backend, store, func(scope *model.Scope, g *Graph) *Node { ... })
//
// Package train of nkf trains such models on collections of complexes, of which it
// makes a [Batch]; [Dataset] gives the same batches to GoMLX's own trainer.
//
// # Batches
//
// A batch of complexes is flat and padded to a static shape: vertices [V, n],
// simplices [S, k+1] as int32 vertex numbers, and the complex of each simplex
// [S], ascending. All corners of a padding simplex are the same vertex, so its
// integrals are exactly zero. Padding simplices belong to a dummy complex after
// the last, which [Readout] drops. Padding changes no value and no gradient.
// The vertex of padding simplices should be a padding vertex, which belongs to
// no complex. In packages cochain and gnn, where neighbors exchange messages,
// it must be one, because a loop sends to its own vertex. Its coordinates must
// be finite, preferably zero: NaN or infinity there leaves values unchanged but
// makes the gradients of weights NaN, since 0·NaN is NaN.
//
// # Indices
//
// A device does not check indices: XLA integrates an edge to a missing vertex as
// an edge to another vertex, and the Go backend fails. Constants are checked while the
// graph is built; package datasets and [Integrator] reject such edges.
//
// # Scopes
//
// A scope is for one layer, as in GoMLX: a second layer in it would share its
// weights and panics, unless Scope.Shared allows it. Only [Linear] enters no scope
// of its own: two in one scope share their weights. Forms are made once and
// may be used any number of times.
//
// # Goroutines
//
// Two goroutines that build graphs with the variables of one store end the process,
// since GoMLX's store is a map without a lock. Build one after the other, under a
// mutex, or let each have a store of its own; compiled programs run side by side.
// Packages train and models of nkf do so.
//
// Like GoMLX layers, these take the scope first and panic with a one-sentence
// message on wrong shapes.
package layers
