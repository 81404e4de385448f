package train

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/neuralkforms/nkf/nkfx/internal/outputs"
)

// checked trains one epoch and returns the state after it. A result that is not finite is an error.
func (t *trainer) checked(before snapshot, order []int32, rate func(step int) float64) (loss float64,
	after snapshot, err error) {
	if loss, err = t.training.Run(order, rate); err != nil {
		return 0, nil, err
	}
	if after, err = t.state(); err == nil && t.notFinite(after, loss) != "" {
		err = t.failedStep(before, order, rate)
	}
	return loss, after, err
}

// failedStep repeats an epoch step by step from the state before it, and returns the error that names the
// first step whose result is not finite.
func (t *trainer) failedStep(before snapshot, order []int32, rate func(step int) float64) error {
	if err := t.restore(before); err != nil {
		return err
	}
	step := 0
	for ids := range slices.Chunk(order, t.Protocol.Batch) {
		loss, err := t.training.Run(ids, func(int) float64 { return rate(step) })
		if err != nil {
			return err
		}
		after, err := t.state()
		if err != nil {
			return err
		}
		if what := t.notFinite(after, loss); what != "" {
			return fmt.Errorf("step %d makes %s infinite or no number (batch of complexes %v): "+
				"check their coordinates, or lower the learning rate", step, what, ids)
		}
		step++
	}
	return errors.New("the steps of an epoch together make a number infinite, and none of them alone")
}

// notFinite names what is not finite: the loss, or the first variable; "" if all is.
func (t *trainer) notFinite(state snapshot, loss float64) (what string) {
	if math.IsNaN(loss) || math.IsInf(loss, 0) {
		return "the loss"
	}
	for i, v := range t.variables {
		if state[i].DType() != dtypes.Float32 {
			continue
		}
		tensors.MustConstFlatData(state[i], func(values []float32) {
			if what == "" && slices.ContainsFunc(values, outputs.NotFinite) {
				what = "variable " + v.Path()
			}
		})
	}
	return what
}

// shuffle writes the order of an epoch, a function of seed, fold and epoch.
func shuffle(order, train []int32, seed uint32, fold, epoch int) {
	copy(order, train)
	rng := rand.New(rand.NewPCG(uint64(seed), uint64(fold)<<32|uint64(epoch)))
	rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
}
