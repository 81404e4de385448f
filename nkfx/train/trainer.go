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
	"golang.org/x/sync/errgroup"

	"github.com/neuralkforms/nkf/datasets/packing"
	"github.com/neuralkforms/nkf/layers"
)

// trainer has the variables of a task's model and its programs on a backend, which are compiled once for all
// folds and seeds. It runs one training at a time.
type trainer struct {
	Task
	backend compute.Backend
	plan    *plan
	packer  *packing.Packer
	table   *tensors.Tensor // [U+1, n] on the device: the coordinates that occur, and zeros

	store      *model.Store
	building   sync.Mutex // held while a graph with the variables of the store is built
	variables  []*model.Variable
	given      snapshot          // before the initialization
	random     []*model.Variable // those that initialize draws, in its order
	initialize *model.Exec
	units      map[string][]float32 // of the objective, on the training part

	shapes     []*shape // of training batches, ascending: nearly all fit the first, all the last
	evaluation *evaluator
	compiled   int // programs
}

// newTrainer declares the variables of the task's model and puts the vertices on the device.
func newTrainer(backend compute.Backend, task Task, p *plan) (t *trainer, err error) {
	t = &trainer{Task: task, backend: backend, plan: p, packer: p.packing.Clone(), store: model.NewStore()}
	defer func() {
		if err != nil {
			t.close()
		}
	}()
	vertices := p.packing.Coordinates()
	t.table = tensors.FromFlatDataAndDimensions(vertices, len(vertices)/t.Data.Dim, t.Data.Dim)
	if err := t.table.MaterializeOnDevice(backend, true, 0); err != nil {
		return t, fmt.Errorf("putting the vertices of %q on the device: %w", t.Data.Name, err)
	}
	return t, guard(t.declare)
}

// declare builds a step and a prediction, without compiling them, so that all
// variables of model and optimizer exist and it shows what is read of a batch.
func (t *trainer) declare() error {
	// Any seed will do, to make the variable of the random numbers: trainings set
	// their own before they initialize.
	err := errors.Join(t.store.SetRNGStateFromSeed(1), t.newShapes())
	if err != nil {
		return err
	}
	if t.evaluation, err = t.newEvaluator(); err != nil {
		return err
	}
	for v := range t.store.IterVariables() {
		t.variables = append(t.variables, v)
		if !v.HasValue() {
			t.random = append(t.random, v)
		}
	}
	// GoMLX compiles a program for every store that it initializes; this one is
	// kept, and run again for every fold and seed. It runs on the pure Go backend,
	// where it compiles in milliseconds, so that a seed means the same initial
	// values on every backend.
	err = t.store.InitializeVariables(gobackend.GetBackend(), func(made *model.Exec) error {
		t.initialize = made
		return nil
	})
	if err != nil {
		return fmt.Errorf("initializing the variables: %w", err)
	}
	t.given, err = t.state()
	return err
}

// reading builds outputs on a batch of each layout, and returns the layouts without the parts that none of
// them reads: these are neither packed nor sent.
func (t *trainer) reading(build func(*layers.Batch) *Node, all ...*packing.Layout) (out []*packing.Layout) {
	var unread []int
	for i, layout := range all {
		g := NewGraph(t.backend, "declare")
		model.SetStore(g, t.store)
		batch := layers.Unpack(layout, []*Node{Parameter(g, "table", t.table.Shape()),
			Parameter(g, "batch", shapes.Make(dtypes.Int32, layout.Width()))})
		build(batch)
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

// prepare compiles the programs, side by side as far as there are processors. Batches of the third shape are
// rare: it waits until one comes.
func (t *trainer) prepare() error {
	var work errgroup.Group
	compile := func(kind string, do func() error) {
		work.Go(func() error {
			if err := guard(do); err != nil {
				return fmt.Errorf("compiling the %s program of %q: %w", kind, t.Data.Name, err)
			}
			return nil
		})
	}
	compile("evaluation", func() (err error) {
		p := t.evaluation
		row := shapes.Make(dtypes.Int32, p.layout.Width())
		p.graph, err = p.exec.Compile(t.table.Shape(), row)
		return err
	})
	for _, s := range t.shapes[:min(2, len(t.shapes))] {
		compile("training", func() error { return s.loop.compile(s.batches, s.rates) })
	}
	return work.Wait()
}

// predict returns the predictions for the given complexes.
func (t *trainer) predict(ids []int32) (Predictions, error) {
	values, err := t.outputs(ids)
	if err != nil {
		return Predictions{}, err
	}
	out, tasks := Predictions{Values: values, Units: t.units, Batch: t.Protocol.Batch}, len(t.Data.Tasks)
	for _, id := range ids {
		out.Labels = append(out.Labels, t.Data.Labels[id])
		out.Targets = append(out.Targets, t.Data.Targets[int(id)*tasks:(int(id)+1)*tasks]...)
	}
	return out, nil
}

// close frees the programs and the tables.
func (t *trainer) close() {
	for _, s := range t.shapes {
		s.close()
	}
	if t.evaluation != nil && t.evaluation.exec != nil {
		t.evaluation.exec.Finalize()
	}
	if t.initialize != nil {
		t.initialize.Finalize()
	}
	t.store.Finalize()
	if t.table != nil {
		t.table.MustFinalizeAll()
	}
}

// snapshot is the values of all variables, on the host: weights, running statistics, moments of the
// optimizer, learning rate, random numbers.
type snapshot []*tensors.Tensor

// state returns the values that the variables have now.
func (t *trainer) state() (s snapshot, err error) {
	for _, v := range t.variables {
		value, err := v.Value()
		if err == nil {
			value, err = value.LocalClone()
		}
		if err != nil {
			return nil, fmt.Errorf("variable %s: %w", v.Path(), err)
		}
		s = append(s, value)
	}
	return s, nil
}

// restore gives the variables the values of a snapshot.
func (t *trainer) restore(s snapshot) error {
	for i, v := range t.variables {
		value, err := s[i].LocalClone() // what a variable holds may be given away to a program
		if err == nil {
			err = v.SetValue(value)
		}
		if err != nil {
			return fmt.Errorf("variable %s: %w", v.Path(), err)
		}
	}
	return nil
}

// start sets the variables as a training with that seed begins.
func (t *trainer) start(seed int64) error {
	if err := errors.Join(t.restore(t.given), t.store.SetRNGStateFromSeed(seed)); err != nil {
		return err
	}
	initial, err := t.initialize.Call()
	if err != nil {
		return fmt.Errorf("initializing the variables: %w", err)
	}
	for i, v := range t.random {
		if err := v.SetValue(initial[i]); err != nil {
			return err
		}
	}
	s, err := t.state() // on the host, for whatever backend trains
	if err != nil {
		return err
	}
	return t.restore(s)
}
