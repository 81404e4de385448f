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
	"golang.org/x/sync/errgroup"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/packing"
	"github.com/neuralkforms/nkf/layers"
)

// engine has the variables of a task's model and its compiled programs on a backend. A program is compiled
// once for all folds and seeds; it holds no values, those travel as a [snapshot]. Several trainers may use an
// engine at once.
type engine struct {
	backend   compute.Backend
	data      *datasets.Collection
	plan      *plan
	model     Model
	choice    *Choice
	features  Model // of which the model is the ridge; nil if it is trained
	optimizer optimizer.Interface
	weights   []float32 // class weights of the loss, nil for none
	smoothing float64   // of the labels

	// Layouts without the parts that the model does not read.
	training   []*packing.Layout // ascending: nearly all batches fit the first, all the last
	evaluation *packing.Layout

	// store declares the variables. Of values it holds those of the
	// initialization last run.
	store      *model.Store
	variables  []*model.Variable
	initials   []*model.Variable // those with an initializer, in its order
	rate       *model.Variable   // the learning rate; nil of a closed form
	mean       *model.Variable   // of the targets, and their standard deviation, [1, tasks];
	deviation  *model.Variable   // nil but for a regression
	initialize *model.Exec
	table      *tensors.Tensor // [U+1, n], on the device: the coordinates that occur, and zeros

	mu       sync.Mutex // of the store, while graphs are built and variables initialized, and of compiled
	compiled map[key]*program
}

// program is compiled once.
type program struct {
	once  sync.Once
	graph *Graph
	err   error
}

// The kinds of programs.
const training, evaluation, featuring = "training", "evaluation", "features"

// key names a program: what it does, on batches of which shape, how many at
// most.
type key struct {
	kind   string
	layout *packing.Layout
	rows   int
}

// newEngine declares the variables of the task's model and puts the vertices
// on the device.
func newEngine(backend compute.Backend, t Task, p *plan) (*engine, error) {
	e := &engine{
		backend: backend, data: t.Data, plan: p, model: t.Model, features: t.Features, choice: t.Choice,
		weights:   t.Protocol.weights(t.Data),
		smoothing: t.Protocol.Smoothing,
		optimizer: t.Protocol.Optimizer(),
		store:     model.NewStore(),
		compiled:  map[key]*program{},
	}
	vertices := p.packing.Coordinates()
	e.table = tensors.FromFlatDataAndDimensions(vertices, len(vertices)/t.Data.Dim, t.Data.Dim)
	err := e.table.MaterializeOnDevice(backend, true, 0)
	if err != nil {
		err = fmt.Errorf("putting the vertices of %q on the device: %w", t.Data.Name, err)
	} else {
		err = guard(e.declare)
	}
	if err != nil {
		e.close()
		return nil, err
	}
	return e, nil
}

// guard turns panics into errors: those of graph building, which are how
// GoMLX reports, and those of a model that is not ours.
func guard(work func() error) (err error) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case error:
			err = p
		default:
			err = fmt.Errorf("%v", p)
		}
	}()
	return work()
}

// declare builds a step and a prediction, without compiling them, so that all
// variables of model and optimizer exist and it shows what is read of a batch.
func (e *engine) declare() error {
	// Any seed will do, to make the variable of the random numbers: runs set
	// their own before they initialize.
	if err := e.store.SetRNGStateFromSeed(1); err != nil {
		return err
	}
	if e.features == nil {
		e.training = e.reading(e.plan.training, e.step)
	}
	e.evaluation = e.reading([]*packing.Layout{e.plan.evaluation},
		func(_ *Graph, batch *layers.Batch) *Node { return e.output(batch) })[0]
	for v := range e.store.IterVariables() {
		e.variables = append(e.variables, v)
		if !v.HasValue() {
			e.initials = append(e.initials, v)
		}
		if v.Name() == optimizer.ParamLearningRate {
			e.rate = v
		}
	}
	// GoMLX compiles a program for every store that it initializes; this one is
	// kept, and run again for every fold and seed. It runs on the pure Go backend,
	// where it compiles in milliseconds, so that a seed means the same initial
	// values on every backend.
	err := e.store.InitializeVariables(gobackend.GetBackend(), func(made *model.Exec) error {
		e.initialize = made
		return nil
	})
	if err != nil {
		return fmt.Errorf("initializing the variables: %w", err)
	}
	return nil
}

// reading builds the outputs of a program on a batch of each layout, and returns the layouts without the
// parts that none of them reads: these are neither packed nor sent.
func (e *engine) reading(all []*packing.Layout, build func(*Graph, *layers.Batch) *Node) (
	out []*packing.Layout) {
	var unread []int
	for i, layout := range all {
		g := e.newGraph("declare")
		batch := e.batch(g, layout)
		build(g, batch)
		parts := batch.Unread()
		if i == 0 {
			unread = parts
		}
		unread = slices.DeleteFunc(unread, func(part int) bool { return !slices.Contains(parts, part) })
		g.Finalize()
	}
	for _, layout := range all {
		out = append(out, layout.Without(unread...))
	}
	return out
}

// newGraph returns an empty graph whose variables are those of the store.
func (e *engine) newGraph(name string) *Graph {
	g := NewGraph(e.backend, name)
	model.SetStore(g, e.store)
	return g
}

// batch returns a batch of a graph that has it as a parameter.
func (e *engine) batch(g *Graph, layout *packing.Layout) *layers.Batch {
	return layers.Unpack(layout, []*Node{Parameter(g, "table", e.table.Shape()),
		Parameter(g, "batch", shapes.Make(dtypes.Int32, layout.Width()))})
}

// step builds a training step and returns its loss.
func (e *engine) step(g *Graph, batch *layers.Batch) *Node {
	return buildStep(e.store, e.optimizer, g, func() *Node { return e.loss(batch) })
}

// prepare compiles the programs of these keys, side by side as far as there are processors.
func (e *engine) prepare(programs ...key) error {
	var work errgroup.Group
	for _, k := range programs {
		work.Go(func() error {
			_, err := e.program(k)
			return err
		})
	}
	return work.Wait()
}

// program returns the program of a key. Its parameters are all variables, in order, and then those that are
// drawn.
func (e *engine) program(k key) (*Graph, error) {
	e.mu.Lock()
	p := e.compiled[k]
	if p == nil {
		p = &program{}
		e.compiled[k] = p
	}
	e.mu.Unlock()
	p.once.Do(func() {
		err := guard(func() error {
			g, outputs := e.draw(k)
			p.graph = g
			return g.Compile(outputs...)
		})
		if err != nil {
			p.err = fmt.Errorf("compiling the %s program of %q: %w", k.kind, e.data.Name, err)
		}
	})
	return p.graph, p.err
}

// draw builds the graph of a program.
func (e *engine) draw(k key) (g *Graph, outputs []*Node) {
	e.mu.Lock()
	defer e.mu.Unlock()
	g = e.newGraph(fmt.Sprintf("%s%+v", k.kind, k.layout.Budget))
	for _, v := range e.variables {
		v.NodeValue(g) // makes the parameter
	}
	switch k.kind {
	case training:
		return g, e.drawSteps(g, k)
	case featuring:
		outputs = []*Node{e.features(e.store.RootScope(), e.batch(g, k.layout))}
	default:
		outputs = []*Node{e.output(e.batch(g, k.layout))}
	}
	return g, []*Node{ConvertDType(outputs[0], dtypes.Float32)}
}

// run runs the program of a key on the values of the variables and further
// inputs.
func (e *engine) run(k key, state *snapshot, inputs ...any) (out []*tensors.Tensor, err error) {
	g, err := e.program(k)
	if err != nil {
		return nil, err
	}
	all := make([]any, 0, len(state.values)+len(inputs))
	for _, v := range state.values {
		all = append(all, v)
	}
	err = guard(func() error {
		out = g.Run(append(all, inputs...)...)
		return nil
	})
	return out, err
}

// close frees the compiled programs and the table.
func (e *engine) close() {
	for _, p := range e.compiled {
		if p.graph != nil {
			p.graph.Finalize()
		}
	}
	if e.initialize != nil {
		e.initialize.Finalize()
	}
	e.store.Finalize()
	e.table.MustFinalizeAll()
}

// snapshot is the values of all variables of one training: weights, running
// statistics, moments of the optimizer, learning rate, random numbers. The
// programs map one snapshot to the next; nothing else changes.
type snapshot struct{ values []*tensors.Tensor }

// start returns the state in which a training with that seed begins.
func (e *engine) start(seed int64) (*snapshot, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if err := e.store.SetRNGStateFromSeed(seed); err != nil {
		return nil, fmt.Errorf("seeding: %w", err)
	}
	initial, err := e.initialize.Call()
	if err != nil {
		return nil, fmt.Errorf("initializing the variables: %w", err)
	}
	byVariable := make(map[*model.Variable]*tensors.Tensor, len(initial))
	for i, v := range e.initials {
		byVariable[v] = initial[i]
		defer initial[i].MustFinalizeAll()
	}
	s := &snapshot{}
	for _, v := range e.variables {
		value := byVariable[v]
		var err error
		if value == nil {
			// The rest begins with a given value: counters, the rate, the
			// state of the random numbers after the initialization.
			value, err = v.Value()
		}
		if err == nil { // the copy is the host's, for whatever backend trains
			value, err = value.LocalClone()
		}
		if err != nil {
			return nil, fmt.Errorf("variable %s: %w", v.Path(), err)
		}
		s.values = append(s.values, value)
	}
	return s, nil
}

// valueOf returns the value of a variable.
func (e *engine) valueOf(s *snapshot, v *model.Variable) []float32 {
	return tensors.MustCopyFlatData[float32](s.values[slices.Index(e.variables, v)])
}

// set replaces the value of a variable.
func (e *engine) set(s *snapshot, v *model.Variable, value *tensors.Tensor) {
	i := slices.Index(e.variables, v)
	s.values[i].MustFinalizeAll()
	s.values[i] = value
}

// free releases the memory of the state. It is not to be used after.
func (s *snapshot) free() {
	for _, v := range s.values {
		v.MustFinalizeAll()
	}
	s.values = nil
}
