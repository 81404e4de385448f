// Package train trains GoMLX models on collections of embedded complexes, by
// the protocol of the paper (appendix E): cross-validation, Adam, a plateau
// schedule, early stopping, and metrics computed exactly, on the host, from all
// predictions.
//
// A [Task] describes the trainings, [CrossValidate] runs them, [FitAll] trains on
// all data, and a [Predictor] asks, saves and loads what was trained. What is
// learned is an [Objective]: [Classes], [Answers], [Numbers] or one of your own. Tasks that
// share a [Pool] of workers run simultaneously. An epoch is one XLA program, a
// [Loop] over the steps that runs on the device; on the pure Go backend the same
// steps run one by one. Every batch is a row of indices into a vertex table that
// stays on the device, with only the parts that the model reads. A worker
// compiles one or two training programs, seldom three, and one evaluation program
// for all folds and seeds.
//
// To train by a loop of your own, [Epochs] takes batches of a collection, and a
// Loop takes other data.
package train
