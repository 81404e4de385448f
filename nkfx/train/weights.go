package train

import (
	"context"
	"slices"

	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/neuralkforms/nkf/datasets"
)

// FitAll trains the task's model on all of its data, following a typical training of its cross-validation,
// and returns the weights and the number of epochs. The typical training is the one with the median number of
// epochs up to the best; FitAll repeats its learning rates up to that epoch, or a whole fixed schedule.
// Without trainings it takes all epochs of the protocol, at the rate of the schedule or at the first. The
// task's folds are not used.
func FitAll(ctx context.Context, backend compute.Backend, task Task, fits []*Fit) (
	weights *model.Store, epochs int, err error) {
	task.all, task.Folds = true, nil
	if task.Data != nil {
		task.Folds = []datasets.Fold{{Train: task.Data.IDs()}}
	}
	release, err := task.complete(ctx, backend)
	if err != nil {
		return nil, 0, err
	}
	defer release()
	if err := task.begins(preparing, true, 1, nil); err != nil {
		return nil, 0, err
	}
	rates := task.rates(fits)
	all := job{number: finalFold, fold: task.Folds[0], seed: task.Seeds[0],
		epochs: len(rates), rate: func(epoch, _ int) float64 { return rates[epoch] }}
	if task.fixed() != nil { // it has a rate for every step
		all.rate, _ = task.schedule(len(all.fold.Train) / task.Protocol.Batch)
	}
	err = task.first(ctx, backend, func(t *trainer) error {
		if err := task.begins(compiling, true, 1, nil); err != nil {
			return err
		}
		if err := t.prepare(ctx); err != nil {
			return err
		}
		progress := newProgress(task, 1, 1)
		progress.now.All, progress.now.Epochs = true, len(rates)
		if err := progress.compiled(t); err != nil {
			return err
		}
		all.report = func(epoch Epoch) { progress.epoch(0, 0, all.seed, epoch) }
		fit, err := t.fit(ctx, all)
		if err != nil {
			return err
		}
		epochs = fit.Epochs
		weights, err = t.weights()
		return err
	})
	return weights, epochs, err
}

// finalFold is the reserved number of a training on all data: it is seeded differently from any fold.
const finalFold = 1 << 15

// rates returns the learning rates of the epochs of a typical training, or,
// without trainings, the first one for all epochs.
func (t Task) rates(fits []*Fit) (rates []float64) {
	if len(fits) == 0 {
		return slices.Repeat([]float64{t.Protocol.Rate}, t.Protocol.Epochs)
	}
	sorted := slices.SortedFunc(slices.Values(fits), func(a, b *Fit) int { return a.BestEpoch - b.BestEpoch })
	typical := sorted[len(sorted)/2]
	history := typical.History[:typical.BestEpoch+1]
	if t.fixed() != nil {
		history = typical.History
	}
	for _, epoch := range history {
		rates = append(rates, epoch.Rate)
	}
	return rates
}

// weights returns a store with the values that the model predicts with, in the memory of the host.
func (t *trainer) weights() (*model.Store, error) {
	store := model.NewStore()
	values, err := state(t.evaluation.variables)
	for i, value := range values {
		if _, err := store.CreateVariable(t.evaluation.variables[i].Path(), value); err != nil {
			return nil, err
		}
	}
	return store, err
}
