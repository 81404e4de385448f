package train

import (
	"context"
	"math"
	"time"

	"github.com/neuralkforms/nkf/datasets"
)

// Epoch is what is known at the end of an epoch.
type Epoch struct {
	Epoch          int     `json:"epoch"`
	TrainLoss      float64 `json:"train_loss"`
	ValidationLoss float64 `json:"validation_loss"` // of the last check, see Protocol.Validate; else 0
	Rate           float64 `json:"rate"`
	// Chosen says what a [Choice] has come to, and why; "" without one.
	Chosen string `json:"chosen,omitempty"`
}

// Fit is the outcome of one training on one fold. A closed form counts as one epoch.
type Fit struct {
	Fold int    `json:"fold"`
	Seed uint32 `json:"seed"`
	Last Scores `json:"last"` // of the test part with the weights of the last epoch
	Best Scores `json:"best"` // with those of the best epoch, see Protocol.Select
	// Others are the scores of the fold's other parts with the weights of the last epoch.
	Others    []Scores `json:"others,omitempty"`
	Epochs    int      `json:"epochs"`     // that were trained
	BestEpoch int      `json:"best_epoch"` // the best, see Protocol.Select; from 0
	Seconds   float64  `json:"seconds"`
	History   []Epoch  `json:"history"`
}

// fitting is a training on a fold while it goes on.
type fitting struct {
	*trainer
	Fit
	fold       datasets.Fold
	protocol   Protocol
	last, best *snapshot // may be the same
	stopping   earlyStopping
	selected   selection
	observe    func(loss float64) // of the validation part, for the learning rate
	loss       float64            // of the validation part
	report     func(Epoch)
}

// fit trains on one fold of a task and tests the last and the best weights.
func (t *trainer) fit(ctx context.Context, task Task, number int, seed uint32, report func(Epoch)) (
	*Fit, error) {
	begin := time.Now()
	fold, protocol := task.Folds[number], task.Protocol
	// Folds of one seed begin with different weights.
	state, err := t.start(int64(seed)<<16 + int64(number))
	if err != nil {
		return nil, err
	}
	t.setUnits(state, fold.Train)
	rate, observe := protocol.schedule(len(fold.Train) / t.plan.batch)
	f := &fitting{trainer: t, Fit: Fit{Fold: number, Seed: seed}, fold: fold, protocol: protocol,
		last: state, best: state,
		stopping: earlyStopping{patience: protocol.StopPatience, best: math.Inf(1)},
		selected: selection{metric: protocol.Select}, observe: observe, report: report}
	defer f.free()
	err = t.train(ctx, state, job{complexes: fold.Train, fold: number, seed: seed,
		epochs: protocol.Epochs, rate: rate}, f.ended)
	if err != nil {
		return nil, err
	}
	if err := f.test(); err != nil {
		return nil, err
	}
	f.Seconds = time.Since(begin).Seconds()
	return &f.Fit, nil
}

// ended takes the state after an epoch, validates it where the protocol does, and reports whether to go on.
func (f *fitting) ended(epoch Epoch, state *snapshot) (more bool, err error) {
	if f.last != f.best {
		f.last.free()
	}
	f.last = state
	better := len(f.fold.Validation) == 0 // the last epoch is the best then
	validates := !better && f.protocol.validates(epoch.Epoch)
	if validates {
		predictions, err := f.predict(state, f.fold.Validation)
		if err != nil {
			return false, err
		}
		f.loss = predictions.loss(f.weights, f.protocol.Batch)
		better = f.selected.better(predictions, f.loss)
	}
	epoch.ValidationLoss = f.loss
	f.History = append(f.History, epoch)
	f.Epochs = len(f.History)
	f.report(epoch)
	if better {
		f.best.free()
		f.best, f.BestEpoch = state, epoch.Epoch
	}
	if !validates {
		return true, nil
	}
	if f.stopping.step(f.loss) {
		return false, nil
	}
	f.observe(f.loss)
	return true, nil
}

// test computes the scores of the parts that are not trained on.
func (f *fitting) test() error {
	scores := func(state *snapshot, part []int32) (Scores, error) {
		predictions, err := f.predict(state, part)
		if err != nil {
			return Scores{}, err
		}
		return predictions.scores(), nil
	}
	var err error
	if f.Last, err = scores(f.last, f.fold.Test); err != nil {
		return err
	}
	if f.Best, err = scores(f.best, f.fold.Test); err != nil {
		return err
	}
	for _, part := range f.fold.Others {
		other, err := scores(f.last, part)
		if err != nil {
			return err
		}
		f.Others = append(f.Others, other)
	}
	return nil
}

// free releases the memory of both states.
func (f *fitting) free() {
	if f.best != f.last {
		f.best.free()
	}
	f.last.free()
}
