package train

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/dustin/go-humanize/english"
	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/train/optimizer"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/layers"
)

// Model builds the outputs of a batch: logits [B, classes], or a logit or
// number for every task, [B, tasks], see [Numbers]. It is called once for every
// program that is compiled, always with a root scope.
type Model func(scope *model.Scope, batch *layers.Batch) *Node

// Task is a model to be trained and tested on folds of a collection.
type Task struct {
	Data     *datasets.Collection
	Model    Model
	Protocol Protocol        // how it is trained; zero: Published(16), or smaller batches of smaller data
	Folds    []datasets.Fold // nil: five, stratified by class
	Seeds    []uint32        // each trains on every fold; nil: 42
	Pool     *Pool           // workers that train; nil: one

	Objective Objective           // what is learned; nil: NewObjective, with the protocol's weights
	Optimizer optimizer.Interface // with the rate of the schedule; nil: the protocol's
	// Schedule returns the learning rate of a step, from 0 to steps - 1, all epochs together; nil: the
	// protocol's. With a schedule of its own, or the protocol's cosine, a fold needs no validation part.
	Schedule func(step, steps int) float64

	// Done returns the finished training of a fold and seed, if there is one;
	// it is not repeated. Save takes each one that ends. Both may be nil, and
	// neither is called twice at once.
	Done func(fold int, seed uint32) (*Fit, bool)
	Save func(*Fit) error
	// Report receives the progress, one at a time. It may be nil.
	Report func(Progress)

	all bool // nothing is evaluated: the only fold has no other part than all complexes to train on
}

// complete sets what a task leaves open. The caller calls release at the end.
func (t *Task) complete(ctx context.Context, backend compute.Backend) (release func(), err error) {
	if ctx == nil {
		return nil, errNoContext
	}
	if t.Seeds == nil {
		t.Seeds = []uint32{42}
	}
	if t.Folds == nil && t.Data != nil {
		if t.Folds, err = datasets.StratifiedFolds(t.Data.Labels, 5, 42); err != nil {
			return nil, fmt.Errorf("%q: %w", t.Data.Name, err)
		}
	}
	if t.Protocol == (Protocol{}) {
		t.Protocol = Published(16)
		for _, fold := range t.Folds {
			t.Protocol.Batch = min(t.Protocol.Batch, len(fold.Train))
		}
	}
	if err := t.check(); err != nil {
		return nil, err
	}
	t.choose()
	if t.Pool != nil {
		return func() {}, nil
	}
	own := NewPool(1)
	t.Pool = own
	return func() {
		_ = until(ctx, backend, func() error {
			own.Close()
			return nil
		})
	}, nil
}

// choose sets the objective and the optimizer that a task leaves open.
func (t *Task) choose() {
	if t.Objective == nil {
		t.Objective = t.Protocol.objective(t.Data)
	}
	if t.Optimizer == nil {
		t.Optimizer = t.Protocol.Optimizer()
	}
}

// on calls a function with a trainer on a worker of the pool, whose shapes are those of the plan, or of a new
// one. A panic of the function is an error. There is no worker if the pool is closed.
//
// The worker is free again when nothing is compiled on it any more, which may be after an end of the context.
func (t Task) on(ctx context.Context, w *worker, backend compute.Backend, p *plan, do func(*trainer) error) (
	err error) {
	if w == nil {
		return errors.New("the pool of workers is closed")
	}
	own, err := w.open(backend)
	if err == nil && p == nil {
		p, err = newPlan(t.Data, t.Folds, t.Protocol.Batch, maxDistinct)
	}
	var trainer *trainer
	if err == nil {
		trainer, err = newTrainer(own, t, p)
	}
	if err != nil {
		t.Pool.give(w)
		return err
	}
	defer func() {
		_ = until(ctx, own, func() error {
			defer t.Pool.give(w)
			trainer.compiling.Wait()
			trainer.close()
			return nil
		})
	}()
	return guard(func() error { return do(trainer) })
}

// first is on with the first worker that is free.
func (t Task) first(ctx context.Context, backend compute.Backend, do func(*trainer) error) error {
	w := t.Pool.take(ctx)
	if w == nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return t.on(ctx, w, backend, nil, do)
}

// check returns an error for a task that cannot be done.
func (t Task) check() error {
	if err := t.whole(); err != nil {
		return err
	}
	if len(t.Folds) == 0 || len(t.Seeds) == 0 {
		return fmt.Errorf("%d folds and %d seeds: a cross-validation takes one or more of each", len(t.Folds),
			len(t.Seeds))
	}
	if err := errors.Join(t.Protocol.check(t.Data), t.Data.Validate()); err != nil {
		return err
	}
	switch t.Objective.(type) {
	case nil, Classes, Answers, Numbers: // one of a program's own may learn something else of the data
		if err := Learnable(t.Data); err != nil {
			return err
		}
	}
	for f, fold := range t.Folds {
		if err := t.checkFold(f, fold); err != nil {
			return err
		}
	}
	return nil
}

// whole returns an error for a task without data or a model.
func (t Task) whole() error {
	switch {
	case t.Data == nil:
		return errors.New("a task has no data")
	case t.Model == nil:
		return fmt.Errorf("the task on %q has no model", t.Data.Name)
	}
	return nil
}

// checkFold returns an error for a fold with too small a part, with complexes that do not exist, or with some
// that are trained on twice or tested as well.
func (t Task) checkFold(f int, fold datasets.Fold) error {
	// A fixed schedule needs no validation part.
	validated := len(fold.Validation) > 0 || t.fixed() != nil || t.Protocol.Validate < 0
	if len(fold.Train) < t.Protocol.Batch || !t.all && (!validated || len(fold.Test) == 0) {
		return fmt.Errorf(
			"fold %d of %q trains with %s, validates with %d and tests with %d: "+
				"it takes a batch of %d, one and one; use smaller batches or fewer folds",
			f, t.Data.Name, english.Plural(len(fold.Train), "complex", ""), len(fold.Validation),
			len(fold.Test), t.Protocol.Batch)
	}
	trained := make([]bool, t.Data.Len())
	for i, part := range append([][]int32{fold.Train}, evaluatedParts(fold)...) {
		for _, id := range part {
			switch {
			case id < 0 || int(id) >= t.Data.Len():
				return fmt.Errorf("fold %d of %q: complex %d, but they are numbered 0 to %d", f, t.Data.Name,
					id, t.Data.Len()-1)
			case trained[id]:
				return fmt.Errorf("fold %d of %q: complex %d is trained on, and so cannot be in it again", f,
					t.Data.Name, id)
			case i == 0:
				trained[id] = true
			}
		}
	}
	return nil
}

// Learnable returns an error if there is nothing to learn in data, or if 32 bits cannot standardize their
// numbers.
func Learnable(data *datasets.Collection) error {
	switch {
	case data.Len() == 0:
		return fmt.Errorf("%s has no complexes: there is nothing to learn", data.Name)
	case data.Classes == nil && data.Tasks == nil:
		return fmt.Errorf("%s has no classes and no values: there is nothing to learn", data.Name)
	case data.Tasks == nil && slices.Min(data.Labels) == slices.Max(data.Labels):
		return fmt.Errorf("all of %s is of class %q: there is nothing to learn", data.Name,
			data.Classes[data.Labels[0]])
	}
	for task, name := range data.Tasks {
		low, high := math.Inf(1), math.Inf(-1)
		for g := range data.Len() {
			if y := data.Target(g)[task]; !math.IsNaN(y) { // NaN is unknown
				low, high = min(low, y), max(high, y)
			}
		}
		switch {
		case math.IsInf(low, 1):
			return fmt.Errorf("%s: no value of %q is known: there is nothing to learn", data.Name, name)
		case low == high:
			return fmt.Errorf("%s: all known values of %q are %.6g: there is nothing to learn", data.Name,
				name, low)
		case max(-low, high) > 1e38 || high-low < 1e-36:
			return fmt.Errorf("%s: the values of %q are from %.6g to %.6g, which 32 bits cannot subtract "+
				"and divide: take another unit", data.Name, name, low, high)
		}
	}
	return nil
}
