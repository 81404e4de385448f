package train

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/neuralkforms/nkf/datasets"
)

// predictive returns the numbers of the variables that logits depend on.
func (e *engine) predictive() (numbers []int, err error) {
	err = guard(func() error {
		e.mu.Lock()
		defer e.mu.Unlock()
		g := e.newGraph("predictive")
		defer g.Finalize()
		e.output(e.batch(g, e.evaluation))
		for i, v := range e.variables {
			if v.InUseByGraph(g) {
				numbers = append(numbers, i)
			}
		}
		return nil
	})
	return numbers, err
}

// weightsOf returns a store with the values that the model predicts with.
func (e *engine) weightsOf(state *snapshot) (*model.Store, error) {
	numbers, err := e.predictive()
	if err != nil {
		return nil, err
	}
	store := model.NewStore()
	for _, i := range numbers {
		path := e.variables[i].Path()
		value, err := state.values[i].LocalClone()
		if err == nil {
			_, err = store.CreateVariable(path, value)
		}
		if err != nil {
			return nil, fmt.Errorf("weights of variable %s: %w", path, err)
		}
	}
	return store, nil
}

// load puts weights into a state. Every variable that the model predicts with
// has to be among them, with its shape, and nothing else.
func (e *engine) load(state *snapshot, weights *model.Store) error {
	numbers, err := e.predictive()
	if err != nil {
		return err
	}
	if n := weights.NumVariables(); n != len(numbers) {
		return fmt.Errorf("%d weights for the %d variables of the model: these are of another model", n,
			len(numbers))
	}
	for _, i := range numbers {
		v := e.variables[i]
		w := weights.GetVariable(v.Path())
		if w == nil {
			return fmt.Errorf("no weights for variable %s: these are of another model", v.Path())
		}
		if !w.Shape().Equal(v.Shape()) {
			return fmt.Errorf("weights of variable %s have shape %s, want %s: of another model, or damaged",
				w.Path(), w.Shape(), v.Shape())
		}
		value, err := w.Value()
		if err == nil {
			value, err = value.LocalClone()
		}
		if err != nil {
			return fmt.Errorf("weights of variable %s: %w", w.Path(), err)
		}
		e.set(state, v, value)
	}
	return nil
}

// FitAll trains the task's model on all of its data as a typical training of
// its cross-validation went, and returns the weights and the number of epochs:
// of the one with the median number of epochs up to the best, the learning
// rates as far as that epoch; of a schedule for all epochs, all of it. Without
// trainings it takes all epochs of the protocol, at the rate of the schedule or
// at the first. The task's folds are not used.
func FitAll(ctx context.Context, backend compute.Backend, task Task, fits []*Fit) (
	weights *model.Store, epochs int, err error) {
	all := task.everything()
	release, err := task.complete()
	if err != nil {
		return nil, 0, err
	}
	defer release()
	if err := task.begins(preparing, true, 1); err != nil {
		return nil, 0, err
	}
	rates := task.Protocol.rates(fits)
	seed := task.Seeds[0]
	// A reserved fold number: it seeds the final fit differently from any fold.
	plan := job{complexes: all, fold: 1 << 15, seed: seed, epochs: len(rates)}
	plan.rate = func(epoch, _ int) float64 { return rates[epoch] }
	if task.Protocol.Cosine {
		plan.rate, _ = task.Protocol.schedule(len(all) / task.Protocol.Batch) // it has a rate for every step
	}
	err = task.on(ctx, backend, func(t *trainer) error {
		state, err := t.start(int64(seed)<<16 + int64(plan.fold))
		if err != nil {
			return err
		}
		defer func() { state.free() }()
		t.setUnits(state, all)
		if err := errors.Join(task.begins(compiling, true, 1), t.prepare(t.programs()[0])); err != nil {
			return err
		}
		begin := time.Now()
		err = t.train(ctx, state, plan, func(epoch Epoch, next *snapshot) (bool, error) {
			state.free()
			state = next
			epochs = epoch.Epoch + 1
			each, left := time.Since(begin)/time.Duration(epochs), len(rates)-epochs
			if task.Report != nil {
				task.Report(Progress{All: true, Epoch: epoch, Epochs: len(rates), Seed: seed, Total: 1,
					Left: each * time.Duration(left)})
			}
			return true, nil
		})
		if err == nil {
			weights, err = t.weightsOf(state)
		}
		return err
	})
	return weights, epochs, err
}

// everything makes a fold with all complexes in every part the only one, and
// returns their numbers.
func (t *Task) everything() []int32 {
	if t.Data == nil {
		return nil // an error of the task
	}
	all := make([]int32, t.Data.Len())
	for i := range all {
		all[i] = int32(i)
	}
	t.Folds = []datasets.Fold{{Train: all, Validation: all, Test: all}}
	return all
}

// rates returns the learning rates of the epochs of a typical training, or,
// without trainings, the first one for all epochs.
func (p Protocol) rates(fits []*Fit) (rates []float64) {
	if len(fits) == 0 {
		return slices.Repeat([]float64{p.Rate}, p.Epochs)
	}
	sorted := slices.SortedFunc(slices.Values(fits), func(a, b *Fit) int { return a.BestEpoch - b.BestEpoch })
	typical := sorted[len(sorted)/2]
	history := typical.History[:typical.BestEpoch+1]
	if p.Cosine {
		history = typical.History
	}
	for _, epoch := range history {
		rates = append(rates, epoch.Rate)
	}
	return rates
}

// Predict returns the outputs for all complexes of the task's data of the task's
// model with the given weights, row after row, or for their simplices that have
// labels, known or not: logits, or numbers in the units of the data.
func Predict(backend compute.Backend, task Task, weights *model.Store) (out []float32, err error) {
	all := task.everything()
	err = task.evaluate(backend, weights, func(t *trainer, state *snapshot) (err error) {
		out, err = t.evaluate(state, all)
		return err
	})
	return out, err
}

// evaluate calls a function with a trainer and the given weights.
func (t Task) evaluate(backend compute.Backend, weights *model.Store,
	with func(t *trainer, state *snapshot) error) error {
	t.Protocol, t.Seeds = Published(1), []uint32{1} // no step is taken
	release, err := t.complete()
	if err != nil {
		return err
	}
	defer release()
	return t.on(context.Background(), backend, func(t *trainer) error {
		state, err := t.start(1)
		if err != nil {
			return err
		}
		defer state.free()
		if err := t.load(state, weights); err != nil {
			return err
		}
		return with(t, state)
	})
}
