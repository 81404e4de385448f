// Package packing lays complexes out in padded batches of static shapes, as devices want them: the plumbing
// between a collection and a batch on the graph, [layers.Batch].
//
// XLA compiles a program for every shape that it meets, so batches are padded to a [Budget], and
// [Packer.Budgets] finds two for a collection: a usual one and a proven bound for the odd batch of large
// complexes. Padding vertices and simplices belong to a dummy complex after the last one and never change a
// value or a gradient. A [Layout] says where the parts of a batch stand in one row of int32, so that a batch
// is one transfer, and a whole epoch one table of rows; [Packer.Pack] fills a row without allocating.
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
// Molecules repeat themselves: a [Packer] made with [Distinct] also packs which simplices of a batch are
// different, so that each is integrated once.
//
// It may change at any time: what is promised to users is in other packages.
//
// [layers.Batch]: https://pkg.go.dev/github.com/neuralkforms/nkf/layers#Batch
package packing
