package train

import (
	"errors"
	"fmt"
	"math"
	"sort"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
)

// drawSteps builds the program of up to k.rows steps, each of which reads its
// batch from a row of the table of batches and updates the variables.
//
// Outputs: the variables, the sum of the losses, and whether all of these are
// finite numbers.
func (e *engine) drawSteps(g *Graph, k key) []*Node {
	vertices := Parameter(g, "table", e.table.Shape())
	batches := Parameter(g, "batches", shapes.Make(dtypes.Int32, k.rows, k.layout.Width()))
	rates := Parameter(g, "rates", shapes.Make(dtypes.Float32, k.rows))
	from := Parameter(g, "from", shapes.Make(dtypes.Int32))
	to := Parameter(g, "to", shapes.Make(dtypes.Int32))
	sum := eachRow(e.variables, []*Node{batches, rates}, []*Node{vertices}, from, to,
		func(row, vertices []*Node) *Node {
			e.rate.SetNodeValue(ConvertDType(row[1], e.rate.DType()))
			return e.step(row[0].Graph(), unpack(k, vertices[0], row[0]))
		})
	var out []*Node
	for _, v := range e.variables {
		out = append(out, v.NodeValue(g))
	}
	out = append(out, sum)
	return append(out, finite(out, SliceAxis(rates, 0, AxisElem(0))))
}

// finite returns whether all floats among the nodes are finite numbers: their
// products with zero, and no others, are zero. There is one product for
// each type, since XLA would compile a test of each node separately, which takes
// longer than compiling parts of the step. The zero is computed from a finite
// number [1] of the input, because XLA would fold a constant zero away.
func finite(nodes []*Node, number *Node) *Node {
	var types []dtypes.DType
	rows := map[dtypes.DType][]*Node{}
	for _, v := range nodes {
		if dtype := v.DType(); dtype.IsFloat() {
			if rows[dtype] == nil {
				types = append(types, dtype)
			}
			rows[dtype] = append(rows[dtype], Reshape(v, 1, -1))
		}
	}
	var all *Node
	for _, dtype := range types {
		row := Concatenate(rows[dtype], 1)
		zero := Mul(ConvertDType(number, dtype), ConstAsDType(number.Graph(), dtype, []float64{0}))
		// Two columns keep XLA from rewriting this as a sum, and splitting it.
		zeros := BroadcastToDims(Reshape(zero, 1, 1), row.Shape().Dimensions[1], 2)
		ok := LogicalAll(IsFinite(MatMul(row, zeros)))
		if all == nil {
			all = ok
		} else {
			all = LogicalAnd(all, ok)
		}
	}
	return all
}

// epoch trains one epoch on the complexes in the given order, cut into
// batches; a last batch that is not full is dropped. rate gives the learning
// rate of each step. It returns the new state and the mean loss of the steps.
// The old state stays as it is.
func (e *engine) epoch(state *snapshot, order []int32, rate func(step int) float64) (
	*snapshot, float64, error) {
	steps := len(order) / e.plan.batch
	total := 0.0
	current := state
	for from := 0; from < steps; {
		next, loss, to, err := e.segment(current, order, rate, from, steps)
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
func (e *engine) segment(state *snapshot, order []int32, rate func(step int) float64,
	from, steps int) (_ *snapshot, loss float64, to int, err error) {
	k, rows, to, err := e.pack(order, from, steps)
	if err != nil {
		return nil, 0, 0, err
	}
	rates := make([]float32, k.rows)
	for step := from; step < to; step++ {
		rates[step-from] = float32(rate(step))
	}
	perStep := tensors.FromValue(rates)
	defer perStep.MustFinalizeAll()
	// The old state is still there, so what went wrong can be found out.
	next, loss, finite, err := e.steps(k, state, rows, perStep, to-from)
	if err != nil || finite {
		return next, loss, to, err
	}
	next.free()
	batch := e.plan.batch
	return nil, 0, 0, e.culprit(k, state, rows, perStep, order[from*batch:to*batch], from)
}

// culprit returns the error that says which step, of those on a table of
// batches, is the first whose result is not finite. from is the number of the
// first of them in the epoch.
func (e *engine) culprit(k key, state *snapshot, rows, rates *tensors.Tensor, order []int32,
	from int) (err error) {
	batch := e.plan.batch
	step := sort.Search(len(order)/batch-1, func(i int) bool {
		next, _, finite, stepErr := e.steps(k, state, rows, rates, i+1)
		if stepErr != nil {
			err = stepErr
			return false
		}
		next.free()
		return !finite
	})
	if err != nil {
		return err
	}
	next, loss, _, err := e.steps(k, state, rows, rates, step+1)
	if err != nil {
		return err
	}
	defer next.free()
	return fmt.Errorf("step %d makes %s infinite or no number (batch of complexes %v): "+
		"check their coordinates, or lower the learning rate", from+step, e.notFinite(next, loss),
		order[step*batch:(step+1)*batch])
}

// pack packs the batches of the steps from, …, to-1 for one program, as many
// as fit the first shape, or else one of the first shape that it fits.
func (e *engine) pack(order []int32, from, steps int) (k key, rows *tensors.Tensor, to int, err error) {
	p := e.plan
	for shape := range p.training {
		k = p.step(shape)
		if rows, err = e.batchesOf(k); err != nil {
			return k, nil, 0, err
		}
		var packed error
		err = tensors.MutableFlatData(rows, func(table []int32) {
			width, ok := k.layout.Width(), true
			for to = from; to < min(steps, from+k.rows); to++ {
				batch, row := order[to*p.batch:(to+1)*p.batch], table[(to-from)*width:(to-from+1)*width]
				if ok, packed = e.packer.Pack(k.layout, batch, row); packed != nil || !ok {
					break
				}
			}
		})
		if err = errors.Join(err, packed); err == nil && to > from {
			return k, rows, to, nil
		}
		if err != nil {
			return k, nil, 0, err
		}
	}
	return k, nil, 0, fmt.Errorf("the batch of step %d of %q fits no program", from, e.data.Name)
}

// steps runs the first steps of a table of batches. It returns the new state,
// the sum of the losses, and whether all of it is finite.
func (e *engine) steps(k key, state *snapshot, rows, rates *tensors.Tensor,
	count int) (*snapshot, float64, bool, error) {
	out, err := e.run(k, state, e.table, rows, rates, int32(0), int32(count))
	if err != nil {
		return nil, 0, false, err
	}
	variables := len(e.variables)
	loss, finite := tensors.ToScalar[float32](out[variables]), tensors.ToScalar[bool](out[variables+1])
	out[variables].MustFinalizeAll()
	out[variables+1].MustFinalizeAll()
	return &snapshot{values: out[:variables]}, float64(loss), finite, nil
}

// notFinite names what is not finite: the loss, or the first variable.
func (e *engine) notFinite(state *snapshot, loss float64) string {
	if math.IsNaN(loss) || math.IsInf(loss, 0) {
		return "the loss"
	}
	for i, v := range e.variables {
		if v.DType() != dtypes.Float32 {
			continue
		}
		for _, x := range tensors.MustCopyFlatData[float32](state.values[i]) {
			if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
				return "variable " + v.Path()
			}
		}
	}
	return "a variable"
}
