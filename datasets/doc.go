// Package datasets holds collections of embedded simplicial complexes: their splits, padded batches and
// files.
//
// A [Collection] keeps everything in flat arrays: the coordinates of all vertices, one row each; the
// simplices, one row of vertex numbers each; and for every complex where its rows start and which class it
// belongs to. A graph with node features is a collection of degree 1: vertices are nodes, simplices are
// edges. The packages below this one read collections from files (tu, moleculenet) or build them (simplicial,
// synthetic).
//
// # Splits
//
// [StratifiedFolds] gives the folds that scikit-learn gives for the same labels and seed, number for number
// and in the same order, so results compare fold by fold with those of programs in Python. [Random] is the
// generator below it.
//
// # Batches
//
// XLA compiles a program for every shape that it meets, so batches are padded to a [Budget], and [Budgets]
// finds two for a collection: a usual one and a proven bound for the odd batch of large complexes. Padding
// vertices and simplices belong to a dummy complex after the last one and never change a value or a gradient.
// [Batch.Pack] writes index arrays into memory that it is given, without allocating; [NewDataset] makes a
// train.Dataset of GoMLX, which yields tensors ready for a trainer.
//
// On the seven graph benchmarks of the paper in batches of 16 complexes, with the share of batches past the
// usual budget and the padding of whole epochs in random order:
//
//	name         usual [V, S] bound [V, S]   past usual   padded / real
//	AIDS          416, 440    1328, 1440        0.7 %         1.70
//	BZR           664, 712     824, 880         0.1 %         1.19
//	COX2          712, 752     848, 896         0.1 %         1.11
//	DHFR          792, 824    1040, 1080        0.0 %         1.18
//	Letter-low     96, 64      136, 96          0.0 %         1.28
//	Letter-med     96, 72      136, 104         0.0 %         1.34
//	Letter-high    96, 96      136, 136         0.0 %         1.31
//
// # Files
//
// [Find] returns the path of a published file: from a folder of the user's, from the cache, or downloaded and
// checked against the SHA-256 in [Sources].
package datasets
