package experiments

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/train/optimizer"
	"github.com/gomlx/gomlx/support/exceptions"

	. "github.com/gomlx/gomlx/core/graph"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/nkfx"
)

// lossFn builds the loss of a step: tables are the data, which stay on the
// device, and rows [B] int32 says which of their rows the step is about.
type lossFn func(scope *model.Scope, tables []*Node, rows *Node) *Node

// learner trains the variables of a loss. An epoch is one program, a loop
// over the steps on the device; on the pure Go backend, whose loops compute
// out of order (see nkfx/train), steps run one by one.
type learner struct {
	store     *model.Store
	variables []*model.Variable
	loss      lossFn
	optimizer optimizer.Interface
	tables    []*tensors.Tensor
	samples   int // rows of the tables
	loops     bool
	exec      *model.Exec
	random    *datasets.Random
}

// newLearner makes the variables and initializes them from the seed, which
// also orders the samples.
func newLearner(backend compute.Backend, seed uint32, opt optimizer.Interface, samples int,
	tables []*tensors.Tensor, loss lossFn) (*learner, error) {
	l := &learner{
		store: model.NewStore(), loss: loss, optimizer: opt, tables: tables, samples: samples,
		loops:  nkfx.BackendName(backend) != "go",
		random: datasets.NewRandom(seed),
	}
	if err := l.store.SetRNGStateFromSeed(int64(seed)); err != nil {
		return nil, err
	}
	err := exceptions.TryCatch[error](func() {
		// One step that is never run makes all variables.
		g := NewGraph(backend, "declare")
		defer g.Finalize()
		model.SetStore(g, l.store)
		var in []*Node
		for i, t := range tables {
			in = append(in, Parameter(g, fmt.Sprintf("table_%d", i), t.Shape()))
		}
		l.step(in, Parameter(g, "rows", shapes.Make(dtypes.Int32, 1)))
	})
	if err != nil {
		return nil, err
	}
	if err := l.store.InitializeVariables(backend, nil); err != nil {
		return nil, err
	}
	l.variables = slices.Collect(l.store.IterVariables())
	l.exec, err = model.NewExec(backend, l.store, l.build)
	return l, err
}

// step builds one training step and returns its loss.
func (l *learner) step(tables []*Node, rows *Node) *Node {
	g := rows.Graph()
	l.store.SetTraining(g, true)
	loss := l.loss(l.store.RootScope(), tables, rows)
	l.optimizer.UpdateGraph(l.store.RootScope(), g, loss)
	return ConvertDType(loss, dtypes.Float32)
}

// build builds the steps of a table of rows [steps, B], the last of the
// inputs, and returns the sum of their losses.
func (l *learner) build(_ *model.Scope, in []*Node) *Node {
	tables, order := in[:len(in)-1], in[len(in)-1]
	g := order.Graph()
	steps, batch := order.Shape().Dimensions[0], order.Shape().Dimensions[1]
	if steps == 1 {
		return l.step(tables, Reshape(order, batch))
	}
	variables := len(l.variables)
	var state []*Node
	for _, v := range l.variables {
		state = append(state, v.NodeValue(g))
	}
	// A closure cannot use nodes of another graph, which Scalar shares.
	state = append(state, Const(g, float32(0)), Const(g, int32(0)), order)
	state = append(state, tables...)
	parameters := func(g *Graph) []*Node {
		out := make([]*Node, len(state))
		for i, node := range state {
			out[i] = Parameter(g, fmt.Sprintf("state_%d", i), node.Shape())
		}
		return out
	}
	left := NewClosure(g, func(g *Graph) []*Node {
		at := parameters(g)[variables+1]
		return []*Node{LessThan(at, Const(g, int32(steps)))}
	})
	body := NewClosure(g, func(g *Graph) []*Node {
		s := parameters(g)
		for i, v := range l.variables {
			v.SetNodeValue(s[i])
		}
		sum, at, order := s[variables], s[variables+1], s[variables+2]
		loss := l.step(s[variables+3:], Reshape(Gather(order, Reshape(at, 1, 1)), batch))
		var out []*Node
		for _, v := range l.variables {
			out = append(out, v.NodeValue(g))
		}
		out = append(out, Add(sum, loss), OnePlus(at))
		return append(out, s[variables+2:]...)
	})
	out := While(left, body, state...)
	for i, v := range l.variables {
		v.SetNodeValue(out[i])
	}
	return out[variables]
}

// train runs the epochs and returns the mean loss of each. Every epoch visits
// the samples in a new random order; a last batch that is not full is left
// out.
func (l *learner) train(ctx context.Context, name string, n Network, report func(Step)) ([]float64, error) {
	steps := l.samples / n.Batch
	if steps == 0 {
		return nil, fmt.Errorf("steps of %d samples: there are only %d; use fewer", n.Batch, l.samples)
	}
	var losses []float64
	for epoch := range n.Epochs {
		if err := ctx.Err(); err != nil {
			return losses, err
		}
		if n.Anneal {
			share := (1 + math.Cos(math.Pi*float64(epoch)/float64(n.Epochs))) / 2
			if err := l.setRate(n.Rate * share); err != nil {
				return losses, err
			}
		}
		loss, err := l.epoch(l.random.Permutation(l.samples)[:steps*n.Batch], n.Batch)
		if err != nil {
			return losses, fmt.Errorf("training %s, epoch %d: %w", name, epoch, err)
		}
		losses = append(losses, loss)
		if report != nil {
			report(Step{Model: name, Epoch: epoch + 1, Epochs: n.Epochs, Loss: loss})
		}
	}
	return losses, nil
}

// setRate sets the learning rate of the steps that follow.
func (l *learner) setRate(rate float64) error {
	for _, v := range l.variables {
		if v.Name() == optimizer.ParamLearningRate {
			return v.SetValue(tensors.FromScalar(float32(rate)))
		}
	}
	return fmt.Errorf("the optimizer has no variable %q", optimizer.ParamLearningRate)
}

// epoch takes the steps of an order and returns their mean loss.
func (l *learner) epoch(order []int32, batch int) (float64, error) {
	at := batch // samples in a call
	if l.loops {
		at = len(order)
	}
	sum := 0.0
	for rows := range slices.Chunk(order, at) {
		args := make([]any, 0, len(l.tables)+1)
		for _, t := range l.tables {
			args = append(args, t)
		}
		args = append(args, tensors.FromFlatDataAndDimensions(rows, len(rows)/batch, batch))
		out, err := l.exec.Call(args...)
		if err != nil {
			return 0, err
		}
		sum += float64(tensors.ToScalar[float32](out[0]))
	}
	return sum / float64(len(order)/batch), nil
}

// parameters returns the number of trainable parameters.
func (l *learner) parameters() int {
	sum := 0
	for _, v := range l.variables {
		if v.Trainable {
			sum += v.Shape().Size()
		}
	}
	return sum
}

// evaluate runs a graph function on the trained variables and returns its
// output as a flat array.
func (l *learner) evaluate(backend compute.Backend, build func(*model.Scope, []*Node) *Node,
	inputs ...*tensors.Tensor) ([]float32, error) {
	args := make([]any, 0, len(inputs))
	for _, t := range inputs {
		args = append(args, t)
	}
	exec, err := model.NewExec(backend, l.store, func(_ *model.Scope, in []*Node) *Node {
		return build(l.store.RootScope(), in)
	})
	if err != nil {
		return nil, err
	}
	defer exec.Finalize()
	out, err := exec.Call(args...)
	if err != nil {
		return nil, err
	}
	return tensors.CopyFlatData[float32](out[0])
}

// close frees what is on the device.
func (l *learner) close() {
	l.exec.Finalize()
	l.store.Finalize()
	for _, t := range l.tables {
		t.MustFinalizeAll()
	}
}
