package train

import (
	"errors"
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
	"github.com/gomlx/gomlx/support/exceptions"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/packing"
	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/backends/xla"
	"github.com/neuralkforms/nkf/nkfx/internal/profile"
)

// engine compiles and runs the programs that train a model on a collection:
// one epoch is one program, a loop on the device over steps that read their
// batch from a table. A program is compiled once for all folds and seeds; it
// holds no values, those travel as a [snapshot]. An engine is one worker's.
type engine struct {
	backend   compute.Backend // of one thread, if it is XLA's on the CPU
	release   func()          // gives it back
	data      *datasets.Collection
	plan      *plan
	model     Model
	features  Model // of which the model is the ridge; nil if it is trained
	optimizer optimizer.Interface
	weights   []float32 // class weights of the loss, nil for none
	smoothing float64   // of the labels

	// store declares the variables. Of values it holds those of the
	// initialization last run.
	store      *model.Store
	variables  []*model.Variable
	initials   []*model.Variable // those with an initializer, in its order
	rate       *model.Variable   // the learning rate
	mean       *model.Variable   // of the targets, and their standard deviation, [1, tasks];
	deviation  *model.Variable   // nil but for a regression
	initialize *model.Exec
	table      *tensors.Tensor // [U+1, n], on the device: the coordinates that occur, and zeros

	packer       *packing.Packer
	programs     map[key]*Graph
	batches      map[key]*tensors.Tensor // tables of batches, used again: they may have tens of megabytes
	compilations map[string]int
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
	opened := profile.In(profile.Backend)
	member, release, err := xla.OneThread(backend)
	opened()
	if err != nil {
		return nil, err
	}
	e := &engine{
		backend: member, release: release, data: t.Data, plan: p, model: t.Model, features: t.Features,
		weights:   t.Protocol.weights(t.Data),
		smoothing: t.Protocol.Smoothing,
		optimizer: t.Protocol.Optimizer(),
		store:     model.NewStore(),
		packer:    p.packing.Clone(),
		programs:  map[key]*Graph{}, batches: map[key]*tensors.Tensor{}, compilations: map[string]int{},
	}
	moved := profile.In(profile.Transfer)
	vertices := p.packing.Coordinates()
	e.table = tensors.FromFlatDataAndDimensions(vertices, len(vertices)/t.Data.Dim, t.Data.Dim)
	err = e.table.MaterializeOnDevice(member, true, 0)
	moved()
	if err != nil {
		e.close()
		return nil, fmt.Errorf("putting the vertices of %q on the device: %w", t.Data.Name, err)
	}
	if err := guard(e.declare); err != nil {
		e.close()
		return nil, err
	}
	return e, nil
}

// guard turns panics into errors: those of graph building, which are how
// GoMLX reports, and those of a model that is not ours.
func guard(work func()) (err error) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case error:
			err = p
		default:
			err = fmt.Errorf("%v", p)
		}
	}()
	work()
	return nil
}

// declare builds a step and a prediction, without compiling them, so that all
// variables of model and optimizer exist and it shows what is read of a batch.
func (e *engine) declare() {
	defer profile.In(profile.Building)()
	// Any seed will do, to make the variable of the random numbers: runs set
	// their own before they initialize.
	if err := e.store.SetRNGStateFromSeed(1); err != nil {
		panic(err)
	}
	p := e.plan
	evaluated := []*packing.Layout{p.evaluation}
	e.trim(training, p.training, e.step)
	e.trim(evaluation, evaluated, func(_ *Graph, batch *layers.Batch) *Node { return e.output(batch) })
	if !p.trimmed {
		p.evaluation, p.trimmed = evaluated[0], true
	}
	for v := range e.store.IterVariables() {
		if !v.HasValue() {
			e.initials = append(e.initials, v)
		}
	}
	e.variables = slices.Collect(e.store.IterVariables())
	i := slices.IndexFunc(e.variables, func(v *model.Variable) bool {
		return v.Name() == optimizer.ParamLearningRate
	})
	if i < 0 {
		exceptions.Panicf("the optimizer has no variable %q", optimizer.ParamLearningRate)
	}
	e.rate = e.variables[i]
	// GoMLX compiles a program for every store that it initializes; this one is
	// kept, and run again for every fold and seed. It runs on the pure Go backend,
	// where it compiles in milliseconds, so that a seed means the same initial
	// values on every backend.
	err := e.store.InitializeVariables(gobackend.GetBackend(), func(made *model.Exec) error {
		e.initialize = made
		return nil
	})
	if err != nil {
		panic(fmt.Errorf("initializing the variables: %w", err))
	}
}

// newGraph returns an empty graph whose variables are those of the store.
func (e *engine) newGraph(name string) *Graph {
	g := NewGraph(e.backend, name)
	model.SetStore(g, e.store)
	return g
}

// step builds a training step on the graph and returns its loss.
func (e *engine) step(g *Graph, batch *layers.Batch) *Node {
	e.store.SetTraining(g, true)
	loss := e.loss(batch)
	e.optimizer.UpdateGraph(e.store.RootScope(), g, loss)
	return loss
}

// prepare compiles the programs of these keys that are new, side by side as far
// as there are processors. The parameters of a program are all variables, in
// order, and then those that are drawn.
func (e *engine) prepare(programs ...key) error {
	errs := make([]error, len(programs))
	var work sync.WaitGroup
	for i, k := range programs {
		if e.programs[k] != nil {
			continue
		}
		var g *Graph
		var outputs []*Node
		compile := func(step func()) {
			defer profile.In(profile.Building)() // XLA's part of it is recorded as such
			if err := guard(step); err != nil {
				errs[i] = fmt.Errorf("compiling the %s program of %q: %w", k.kind, e.data.Name, err)
			}
		}
		// Programs are drawn one after another, since they share the store.
		if compile(func() { g, outputs = e.draw(k) }); errs[i] != nil {
			continue
		}
		e.programs[k] = g
		work.Go(func() {
			compile(func() {
				if err := g.Compile(outputs...); err != nil {
					panic(err)
				}
			})
		})
	}
	work.Wait()
	return errors.Join(errs...)
}

// draw builds the graph of a program.
func (e *engine) draw(k key) (g *Graph, outputs []*Node) {
	e.compilations[k.kind]++
	g = e.newGraph(fmt.Sprintf("%s%+v", k.kind, k.layout.Budget))
	for _, v := range e.variables {
		v.NodeValue(g) // makes the parameter
	}
	if k.kind == training {
		return g, e.drawSteps(g, k)
	}
	table := Parameter(g, "table", e.table.Shape())
	row := Parameter(g, "batch", shapes.Make(dtypes.Int32, k.layout.Width()))
	batch := unpack(k, table, row)
	if k.kind == featuring {
		return g, []*Node{ConvertDType(e.features(e.store.RootScope(), batch), dtypes.Float32)}
	}
	return g, []*Node{ConvertDType(e.output(batch), dtypes.Float32)}
}

// run runs the program of a key on the values of the variables and further
// inputs.
func (e *engine) run(k key, state *snapshot, inputs ...any) (out []*tensors.Tensor, err error) {
	if err := e.prepare(k); err != nil {
		return nil, err
	}
	all := make([]any, 0, len(state.values)+len(inputs))
	for _, v := range state.values {
		all = append(all, v)
	}
	err = guard(func() { out = e.programs[k].Run(append(all, inputs...)...) })
	return out, err
}

// batchesOf returns the table for the batches of a program, [rows, width]. It lies
// where the device reads it, if that can be.
func (e *engine) batchesOf(k key) (*tensors.Tensor, error) {
	if table := e.batches[k]; table != nil {
		return table, nil
	}
	table := tensors.FromShape(shapes.Make(dtypes.Int32, k.rows, k.layout.Width()))
	e.batches[k] = table
	defer profile.Instead(profile.Steps, profile.Transfer)()
	return table, table.MaterializeOnDevice(e.backend, true, 0)
}

// close frees the compiled programs and the tables.
func (e *engine) close() {
	for _, g := range e.programs {
		g.Finalize()
	}
	if e.initialize != nil {
		e.initialize.Finalize()
	}
	for _, table := range e.batches {
		table.MustFinalizeAll()
	}
	e.store.Finalize()
	e.table.MustFinalizeAll()
	e.release()
}
