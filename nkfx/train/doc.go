// Package train trains GoMLX models on collections of embedded complexes, by
// the protocol of the paper (appendix E): cross-validation, Adam, a plateau
// schedule, early stopping, and metrics that are computed exactly, on the
// host, from all predictions.
//
// An epoch is one XLA program, a loop over the steps that runs on the device:
// its body is the training step that GoMLX builds from model, loss and
// optimizer, and every batch is a row of indices into a vertex table that
// stays on the device, as far as the model reads them. A collection has at most
// two programs that train, seldom three, and one that evaluates, for all folds
// and seeds; trainings side by side have their own. On the pure Go backend the
// same steps run one by one.
//
// A [Task] says what to do, and [CrossValidate] does it. Tasks that share the
// workers of a [Team] run side by side. [Loop] is the loop on the device for
// other models: those that learn something else, or from other data.
package train
