package train

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/gomlx/gomlx/core/tensors"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/nkfx/internal/profile"
)

// Epoch is what is known at the end of an epoch.
type Epoch struct {
	Epoch          int     `json:"epoch"`
	TrainLoss      float64 `json:"train_loss"`
	ValidationLoss float64 `json:"validation_loss"` // when last looked at, see Protocol.Validate; else 0
	Rate           float64 `json:"rate"`
}

// Check returns an error for figures that no training has.
func (f *Fit) Check() error {
	if f.Epochs != len(f.History) || f.BestEpoch < 0 || f.BestEpoch >= f.Epochs {
		return fmt.Errorf("epoch %d is the best of %d, of which %d are kept", f.BestEpoch, f.Epochs,
			len(f.History))
	}
	for _, e := range f.History {
		for _, v := range []float64{e.TrainLoss, e.ValidationLoss, e.Rate} {
			if math.IsNaN(v) || math.Abs(v) > largest {
				return fmt.Errorf("epoch %d: %g is no loss or rate", e.Epoch, v)
			}
		}
	}
	for _, s := range f.Others {
		if err := s.check(); err != nil {
			return err
		}
	}
	return errors.Join(f.Last.check(), f.Best.check())
}

// Fit is the outcome of one training on one fold.
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

// fit trains on one fold and tests the last and the best weights.
func (e *engine) fit(ctx context.Context, fold datasets.Fold, number int, seed uint32, protocol Protocol,
	report func(Epoch)) (*Fit, error) {
	begin := time.Now()
	// Folds of one seed begin with different weights.
	state, err := e.start(int64(seed)<<16 + int64(number))
	if err != nil {
		return nil, err
	}
	e.setUnits(state, fold.Train)
	best := state
	defer func() {
		if best != state {
			best.free()
		}
		state.free()
	}()
	fit := &Fit{Fold: number, Seed: seed}
	rates, observe := protocol.schedule(len(fold.Train) / e.plan.batch)
	patience := stopping{patience: protocol.StopPatience, best: math.Inf(1)}
	chosen := choice{by: protocol.Select}
	loss := 0.0
	for epoch := range protocol.Epochs {
		rate := rates(epoch, 0)
		next, trainLoss, err := e.next(ctx, state, fold.Train, seed, number, epoch, rates)
		if err != nil {
			return nil, err
		}
		if state != best {
			state.free()
		}
		state = next
		var predictions tested
		validates := protocol.validates(epoch) && len(fold.Validation) > 0
		if validates {
			if predictions, err = e.predict(state, fold.Validation); err != nil {
				return nil, err
			}
			loss = predictions.loss(e.weights, protocol.Batch)
		}
		fit.History = append(fit.History, Epoch{epoch, trainLoss, loss, rate})
		report(fit.History[epoch])
		fit.Epochs = epoch + 1
		if len(fold.Validation) == 0 { // without a validation part, keep the last epoch
			if best != state {
				best.free()
			}
			best, fit.BestEpoch = state, epoch
		}
		if !validates {
			continue
		}
		if chosen.better(predictions, loss) {
			if best != state {
				best.free()
			}
			best, fit.BestEpoch = state, epoch
		}
		if patience.step(loss) {
			break
		}
		observe(loss)
	}
	for _, test := range []struct {
		state  *snapshot
		scores *Scores
	}{{state, &fit.Last}, {best, &fit.Best}} {
		predictions, err := e.predict(test.state, fold.Test)
		if err != nil {
			return nil, err
		}
		*test.scores = predictions.scores()
	}
	for _, part := range fold.Others {
		predictions, err := e.predict(state, part)
		if err != nil {
			return nil, err
		}
		fit.Others = append(fit.Others, predictions.scores())
	}
	fit.Seconds = time.Since(begin).Seconds()
	return fit, nil
}

// next trains an epoch of a seed and fold on the complexes and returns the new
// state and the mean loss. The old state stays as it is.
func (e *engine) next(ctx context.Context, state *snapshot, train []int32, seed uint32, fold, epoch int,
	rates func(epoch, step int) float64) (*snapshot, float64, error) {
	if err := context.Cause(ctx); err != nil {
		return nil, 0, err
	}
	defer profile.In(profile.Steps)()
	if e.features != nil {
		return e.solve(state, train)
	}
	order := make([]int32, len(train))
	shuffle(order, train, seed, fold, epoch)
	after, loss, err := e.epoch(state, order, func(step int) float64 { return rates(epoch, step) })
	if err != nil {
		return nil, 0, fmt.Errorf("epoch %d: %w", epoch, err)
	}
	return after, loss, nil
}

// choice looks for the best epoch.
type choice struct {
	by    string
	any   bool
	score float64 // of the best so far
}

// better reports whether an epoch with these predictions for the validation
// part is the best so far. One whose loss is not finite is not.
func (c *choice) better(p tested, loss float64) bool {
	if math.IsNaN(loss) || math.IsInf(loss, 0) {
		return false
	}
	score := -loss
	if c.by != "" {
		score, _ = p.mean(c.by)
	}
	if isError(c.by) {
		score = -score
	}
	if c.any && (score < c.score || score == c.score && c.by == "") {
		return false
	}
	c.any, c.score = true, score
	return true
}

// predict returns the predictions for the given complexes.
func (e *engine) predict(state *snapshot, ids []int32) (tested, error) {
	defer profile.In(profile.Evaluation)()
	outputs, err := e.evaluate(state, ids)
	if err != nil {
		return tested{}, err
	}
	if e.data.Labeled() >= 0 {
		return e.predictLabels(outputs, ids), nil
	}
	out := tested{
		Logits: outputs, Labels: make([]int32, len(ids)), Classes: e.data.Outputs(),
		Regression: e.data.Regression,
	}
	tasks := len(e.data.Tasks)
	for i, id := range ids {
		out.Labels[i] = e.data.Labels[id]
		out.Targets = append(out.Targets, e.data.Targets[int(id)*tasks:(int(id)+1)*tasks]...)
	}
	if i := slices.Index(e.variables, e.deviation); i >= 0 {
		out.units = tensors.MustCopyFlatData[float32](state.values[i])
	}
	return out, nil
}

// predictLabels returns what the outputs for the simplices of complexes say of
// those whose labels are known.
func (e *engine) predictLabels(outputs []float32, ids []int32) tested {
	out := tested{Classes: e.data.Outputs()}
	for _, id := range ids {
		for _, label := range e.data.LabelsOf(int(id)) {
			if label >= 0 {
				out.Labels = append(out.Labels, label)
				out.Logits = append(out.Logits, outputs[:out.Classes]...)
			}
			outputs = outputs[out.Classes:]
		}
	}
	return out
}

// shuffle writes the order of an epoch, a function of seed, fold and epoch.
func shuffle(order, train []int32, seed uint32, fold, epoch int) {
	copy(order, train)
	rng := rand.New(rand.NewPCG(uint64(seed), uint64(fold)<<32|uint64(epoch)))
	rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
}
