package train

import (
	"fmt"
	"slices"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/train/optimizer"

	"github.com/neuralkforms/nkf/layers"
)

// Loop trains any GoMLX model with one program for many steps: a loop on the
// device, with the optimizer in it. Where a step of a small model takes less
// than it takes to start a program, as those of neural forms do, this is
// several times as fast as one program for each step.
//
// The model is in the store, as with GoMLX's own trainer: its variables are
// initialized by the first Run, each Run goes on with their values, and
// whatever else uses the store finds them there.
type Loop struct {
	backend   compute.Backend
	store     *model.Store
	optimizer optimizer.Interface
	loss      func(scope *model.Scope, batch, data []*Node) *Node
	data      []*tensors.Tensor
	exec      *model.Exec
	declared  bool // all variables exist
	device    bool // the loop is on the device; else the program is of one step
}

// NewLoop returns a loop on the device of a backend that lowers the loss, which
// builds the loss of a batch, a scalar, with variables below scope. All of the
// data, if any, is at hand there, for batches that are numbers of its rows; it
// stays on the device and remains the caller's. The loss is called for every
// set of shapes, and once more. Schedules of GoMLX, which are part of the
// graph, belong in there as well.
//
// Where NKF_CHECK_INDICES is set, every step is a program of its own, and a wrong
// index an error that says which.
func NewLoop(backend compute.Backend, store *model.Store, optimizer optimizer.Interface,
	loss func(scope *model.Scope, batch, data []*Node) *Node, data ...*tensors.Tensor) (*Loop, error) {
	l := &Loop{backend: backend, store: store, optimizer: optimizer, loss: loss, data: data}
	var err error
	l.exec, err = model.NewExec(backend, store, l.build)
	if err != nil {
		return nil, fmt.Errorf("train.NewLoop: %w", err)
	}
	l.device = !layers.ReportIndices(l.exec) && loops(backend)
	return l, nil
}

// Close frees the programs. The store keeps its values.
func (l *Loop) Close() { l.exec.Finalize() }

// Run trains one step after another and returns the mean of their losses. The
// first axis of all tables counts the steps: a step has the rows of its number
// for a batch, without that axis. A program is compiled for every new set of
// shapes.
//
// Tables of other lengths, and what goes wrong in loss or on the device, are
// errors; the values of the variables are then those before the program.
func (l *Loop) Run(tables ...*tensors.Tensor) (mean float64, err error) {
	steps := 0
	for i, table := range tables {
		if table.Rank() == 0 || i > 0 && table.Shape().Dimensions[0] != steps {
			return 0, fmt.Errorf("train.Loop: tables of shapes %s and %s: want the same number of steps "+
				"first", tables[0].Shape(), table.Shape())
		}
		steps = table.Shape().Dimensions[0]
	}
	if steps == 0 {
		return 0, fmt.Errorf("train.Loop: no steps: want tables with a row for each")
	}
	each := 1
	if l.device {
		each = steps
	}
	sum := 0.0
	err = guard(func() error {
		l.declare(tables)
		inputs, kinds := []any{nil, nil}, []shapes.Shape{shapes.Make(dtypes.Int32), shapes.Make(dtypes.Int32)}
		for _, t := range slices.Concat(tables, l.data) {
			inputs, kinds = append(inputs, t), append(kinds, t.Shape())
		}
		if err := l.compile(kinds); err != nil {
			return err
		}
		for from := 0; from < steps; from += each {
			inputs[0], inputs[1] = int32(from), int32(from+each)
			out, err := l.exec.Call(inputs...)
			if err != nil {
				return err
			}
			sum += float64(tensors.ToScalar[float32](out[0]))
			out[0].MustFinalizeAll()
		}
		return nil
	})
	if err != nil {
		return 0, fmt.Errorf("train.Loop: %w", err)
	}
	return sum / float64(steps), nil
}

// compile compiles the program for inputs of some shapes, if it is not there.
func (l *Loop) compile(inputs []shapes.Shape) error {
	_, err := l.exec.Compile(inputs...)
	return err
}

// Repeat trains steps on all of the data, and returns the mean of their losses:
// the batch of a step is its number, int32, which the loss may leave alone.
func (l *Loop) Repeat(steps int) (mean float64, err error) {
	numbers := make([]int32, max(0, steps))
	for i := range numbers {
		numbers[i] = int32(i)
	}
	table := tensors.FromFlatDataAndDimensions(numbers, len(numbers))
	defer table.MustFinalizeAll()
	return l.Run(table)
}

// SetRate sets the learning rate of the steps that follow, for optimizers that
// have one, as all of GoMLX have.
func (l *Loop) SetRate(rate float64) error {
	v := optimizer.LearningRateVar(l.store.RootScope(), dtypes.Float32, rate)
	if err := v.SetValue(tensors.FromScalar(float32(rate))); err != nil {
		return fmt.Errorf("train.Loop: %w", err)
	}
	return nil
}

// declare builds one step, without compiling it, so that all variables of
// model and optimizer exist when the loop is built.
func (l *Loop) declare(tables []*tensors.Tensor) {
	if l.declared {
		return
	}
	g := NewGraph(l.backend, "declare")
	defer g.Finalize()
	model.SetStore(g, l.store)
	var batch, data []*Node
	for i, table := range tables {
		shape := table.Shape().Clone()
		shape.Dimensions = shape.Dimensions[1:]
		batch = append(batch, Parameter(g, fmt.Sprintf("batch_%d", i), shape))
	}
	for i, table := range l.data {
		data = append(data, Parameter(g, fmt.Sprintf("data_%d", i), table.Shape()))
	}
	l.step(batch, data)
	l.declared = true
}

// step builds one step and returns its loss.
func (l *Loop) step(batch, data []*Node) *Node {
	return buildStep(l.store, l.optimizer, batch[0].Graph(), func() *Node {
		return l.loss(l.store.RootScope(), batch, data)
	})
}

// build builds the program: steps for the rows between the first two inputs.
func (l *Loop) build(_ *model.Scope, inputs []*Node) *Node {
	tables := len(inputs) - len(l.data)
	return eachRow(slices.Collect(l.store.IterVariables()), inputs[2:tables], inputs[tables:], inputs[0],
		inputs[1], l.device, l.step)
}
