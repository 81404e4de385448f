package train

import (
	"fmt"
	"slices"
	"sync"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/gobackend"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/train/optimizer"
)

// Loop trains any GoMLX model with one program for many steps: a loop on the
// device, with the optimizer in it. A step of a small model takes less time than
// starting a program, so this is several times as fast as a program for each step.
//
// The model is in the store, as with GoMLX's own trainer: its variables are initialized by the first Run,
// each Run continues with their values, and other users of the store find them there.
type Loop struct {
	backend   compute.Backend
	store     *model.Store
	optimizer optimizer.Interface
	loss      func(scope *model.Scope, batch, data []*Node) *Node
	data      []*tensors.Tensor
	program   *model.Exec
	building  *sync.Mutex // held while a graph with the variables of the store is built
	declared  bool        // all variables exist
	device    bool        // the loop is on the device; else a program is one step
}

// NewLoop returns a loop on a backend that minimizes a loss. The function loss builds the loss of a batch, a
// scalar, with variables below scope. The data, if any, stay on the device, so that batches can be numbers of
// their rows; they remain the caller's. The loss is built for every set of shapes, and once more. GoMLX's
// schedules, which are part of the graph, belong in it as well.
func NewLoop(backend compute.Backend, store *model.Store, optimizer optimizer.Interface,
	loss func(scope *model.Scope, batch, data []*Node) *Node, data ...*tensors.Tensor) (*Loop, error) {
	l := &Loop{backend: backend, store: store, optimizer: optimizer, loss: loss, data: data,
		building: &sync.Mutex{}}
	var err error
	if l.program, err = model.NewExec(backend, store, l.build); err != nil {
		return nil, fmt.Errorf("train.NewLoop: %w", err)
	}
	// GoMLX's pure Go backend (compute v0.1.3) prepares the body of a loop before its last pass over the
	// graph, which then computes nodes out of order.
	l.device = backend.Name() != gobackend.GetBackend().Name()
	return l, nil
}

// Close frees the programs. The store keeps its values.
func (l *Loop) Close() { l.program.Finalize() }

// Run trains one step after another and returns the mean of their losses. The
// first axis of all tables counts the steps: the batch of a step is its row of
// each. A program is compiled for every new set of shapes.
//
// Tables of different lengths, and failures in loss or on the device, are errors.
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
	sum := 0.0
	err = guard(func() error {
		l.declare(tables)
		sum, err = l.run(steps, tables...)
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("train.Loop: %w", err)
	}
	return sum / float64(steps), nil
}

// Repeat trains steps on all of the data, and returns the mean of their losses:
// the batch of a step is its number, int32, which the loss may ignore.
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
// have one, as all of GoMLX's do.
func (l *Loop) SetRate(rate float64) error {
	v := optimizer.LearningRateVar(l.store.RootScope(), dtypes.Float32, rate)
	if err := v.SetValue(tensors.FromScalar(float32(rate))); err != nil {
		return fmt.Errorf("train.Loop: %w", err)
	}
	return nil
}

// run trains on the first rows of the tables, and returns the sum of the losses.
func (l *Loop) run(steps int, tables ...*tensors.Tensor) (sum float64, err error) {
	inputs := []any{nil, nil}
	for _, t := range slices.Concat(tables, l.data) {
		inputs = append(inputs, t)
	}
	each := 1
	if l.device {
		each = steps
	}
	for from := 0; from < steps; from += each {
		inputs[0], inputs[1] = int32(from), int32(from+each)
		out, err := l.program.Call(inputs...)
		if err != nil {
			return 0, err
		}
		sum += float64(tensors.ToScalar[float32](out[0]))
		out[0].MustFinalizeAll()
	}
	return sum, nil
}

// compile compiles the program for tables of those shapes.
func (l *Loop) compile(tables ...*tensors.Tensor) error {
	inputs := []shapes.Shape{shapes.Make(dtypes.Int32), shapes.Make(dtypes.Int32)}
	for _, t := range slices.Concat(tables, l.data) {
		inputs = append(inputs, t.Shape())
	}
	_, err := l.program.Compile(inputs...)
	return err
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
	l.store.SetTraining(batch[0].Graph(), true)
	scope := l.store.RootScope()
	loss := located(func() *Node { return l.loss(scope, batch, data) })
	l.optimizer.UpdateGraph(scope, batch[0].Graph(), loss)
	return loss
}

// build builds the program: steps for the rows between the first two inputs. There is no gradient through
// the loop, and none is needed: it is taken inside. It returns the sum of the losses, float32.
func (l *Loop) build(_ *model.Scope, inputs []*Node) []*Node {
	l.building.Lock()
	defer l.building.Unlock()
	g := inputs[0].Graph()
	variables := slices.Collect(l.store.IterVariables())
	// The state of the loop: the variables, the sum of losses, the next row and the end, tables, data.
	const lossAt, rowAt, endAt, tablesAt = 0, 1, 2, 3
	var state []*Node
	for _, v := range variables {
		state = append(state, v.NodeValue(g))
	}
	// GoMLX keeps one node for each value of Scalar in a graph, and a closure
	// cannot use a node of another: outside the body there is only Const.
	state = append(append(state, Const(g, float32(0))), inputs...)
	advance := func(state []*Node) []*Node {
		for i, v := range variables {
			v.SetNodeValue(state[i])
		}
		s := state[len(variables):]
		at, data := Reshape(s[rowAt], 1, 1), len(s)-len(l.data)
		var row []*Node
		for _, table := range s[tablesAt:data] {
			row = append(row, Squeeze(Gather(table, at), 0))
		}
		loss := ConvertDType(l.step(row, s[data:]), dtypes.Float32)
		next := make([]*Node, 0, len(state))
		for _, v := range variables {
			next = append(next, v.NodeValue(s[rowAt].Graph()))
		}
		next = append(next, Add(s[lossAt], loss), OnePlus(s[rowAt]))
		return append(next, s[endAt:]...)
	}
	if l.device {
		state = whileRows(g, state, len(variables)+rowAt, len(variables)+endAt, advance)
	} else {
		state = advance(state)
	}
	for i, v := range variables {
		v.SetNodeValue(state[i])
	}
	return []*Node{state[len(variables)+lossAt]}
}

// whileRows builds a loop that advances a state as long as its row is below its end.
func whileRows(g *Graph, state []*Node, row, end int, advance func([]*Node) []*Node) []*Node {
	parameters := func(g *Graph) []*Node {
		out := make([]*Node, len(state))
		for i, node := range state {
			out[i] = Parameter(g, fmt.Sprintf("state_%d", i), node.Shape())
		}
		return out
	}
	left := NewClosure(g, func(g *Graph) []*Node {
		s := parameters(g)
		return []*Node{LessThan(s[row], s[end])}
	})
	body := NewClosure(g, func(g *Graph) []*Node { return advance(parameters(g)) })
	return While(left, body, state...)
}
