// Package experiments holds the experiments of the paper (Maggs, Hacker and
// Rieck, ICLR 2024). An experiment returns a typed result that notebooks, the
// command line and the tests share, with everything needed to make it again:
// seeds, versions, backend, checksum of the data. The model of the paper on BZR, and
// on molecules of your own:
//
//	bzr, err := experiments.Lookup("BZR")
//	result, err := experiments.NewRun(bzr, "nkf").Run(ctx, backend, nil)
//	fmt.Println(result.Mean, result.Std) // accuracy over five folds, in percent
//
//	columns := moleculenet.Columns{SMILES: "smiles", Labels: []string{"active"}}
//	mine, err := moleculenet.Open("mine.csv", columns)
//	run := experiments.NewRun(experiments.Own(mine), "cochain")
//	run.Out = "results" // finished trainings are kept there, and not repeated
//	result, saved, err := run.Train(ctx, backend, nil)
//	err = saved.Save("results/models/mine") // for models.Load
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
