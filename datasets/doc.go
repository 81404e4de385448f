// Package datasets holds collections of embedded simplicial complexes, their splits and files. Package
// packing turns them into padded batches for a device.
//
// A [Collection] keeps everything in flat arrays: the coordinates of all vertices, one row each; the
// simplices of every degree, one row of vertex numbers each; where the rows of each complex start, and its
// target. A graph with node features is a collection of degree 1: vertices are nodes, simplices are edges. A
// [Builder] fills it complex by complex, from any source. The packages below this one read collections from
// files (such as tu and moleculenet) or generate them (synthetic); package simplicial makes complexes to add.
//
// # Splits
//
// [StratifiedFolds] returns the folds of scikit-learn for the same labels and seed, number for number and in
// the same order, so results can be compared fold by fold with Python programs. [Random] is its generator of
// random numbers.
//
// # Files
//
// A [Finder] opens published files from a folder of the user or from the program, and always compares them
// with the SHA-256 of their [PublishedFile]. Package published holds the data sets of the experiments.
package datasets
