package train

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/gobackend"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	"golang.org/x/sync/errgroup"
)

// trainer has the variables of a task's model and its programs on a backend, which are compiled once for all
// folds and seeds. It runs one training at a time.
type trainer struct {
	Task
	backend    compute.Backend
	plan       *plan
	data       *packed
	store      *model.Store
	variables  []*model.Variable
	given      snapshot          // before the initialization
	random     []*model.Variable // those that initialize draws, in its order
	initialize *model.Exec
	units      map[string][]float32 // of the objective, on the training part

	training   *Epochs
	evaluation *evaluator
	compiling  sync.WaitGroup // the work of prepare
}

// newTrainer declares the variables of the task's model and puts the vertices on the device.
func newTrainer(backend compute.Backend, task Task, p *plan) (t *trainer, err error) {
	t = &trainer{Task: task, backend: backend, plan: p, store: model.NewStore()}
	defer func() {
		if err != nil {
			t.close()
		}
	}()
	if t.data, err = newPacked(backend, t.Data, p.packer.Clone()); err != nil {
		return t, err
	}
	return t, guard(t.declare)
}

// declare builds a step and a prediction, without compiling them, so that all
// variables of model and optimizer exist and it shows what is read of a batch.
func (t *trainer) declare() error {
	// Any seed will do, to make the variable of the random numbers: trainings set
	// their own before they initialize.
	err := t.store.SetRNGStateFromSeed(1)
	if err != nil {
		return err
	}
	t.training, err = newEpochs(t.backend, t.store, t.Optimizer, t.data, t.Protocol.Batch, t.plan.steps,
		t.plan.training, t.loss)
	if err != nil {
		return err
	}
	t.evaluation, err = newEvaluator(t.backend, t.store, t.data, t.plan.evaluation, t.training.building,
		t.output)
	if err != nil {
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

// prepare compiles the programs, side by side as far as there are processors, until the context ends. Batches
// of the third layout are rare: it waits until one comes.
func (t *trainer) prepare(ctx context.Context) error {
	t.compiling.Add(1)
	return until(ctx, t.backend, func() error {
		defer t.compiling.Done()
		return t.compile()
	})
}

// compile is prepare to the end.
func (t *trainer) compile() error {
	var work errgroup.Group
	compile := func(kind string, do func() error) {
		work.Go(func() error {
			if err := guard(do); err != nil {
				return fmt.Errorf("compiling the %s program of %q: %w", kind, t.Data.Name, err)
			}
			return nil
		})
	}
	if !t.all {
		compile("evaluation", t.evaluation.compile)
	}
	for _, layout := range t.training.layouts[:min(2, len(t.training.layouts))] {
		compile("training", t.training.runs[layout].compile)
	}
	return work.Wait()
}

// predict returns the predictions for the given complexes.
func (t *trainer) predict(ids []int32) (Predictions, error) {
	values, err := t.evaluation.outputs(ids)
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
	if t.training != nil {
		t.training.close()
	}
	if t.evaluation != nil && t.evaluation.exec != nil {
		t.evaluation.exec.Finalize()
	}
	if t.initialize != nil {
		t.initialize.Finalize()
	}
	t.store.Finalize()
	if t.data != nil {
		t.data.table.MustFinalizeAll()
	}
}

// snapshot is the values of all variables, on the host: weights, running statistics, moments of the
// optimizer, learning rate, random numbers.
type snapshot []*tensors.Tensor

// state returns the values that the variables have now.
func (t *trainer) state() (snapshot, error) { return state(t.variables) }

// state returns the values of variables.
func state(variables []*model.Variable) (s snapshot, err error) {
	for _, v := range variables {
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
