package train

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/neuralkforms/nkf/datasets"
)

// Weight is the value of a variable that a model predicts with.
type Weight struct {
	Path string `json:"path"`
	Dims []int  `json:"dims"`
	Data []byte `json:"data"` // float32, little endian; base64 in JSON
}

// predictive returns the numbers of the variables that logits depend on.
func (e *engine) predictive() (numbers []int, err error) {
	err = guard(func() {
		g := e.newGraph("predictive")
		defer g.Finalize()
		table := Parameter(g, "table", e.table.Shape())
		k := e.plan.evaluating()
		e.output(unpack(k, table, Parameter(g, "row", shapes.Make(dtypes.Int32, k.layout.Width()))))
		for i, v := range e.variables {
			if v.InUseByGraph(g) {
				numbers = append(numbers, i)
			}
		}
	})
	return numbers, err
}

// weightsOf reads the values that the model predicts with out of a state.
func (e *engine) weightsOf(state *snapshot) ([]Weight, error) {
	numbers, err := e.predictive()
	if err != nil {
		return nil, err
	}
	var out []Weight
	for _, i := range numbers {
		v := e.variables[i]
		if v.DType() != dtypes.Float32 {
			return nil, fmt.Errorf("variable %s is of %v: only float32 can be kept", v.Path(), v.DType())
		}
		values := tensors.MustCopyFlatData[float32](state.values[i])
		data, err := binary.Append(nil, binary.LittleEndian, values)
		if err != nil {
			return nil, fmt.Errorf("weights of variable %s: %w", v.Path(), err)
		}
		out = append(out, Weight{v.Path(), slices.Clone(v.Shape().Dimensions), data})
	}
	return out, nil
}

// set puts weights into a state. Every variable that the model predicts with
// has to be among them, with its shape, and nothing else.
func (e *engine) set(state *snapshot, weights []Weight) error {
	numbers, err := e.predictive()
	if err != nil {
		return err
	}
	byPath := map[string]Weight{}
	for _, w := range weights {
		byPath[w.Path] = w
	}
	if len(byPath) != len(numbers) || len(weights) != len(numbers) {
		return fmt.Errorf("%d weights for the %d variables of the model: these are of another model",
			len(weights), len(numbers))
	}
	for _, i := range numbers {
		v := e.variables[i]
		w, ok := byPath[v.Path()]
		if !ok {
			return fmt.Errorf("no weights for variable %s: these are of another model", v.Path())
		}
		if !slices.Equal(w.Dims, v.Shape().Dimensions) || len(w.Data) != 4*v.Shape().Size() {
			return fmt.Errorf("weights of variable %s have shape %v and %d bytes, want %v: "+
				"of another model, or damaged", w.Path, w.Dims, len(w.Data), v.Shape().Dimensions)
		}
		values := make([]float32, len(w.Data)/4)
		if _, err := binary.Decode(w.Data, binary.LittleEndian, values); err != nil {
			return fmt.Errorf("weights of variable %s: %w", w.Path, err)
		}
		state.values[i].MustFinalizeAll()
		state.values[i] = tensors.FromFlatDataAndDimensions(values, w.Dims...)
	}
	return nil
}

// FitAll trains the task's model on all of its data as a typical training of
// its cross-validation went, and returns the weights and the number of epochs:
// of the one with the median number of epochs up to the best, the learning
// rates as far as that epoch; of a schedule for all epochs, all of it. The
// task's folds are not used.
func FitAll(ctx context.Context, backend compute.Backend, task Task, fits []*Fit) (
	weights []Weight, epochs int, err error) {
	rates := task.Protocol.rates(fits)
	all := task.everything()
	e, err := task.engine(backend)
	if err != nil {
		return nil, 0, err
	}
	defer e.close()
	seed := task.Seeds[0]
	// The fold of this training is one that no cross-validation has.
	const fold = 1 << 15
	state, err := e.start(int64(seed)<<16 + fold)
	if err != nil {
		return nil, 0, err
	}
	e.setUnits(state, all)
	defer func() { state.free() }()
	at := func(epoch, _ int) float64 { return rates[epoch] }
	if task.Protocol.Cosine {
		at, _ = task.Protocol.schedule(len(all) / e.plan.batch) // it has a rate for every step
	}
	for epoch := range rates {
		next, loss, err := e.next(ctx, state, all, seed, fold, epoch, at)
		if err != nil {
			return nil, 0, err
		}
		state.free()
		state = next
		if task.Report != nil {
			task.Report(Progress{Epoch: Epoch{Epoch: epoch, TrainLoss: loss, Rate: at(epoch, 0)}, Seed: seed,
				Total: 1, Left: -1})
		}
	}
	weights, err = e.weightsOf(state)
	return weights, len(rates), err
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

// rates returns the learning rates of the epochs of a typical training, none
// without trainings.
func (p Protocol) rates(fits []*Fit) (rates []float64) {
	if len(fits) == 0 {
		return nil
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

// Predict returns the predictions for all complexes of the task's data by the
// task's model with the given weights.
func Predict(backend compute.Backend, task Task, weights []Weight) (Predictions, error) {
	all := task.everything()
	task.Protocol, task.Seeds = Published(1), []uint32{1} // no step is taken
	e, err := task.engine(backend)
	if err != nil {
		return Predictions{}, err
	}
	defer e.close()
	state, err := e.start(1)
	if err != nil {
		return Predictions{}, err
	}
	defer state.free()
	if err := e.set(state, weights); err != nil {
		return Predictions{}, err
	}
	return e.predict(state, all)
}
