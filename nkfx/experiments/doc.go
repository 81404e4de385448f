// Package experiments holds the experiments of the paper (Maggs, Hacker and
// Rieck, ICLR 2024). An experiment returns a typed result that notebooks, the
// command line and the tests share, with everything needed to make it again:
// seeds, versions, backend, checksum of the data.
//
// A [Benchmark] is a data set with its rules for comparing models, a [Run]
// trains a model of package models on it, and a [Table] has models in rows and
// benchmarks in columns, beside published results. Each experiment on synthetic
// data has a file.
//
// # Several processes
//
// Long experiments keep finished trainings in journals under a folder for
// results, with a file for every data set and model. The same set-up resumes
// after any interruption. A [Shard] is a part of the trainings. Shards may run
// simultaneously, on one or on several machines that share the folder; their
// results equal those of a single run bit for bit, and [Merge] joins their
// journals.
package experiments
