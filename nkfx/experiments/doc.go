// Package experiments holds the experiments of the paper (Maggs, Hacker and
// Rieck, ICLR 2024). An experiment returns a typed result that notebooks, the
// command line and the tests share, with everything needed to make it again:
// seeds, versions, backend, checksum of the data.
//
// A [Benchmark] is a data set and how models are compared on it, a [Run] trains
// one of package models on it, and a [Table] has models in rows and benchmarks
// in columns, beside what was published. Those on synthetic data have a file
// each.
//
// # Many processes
//
// What trains for long keeps finished trainings in journals under a folder
// for results, a file for every data set and model. The same set-up goes on
// where it stopped, whatever ended it. A [Shard] is a part of the trainings;
// shards side by side, on one machine or on all that share the folder, do
// what one run does, to the last bit, and [Merge] makes their journals one.
//
// It may change at any time: what is promised to users is in other packages.
package experiments
