// Package gnn holds message-passing networks on graphs as GoMLX layers: the
// networks with which the paper compares neural k-forms (Maggs, Hacker and
// Rieck, Simplicial Representation Learning with Neural k-Forms, ICLR 2024,
// section 5), with the conventions and the initialization of PyTorch Geometric.
//
//	batch := layers.Unpack(spec, inputs)                      // of a layers.Dataset, or made by hand
//	logits := gnn.GAT(scope.In("gat"), batch, 32, 5, classes) // [graphs, classes]
//
// Batches are those of package layers with simplices of degree 1: vertices [V,
// n], each undirected edge once as [S, 2] vertex numbers, in either order, and
// the graph of every vertex [V], ascending. Padding edges are loops at a padding
// vertex, and padding vertices belong to a dummy graph after the last, whose row
// is dropped. Padding changes no value and no gradient if its features are
// finite, preferably zero. Graphs without edges or vertices are allowed; the sum
// over no vertices is zero.
//
// Like GoMLX layers, these take the scope first and panic with a one-sentence
// message on wrong shapes.
package gnn
