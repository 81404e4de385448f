package train

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/neuralkforms/nkf/nkfx/internal/outputs"
)

// culprit repeats steps one by one, and returns the error that names the first whose result is not finite.
// from is the number of the first of them in the epoch.
func (t *trainer) culprit(k key, state *snapshot, rows, rates *tensors.Tensor, order []int32,
	from int) error {
	i := 0
	for batch := range slices.Chunk(order, t.plan.batch) {
		next, loss, err := t.steps(k, state, rows, rates, i, i+1)
		if err != nil {
			return err
		}
		defer next.free()
		if what := t.notFinite(next, loss); what != "" {
			return fmt.Errorf("step %d makes %s infinite or no number (batch of complexes %v): "+
				"check their coordinates, or lower the learning rate", from+i, what, batch)
		}
		state, i = next, i+1
	}
	return errors.New("the steps of an epoch together make a number infinite, and none of them alone")
}

// notFinite names what is not finite: the loss, or the first variable; "" if all is.
func (e *engine) notFinite(state *snapshot, loss float64) (what string) {
	if math.IsNaN(loss) || math.IsInf(loss, 0) {
		return "the loss"
	}
	for i, v := range e.variables {
		if state.values[i].DType() != dtypes.Float32 { // another training may be seeding the variable
			continue
		}
		tensors.MustConstFlatData(state.values[i], func(values []float32) {
			if slices.ContainsFunc(values, outputs.NotFinite) {
				what = "variable " + v.Path()
			}
		})
		if what != "" {
			break
		}
	}
	return what
}
