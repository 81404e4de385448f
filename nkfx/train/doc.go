// Package train trains GoMLX models on collections of embedded complexes, by
// the protocol of the paper (appendix E): cross-validation, Adam, a plateau
// schedule, early stopping, and metrics computed exactly, on the host, from all
// predictions.
//
// A [Task] describes the trainings, [CrossValidate] runs them, [FitAll] trains on
// all data, and a [Predictor] asks, saves and loads what was trained. For data with
// three classes, and a model that sums squared integrals of five neural forms over
// the simplices of each complex:
//
//	task := train.Task{Data: data, Model: func(scope *model.Scope, batch *layers.Batch) *Node {
//		forms := layers.KForm(scope.In("forms"), batch.Dim(), batch.Degree(), 5).Done()
//		return layers.MLP(scope.In("head"), batch.Readout(layers.SquaredL2, forms), 16, 3)
//	}}
//	outcome, err := train.CrossValidate(ctx, backend, task)
//	fmt.Println(outcome) // mean and standard deviation of the accuracy
//	weights, _, err := train.FitAll(ctx, backend, task, outcome.Fits)
//	predictor, err := train.NewPredictor(backend, task.Model, data.Info, weights)
//	logits, err := predictor.Predict(ctx, data) // [complexes, 3], row after row
//
// What is learned is an [Objective]: [Classes], [Answers], [Numbers] or one of your
// own. Tasks that share a [Pool] of workers run simultaneously. An epoch is one XLA program, a
// [Loop] over the steps that runs on the device; on the pure Go backend the same
// steps run one by one. Every batch is a row of indices into a vertex table that
// stays on the device, with only the parts that the model reads. A worker
// compiles one or two training programs, seldom three, and one evaluation program
// for all folds and seeds.
//
// To train by a loop of your own, [Epochs] takes batches of a collection, and a
// Loop takes other data.
package train
