// Package layers holds neural k-forms as GoMLX layers: learnable
// representations of embedded simplicial complexes without message passing
// (Maggs, Hacker and Rieck, Simplicial Representation Learning with Neural
// k-Forms, ICLR 2024).
//
// A neural k-form is a multilayer perceptron whose outputs are the
// coefficients of a differential k-form on Rⁿ. Integrating ℓ of them over the
// k-simplices of a complex with vertices in Rⁿ gives its integration matrix;
// a readout sums it up per complex, and any GoMLX layers go on from there:
//
//	forms := layers.KForm(scope.In("forms"), n, 1, 5).Hidden(16, 8).Done()
//	x := exterior.Integrate(forms, vertices, edges)             // [edges, 5]
//	h := layers.Readout(layers.SquaredL2, x, graphOf, graphs)   // [graphs, 5]
//	h = layers.BatchNorm(scope.In("norm"), h, mask)
//	logits := layers.MLP(scope.In("head"), h, 16, 8, classes)
//
// # Batches
//
// A batch of complexes is flat and padded to a static shape: vertices [V, n],
// simplices [S, k+1] as int32 vertex numbers, and the complex of each simplex
// [S], ascending. Padding simplices have all corners at one vertex, so that
// their integrals are exactly zero, and belong to one dummy complex after
// the last; [Readout] drops it. Padding changes no value and no gradient. The
// vertex of padding simplices is best a padding vertex, one of no complex:
// where neighbors send messages to each other, in packages cochain and gnn,
// it must be, because a loop sends to its own vertex. Its coordinates have to
// be finite, best zeros: from NaN or infinity there values stay as they are, but
// the gradients of weights become NaN, which is 0·NaN.
//
// # Indices
//
// A device takes indices as they come: an edge to a vertex that does not exist
// is integrated as one to another vertex. Package datasets and [Integrator]
// refuse such edges; in a graph of your own [ReportIndices] finds them, when
// the environment variable NKF_CHECK_INDICES is set.
//
// # Scopes
//
// A scope is for one layer, as in GoMLX: a second one in it would share its
// weights, and is refused. Scope.Shared says that this is meant. Forms are made
// once and used as often as one likes.
//
// As GoMLX layers do, these take the scope first and panic, with a sentence,
// on shapes that do not fit.
package layers
