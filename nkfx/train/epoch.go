package train

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/train/optimizer"

	"github.com/neuralkforms/nkf/datasets/packing"
	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/nkfx/internal/outputs"
)

// shape is a loop over steps whose batches have one layout.
type shape struct {
	loop    *Loop
	layout  *packing.Layout
	batches *tensors.Tensor // [steps, width], a row a step
	rates   *tensors.Tensor // [steps]
}

// newShapes makes the loops. Batches past the first shape are rare and run one at a time.
func (t *trainer) newShapes() error {
	build := func(batch *layers.Batch) *Node {
		g := batch.Mask().Graph()
		t.store.SetTraining(g, true)
		loss := t.loss(t.store.RootScope(), batch)
		t.Optimizer.UpdateGraph(t.store.RootScope(), g, loss)
		return loss
	}
	steps := t.plan.steps
	for _, layout := range t.reading(build, t.plan.training...) {
		s := &shape{layout: layout,
			batches: tensors.FromShape(shapes.Make(dtypes.Int32, steps, layout.Width())),
			rates:   tensors.FromShape(shapes.Make(dtypes.Float32, steps))}
		steps = 1
		var err error
		loss := func(scope *model.Scope, batch, data []*Node) *Node {
			t.compiled++
			rate := optimizer.LearningRateVar(scope, dtypes.Float32, t.Protocol.Rate)
			rate.SetNodeValue(ConvertDType(batch[1], rate.DType()))
			return t.loss(scope, layers.Unpack(layout, []*Node{data[0], batch[0]}))
		}
		s.loop, err = NewLoop(t.backend, t.store, t.Optimizer, loss, t.table)
		if err != nil {
			return err
		}
		s.loop.building = &t.building
		t.shapes = append(t.shapes, s)
		// Where the device reads them.
		if err := s.batches.MaterializeOnDevice(t.backend, true, 0); err != nil {
			return err
		}
	}
	return nil
}

// close frees the program and the tables.
func (s *shape) close() {
	s.loop.Close()
	s.batches.MustFinalizeAll()
	s.rates.MustFinalizeAll()
}

// epoch trains one epoch on the complexes in the given order, cut into batches; a last batch that is not full
// is dropped. rate gives the learning rate of each step. It returns the mean loss of the steps.
func (t *trainer) epoch(order []int32, rate func(step int) float64) (loss float64, err error) {
	steps := len(order) / t.plan.batch
	for from := 0; from < steps; {
		sum, to, err := t.steps(order, rate, from, steps)
		if err != nil {
			return 0, err
		}
		loss, from = loss+sum, to
	}
	return loss / float64(max(1, steps)), nil
}

// steps runs the steps of an epoch from one of them up to the first whose batch needs another shape, or to
// the end. It returns the sum of the losses and the step to go on with.
func (t *trainer) steps(order []int32, rate func(step int) float64, from, end int) (sum float64, to int,
	err error) {
	s, to, err := t.pack(order, from, end)
	if err != nil {
		return 0, 0, err
	}
	err = tensors.MutableFlatData(s.rates, func(rates []float32) {
		for step := from; step < to; step++ {
			rates[step-from] = float32(rate(step))
		}
	})
	if err == nil {
		sum, err = s.loop.run(to-from, s.batches, s.rates)
	}
	return sum, to, err
}

// pack packs the batches of the steps from, …, to-1, as many as fit the first shape, or else one of the first
// shape that it fits.
func (t *trainer) pack(order []int32, from, end int) (s *shape, to int, err error) {
	for _, s := range t.shapes {
		if to, err = t.packInto(s, order, from, end); err != nil {
			return nil, 0, err
		}
		if to > from {
			return s, to, nil
		}
	}
	return nil, 0, fmt.Errorf("the batch of step %d of %q fits no program", from, t.Data.Name)
}

// packInto packs the batches of the steps from, …, end-1, as many as fit the shape, and returns the step
// after them.
func (t *trainer) packInto(s *shape, order []int32, from, end int) (to int, err error) {
	size, width := t.plan.batch, s.layout.Width()
	var packed error
	err = tensors.MutableFlatData(s.batches, func(table []int32) {
		for to = from; to < end && (to-from)*width < len(table); to++ {
			ids, row := order[to*size:(to+1)*size], table[(to-from)*width:(to-from+1)*width]
			var ok bool
			if ok, packed = t.packer.Pack(s.layout, ids, row); packed != nil || !ok {
				return
			}
		}
	})
	return to, errors.Join(err, packed)
}

// checked trains one epoch and returns the state after it. A result that is not finite is an error.
func (t *trainer) checked(before snapshot, order []int32, rate func(step int) float64) (loss float64,
	after snapshot, err error) {
	if loss, err = t.epoch(order, rate); err != nil {
		return 0, nil, err
	}
	if after, err = t.state(); err == nil && t.notFinite(after, loss) != "" {
		err = t.culprit(before, order, rate)
	}
	return loss, after, err
}

// culprit repeats an epoch step by step from the state before it, and returns the error that names the first
// step whose result is not finite.
func (t *trainer) culprit(before snapshot, order []int32, rate func(step int) float64) error {
	if err := t.restore(before); err != nil {
		return err
	}
	size := t.plan.batch
	for step := range len(order) / size {
		loss, _, err := t.steps(order, rate, step, step+1)
		if err != nil {
			return err
		}
		after, err := t.state()
		if err != nil {
			return err
		}
		if what := t.notFinite(after, loss); what != "" {
			return fmt.Errorf("step %d makes %s infinite or no number (batch of complexes %v): "+
				"check their coordinates, or lower the learning rate", step, what,
				order[step*size:(step+1)*size])
		}
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
