// Package datasets holds collections of embedded simplicial complexes, their splits and files. Package
// packing turns them into padded batches for a device.
//
// A file becomes a batch in three steps, each with its type. A [Source] holds the contents of a file that a
// package such as tu or mesh has read. Its [Encoder] turns the source into a [Collection] that networks can
// be trained on; it is saved with the model and encodes other sources of that kind. A packing.Packer makes
// batches of the collection.
//
// A [Collection] keeps everything in flat arrays: the coordinates of all vertices, one row each; the
// simplices of every degree, one row of vertex numbers each; the first row of each complex, and its target. A
// graph with node features is a collection of degree 1: vertices are nodes, simplices are edges. A [Builder]
// fills it complex by complex. Package synthetic generates collections, and package simplicial makes
// complexes that can be added. Two paths in the plane, an open one and a closed one:
//
//	b := datasets.NewBuilder(2)
//	b.Classes = []string{"open", "closed"}
//	b.AddPath([]float64{0, 0, 1, 0, 1, 1}, 0)
//	b.Add([]float64{0, 0, 1, 0, 1, 1}, [][]int32{1: {0, 1, 1, 2, 2, 0}}, 1)
//	data, err := b.Collection()
//
// # Splits
//
// [StratifiedFolds] returns the folds of scikit-learn for the same labels and seed, number for number and in
// the same order, so results can be compared fold by fold with Python programs. [Random] is its generator of
// random numbers.
//
// Package published holds the data sets of the experiments.
package datasets
