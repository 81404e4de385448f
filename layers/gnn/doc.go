// Package gnn holds message-passing networks on graphs as GoMLX layers: those
// that neural k-forms are compared with (Maggs, Hacker and Rieck, Simplicial
// Representation Learning with Neural k-Forms, ICLR 2024, section 5), with the
// conventions and the initialization of PyTorch Geometric.
//
// There is a layer, which makes new features of the vertices out of old ones,
// and a whole network, which ends in one row per graph:
//
//	edges := gnn.Undirected(pairs, 100)                      // pairs [S, 2] of 100 vertices
//	h := gnn.GCNConv(scope.In("first"), x, edges, 32)        // [100, 32]
//
//	batch := layers.Unpack(spec, inputs)                      // of a layers.Dataset, or made by hand
//	logits := gnn.GAT(scope.In("gat"), batch, 32, 5, classes) // [graphs, classes]
//
// The layers are [GCNConv], [GATConv], [GINConv] and [EGNNConv].
//
// # Batches
//
// Batches are those of package layers with simplices of degree 1: vertices
// [V, n], each undirected edge once as [S, 2] vertex numbers, and the graph
// of every vertex [V], ascending. Padding edges are loops at a padding vertex,
// and padding vertices belong to a dummy graph behind the last, whose row is
// dropped. Padding changes no value and no gradient where its features are
// finite, best zeros. A graph without edges, or even without vertices, is a
// graph like any other; the sum over no vertices is zero.
//
// As GoMLX layers do, these take the scope first and panic, with a sentence,
// on shapes that do not fit.
package gnn
