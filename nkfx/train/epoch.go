package train

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/neuralkforms/nkf/layers"
)

// gradient trains by steps of the optimizer. An epoch is one program, a loop on the device over steps that
// read their batch from a table.
type gradient struct{ *trainer }

// programs returns the first two shapes: hundreds of steps meet both.
func (t gradient) programs() []key {
	keys := []key{t.stepping(0), t.evaluating()}
	if len(t.training) > 1 {
		keys = append(keys, t.stepping(1))
	}
	return keys
}

func (t gradient) train(ctx context.Context, state *snapshot, j job,
	ended func(Epoch, *snapshot) (bool, error)) error {
	order := make([]int32, len(j.complexes))
	for epoch := range j.epochs {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		shuffle(order, j.complexes, j.seed, j.fold, epoch)
		next, loss, err := t.epoch(state, order, func(step int) float64 { return j.rate(epoch, step) })
		if err != nil {
			return fmt.Errorf("epoch %d: %w", epoch, err)
		}
		state = next
		more, err := ended(Epoch{Epoch: epoch, TrainLoss: loss, Rate: j.rate(epoch, 0)}, state)
		if err != nil || !more {
			return err
		}
	}
	return nil
}

// stepping returns the key of the training program of that shape. Batches past the first shape are rare and
// run one at a time.
func (t *trainer) stepping(shape int) key {
	rows := 1
	if shape == 0 {
		rows = t.plan.steps
	}
	return key{training, t.training[shape], rows}
}

// drawSteps builds the program of up to k.rows steps, each of which reads its
// batch from a row of the table of batches and updates the variables.
//
// Outputs: the variables and the sum of the losses.
func (e *engine) drawSteps(g *Graph, k key) []*Node {
	vertices := Parameter(g, "table", e.table.Shape())
	batches := Parameter(g, "batches", shapes.Make(dtypes.Int32, k.rows, k.layout.Width()))
	rates := Parameter(g, "rates", shapes.Make(dtypes.Float32, k.rows))
	from := Parameter(g, "from", shapes.Make(dtypes.Int32))
	to := Parameter(g, "to", shapes.Make(dtypes.Int32))
	sum := eachRow(e.variables, []*Node{batches, rates}, []*Node{vertices}, from, to, k.rows > 1,
		func(row, vertices []*Node) *Node {
			e.rate.SetNodeValue(ConvertDType(row[1], e.rate.DType()))
			return e.step(row[0].Graph(), layers.Unpack(k.layout, []*Node{vertices[0], row[0]}))
		})
	var out []*Node
	for _, v := range e.variables {
		out = append(out, v.NodeValue(g))
	}
	return append(out, sum)
}

// epoch trains one epoch on the complexes in the given order, cut into
// batches; a last batch that is not full is dropped. rate gives the learning
// rate of each step. It returns the new state and the mean loss of the steps.
// The old state stays as it is.
func (t *trainer) epoch(state *snapshot, order []int32, rate func(step int) float64) (
	*snapshot, float64, error) {
	steps := len(order) / t.plan.batch
	total := 0.0
	current := state
	for from := 0; from < steps; {
		next, loss, to, err := t.segment(current, order, rate, from, steps)
		if current != state {
			current.free()
		}
		if err != nil {
			return nil, 0, err
		}
		current, total, from = next, total+loss, to
	}
	return current, total / float64(max(1, steps)), nil
}

// segment runs the steps of an epoch from one of them up to the first whose
// batch needs another shape. It returns the new state, the sum of the losses
// and the step to go on with.
func (t *trainer) segment(state *snapshot, order []int32, rate func(step int) float64,
	from, steps int) (_ *snapshot, loss float64, to int, err error) {
	k, rows, to, err := t.pack(order, from, steps)
	if err != nil {
		return nil, 0, 0, err
	}
	rates := make([]float32, k.rows)
	for step := from; step < to; step++ {
		rates[step-from] = float32(rate(step))
	}
	perStep := tensors.FromValue(rates)
	defer perStep.MustFinalizeAll()
	next, loss, err := t.steps(k, state, rows, perStep, 0, to-from)
	if err != nil || t.notFinite(next, loss) == "" {
		return next, loss, to, err
	}
	next.free()
	batch := t.plan.batch // the old state is still there, so what went wrong can be found out
	return nil, 0, 0, t.culprit(k, state, rows, perStep, order[from*batch:to*batch], from)
}

// pack packs the batches of the steps from, …, to-1 for one program, as many
// as fit the first shape, or else one of the first shape that it fits.
func (t *trainer) pack(order []int32, from, steps int) (k key, rows *tensors.Tensor, to int, err error) {
	size := t.plan.batch
	for shape := range t.training {
		k = t.stepping(shape)
		if rows, err = t.batchesOf(k); err != nil {
			return k, nil, 0, err
		}
		var packed error
		err = tensors.MutableFlatData(rows, func(table []int32) {
			width, ok := k.layout.Width(), true
			for to = from; to < min(steps, from+k.rows); to++ {
				batch, row := order[to*size:(to+1)*size], table[(to-from)*width:(to-from+1)*width]
				if ok, packed = t.packer.Pack(k.layout, batch, row); packed != nil || !ok {
					break
				}
			}
		})
		if err = errors.Join(err, packed); err != nil || to > from {
			return k, rows, to, err
		}
	}
	return k, nil, 0, fmt.Errorf("the batch of step %d of %q fits no program", from, t.data.Name)
}

// batchesOf returns the table for the batches of a program, [rows, width]. It lies
// where the device reads it, if that can be.
func (t *trainer) batchesOf(k key) (*tensors.Tensor, error) {
	if table := t.batches[k]; table != nil {
		return table, nil
	}
	table := tensors.FromShape(shapes.Make(dtypes.Int32, k.rows, k.layout.Width()))
	t.batches[k] = table
	return table, table.MaterializeOnDevice(t.backend, true, 0)
}

// steps runs steps of a table of batches. It returns the new state and the sum of the losses.
func (e *engine) steps(k key, state *snapshot, rows, rates *tensors.Tensor,
	from, to int) (*snapshot, float64, error) {
	out, err := e.run(k, state, e.table, rows, rates, int32(from), int32(to))
	if err != nil {
		return nil, 0, err
	}
	last := len(e.variables)
	defer out[last].MustFinalizeAll()
	return &snapshot{values: out[:last]}, float64(tensors.ToScalar[float32](out[last])), nil
}

// shuffle writes the order of an epoch, a function of seed, fold and epoch.
func shuffle(order, train []int32, seed uint32, fold, epoch int) {
	copy(order, train)
	rng := rand.New(rand.NewPCG(uint64(seed), uint64(fold)<<32|uint64(epoch)))
	rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
}
