// Package packing packs complexes into padded batches of static shapes, as devices require: the step between
// a collection and a batch on the graph, [layers.Batch].
//
// XLA compiles a program for every shape, so batches are padded to a [Budget]. [Packer.Budgets] finds two for
// a collection: a usual one and a proven bound for rare batches of large complexes. Padding vertices and
// simplices belong to a dummy complex after the last and change no value and no gradient. A [Layout]
// describes the positions of the parts of a batch in one row of int32, so that a batch is one transfer and an
// epoch is one table of rows; [Packer.Pack] fills a row without allocating.
//
// The budgets of the paper's seven graph benchmarks in batches of 16 complexes, with the share of batches
// that exceed the usual budget, and the padding of epochs in random order:
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
// Molecules have many equal simplices: a [Packer] made with [Distinct] also packs the distinct simplices of a
// batch, so that each is integrated once.
//
// Of graphs with 65,536 edges or more, batches also list the neighbors of each vertex.
//
// It may change at any time: what is promised to users is in other packages.
//
// [layers.Batch]: https://pkg.go.dev/github.com/neuralkforms/nkf/layers#Batch
package packing
