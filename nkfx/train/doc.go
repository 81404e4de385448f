// Package train trains GoMLX models on collections of embedded complexes, by
// the protocol of the paper (appendix E): cross-validation, Adam, a plateau
// schedule, early stopping, and metrics computed exactly, on the host, from all
// predictions.
//
// An epoch is one XLA program: a loop over the steps that runs on the device.
// Its body is the training step that GoMLX builds from model, loss and
// optimizer. Every batch is a row of indices into a vertex table that stays on
// the device, with only the parts that the model reads. A collection needs one
// or two training programs, seldom three, and one evaluation program for all
// folds and seeds; simultaneous trainings have their own. On the pure Go
// backend the same steps run one by one.
//
// A [Task] describes the trainings, and [CrossValidate] runs them. Tasks that
// share a [Pool] of workers run simultaneously. [Loop] is the loop on the
// device for other models, with other objectives or data.
package train
