package train

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/neuralkforms/nkf/datasets"
)

// Epoch holds the losses and metrics at the end of an epoch.
type Epoch struct {
	Epoch          int     `json:"epoch"`
	TrainLoss      float64 `json:"train_loss"`
	ValidationLoss float64 `json:"validation_loss"` // of the last check, see Protocol.Validate; else 0
	Rate           float64 `json:"rate"`
}

// Fit is the outcome of one training on one fold.
type Fit struct {
	Fold      int     `json:"fold"`
	Seed      uint32  `json:"seed"`
	Last      Scores  `json:"last"`       // of the test part with the weights of the last epoch
	Best      Scores  `json:"best"`       // with those of the best epoch, see Protocol.Select
	Epochs    int     `json:"epochs"`     // that were trained
	BestEpoch int     `json:"best_epoch"` // the best, see Protocol.Select; from 0
	Seconds   float64 `json:"seconds"`
	History   []Epoch `json:"history,omitempty"`
}

// job is one training.
type job struct {
	number int // of the fold
	fold   datasets.Fold
	seed   uint32
	epochs int // at most
	rate   func(epoch, step int) float64
	// observe passes the loss of the validation part to the schedule.
	observe func(loss float64)
	report  func(Epoch)
}

// fitting is a training while it goes on.
type fitting struct {
	*trainer
	job
	Fit
	best     snapshot // nil: that of the last epoch
	stopping earlyStopping
	selected selection
	loss     float64 // of the validation part
}

// fit trains on one fold, tests the last and the best weights, and leaves the variables with one of them:
// without a validation part both are the same.
func (t *trainer) fit(ctx context.Context, j job) (*Fit, error) {
	begin := time.Now()
	// Folds of one seed begin with different weights.
	if err := t.start(int64(j.seed)<<16 + int64(j.number)); err != nil {
		return nil, err
	}
	if err := t.setUnits(j.fold.Train); err != nil {
		return nil, err
	}
	f := &fitting{trainer: t, job: j, Fit: Fit{Fold: j.number, Seed: j.seed},
		stopping: earlyStopping{patience: t.Protocol.StopPatience, best: math.Inf(1)},
		selected: selection{metric: t.Protocol.Select}}
	if err := f.runEpochs(ctx); err != nil {
		return nil, err
	}
	if err := f.test(); err != nil {
		return nil, err
	}
	f.Seconds = time.Since(begin).Seconds()
	return &f.Fit, nil
}

// runEpochs trains epoch by epoch.
func (f *fitting) runEpochs(ctx context.Context) error {
	order := make([]int32, len(f.fold.Train))
	before, err := f.state()
	for epoch := 0; err == nil && epoch < f.epochs; epoch++ {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		shuffle(order, f.fold.Train, f.seed, f.number, epoch)
		rate := func(step int) float64 { return f.rate(epoch, step) }
		loss, after, err := f.checked(before, order, rate)
		if err != nil {
			return fmt.Errorf("epoch %d: %w", epoch, err)
		}
		more, err := f.ended(Epoch{Epoch: epoch, TrainLoss: loss, Rate: rate(0)}, after)
		if err != nil || !more {
			return err
		}
		before = after
	}
	return err
}

// ended takes the state after an epoch, validates it where the protocol does, and reports whether to go on.
func (f *fitting) ended(epoch Epoch, state snapshot) (more bool, err error) {
	// Without validation the last epoch is the best.
	better := len(f.fold.Validation) == 0 || f.Protocol.Validate < 0
	validates := !better && f.Protocol.validates(epoch.Epoch)
	if validates {
		predictions, err := f.predict(f.fold.Validation)
		if err != nil {
			return false, err
		}
		var scores Scores
		f.loss, scores = f.Objective.Evaluate(predictions)
		better = f.selected.better(f.loss, scores)
	}
	epoch.ValidationLoss = f.loss
	f.History = append(f.History, epoch)
	f.Epochs = len(f.History)
	f.report(epoch)
	if better {
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
func (f *fitting) test() (err error) {
	scores := func(part []int32) (s Scores) {
		if err == nil && len(part) > 0 {
			var predictions Predictions
			if predictions, err = f.predict(part); err == nil {
				_, s = f.Objective.Evaluate(predictions)
			}
		}
		return s
	}
	f.Last = scores(f.fold.Test)
	f.Best = f.Last
	if err == nil && f.BestEpoch != f.Epochs-1 {
		if err = f.restore(f.best); err == nil {
			f.Best = scores(f.fold.Test)
		}
	}
	return err
}
