// Package datasets holds collections of embedded simplicial complexes, their splits and files. What turns
// them into padded batches for a device is package packing.
//
// A [Collection] keeps everything in flat arrays: the coordinates of all vertices, one row each; the
// simplices of every degree, one row of vertex numbers each; where the rows of each complex start, and its
// target. A graph with node features is a collection of degree 1: vertices are nodes, simplices are edges. A
// [Builder] fills it complex by complex, whatever it is made of. The packages below this one read collections
// from files (tu, moleculenet) or generate them (synthetic); package simplicial makes complexes to add.
//
// # Splits
//
// [StratifiedFolds] gives the folds that scikit-learn gives for the same labels and seed, number for number
// and in the same order, so results compare fold by fold with those of programs in Python. [Random] is the
// generator below it.
//
// # Files
//
// A [Finder] opens published files: from a folder of the user's, from the program, from the cache, or
// downloaded, and always compared with the SHA-256 of their [Source]. Package published holds the data sets
// of the experiments.
package datasets
