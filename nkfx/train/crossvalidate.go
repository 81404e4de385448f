package train

import (
	"context"
	"fmt"
	"sync/atomic"

	"github.com/dustin/go-humanize/english"
	"github.com/gomlx/compute"
	"golang.org/x/sync/errgroup"
)

// Outcome is the result of a cross-validation.
type Outcome struct {
	Parameters   int    // trainable parameters of the model
	Fits         []*Fit // by seed, then fold
	Compilations int    // programs that a worker compiled

	regression bool
}

// String returns the mean and the standard deviation of the scores that the
// trainings reached with the weights of their last epochs. Scores that are not defined are counted.
func (o *Outcome) String() string {
	if o == nil {
		return "no outcome"
	}
	name, unit, metric := "accuracy", " %", "accuracy"
	if o.regression {
		name, unit, metric = "RMSE", "", "rmse"
	}
	var scores []Score
	for _, fit := range o.Fits {
		scores = append(scores, *fit.Last.Of(metric))
	}
	mean, deviation, n := MeanStd(scores)
	without := ""
	if n > 0 {
		without = fmt.Sprintf(" (%d without a score)", n)
	}
	spread := ""
	if deviation.Defined() {
		spread = fmt.Sprintf(" ± %.2f", deviation)
	}
	return fmt.Sprintf("%s %.2f%s%s, %s%s, %d parameters", name, mean, spread, unit,
		english.Plural(len(o.Fits), "training", ""), without, o.Parameters)
}

// CrossValidate trains the task's model on every fold with every seed. When the context ends, it stops
// between epochs, or while programs are compiled, with the context's cause; see [Wait].
func CrossValidate(ctx context.Context, backend compute.Backend, task Task) (*Outcome, error) {
	release, err := task.complete(ctx, backend)
	if err != nil {
		return nil, err
	}
	defer release()
	if err := task.begins(preparing, false, len(task.Folds)*len(task.Seeds), nil); err != nil {
		return nil, err
	}
	out := &Outcome{regression: task.Data.Regression}
	err = task.first(ctx, backend, func(t *trainer) (err error) {
		for _, v := range t.variables {
			if v.Trainable {
				out.Parameters += v.Shape().Size()
			}
		}
		c := crossValidation{Task: t.Task}
		err = c.run(ctx, backend, t)
		out.Fits, out.Compilations = c.fits, t.training.compiled+t.evaluation.compiled
		return err
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// crossValidation runs the trainings of a task.
type crossValidation struct {
	Task
	fits     []*Fit // by seed, then fold
	todo     []int  // of them
	begun    atomic.Int32
	progress *progress
}

// run runs the unfinished trainings: the first worker is there, and others join when they are free.
func (c *crossValidation) run(ctx context.Context, backend compute.Backend, first *trainer) error {
	c.fits = make([]*Fit, len(c.Folds)*len(c.Seeds))
	for i := range c.fits {
		done := false
		if c.Done != nil {
			c.fits[i], done = c.Done(c.training(i))
		}
		if !done {
			c.todo = append(c.todo, i)
		}
	}
	if len(c.todo) == 0 {
		return context.Cause(ctx)
	}
	if err := c.begins(compiling, false, len(c.fits), nil); err != nil {
		return err
	}
	c.progress = newProgress(c.Task, len(c.fits), len(c.todo))
	group, ctx := errgroup.WithContext(ctx)
	waiting, end := context.WithCancel(ctx) // until the last training has begun
	group.Go(func() error { return guard(func() error { return c.work(ctx, first, end) }) })
	for range min(cap(c.Pool.free), len(c.todo)) - 1 {
		group.Go(func() error {
			w := c.Pool.take(waiting)
			if w == nil {
				return nil // no training is left to begin
			}
			return c.on(ctx, w, backend, first.plan, func(t *trainer) error { return c.work(ctx, t, end) })
		})
	}
	return group.Wait()
}

// training returns fold and seed of training i.
func (c *crossValidation) training(i int) (fold int, seed uint32) {
	return i % len(c.Folds), c.Seeds[i/len(c.Folds)]
}

// work runs trainings one after another, as long as one has not begun, and calls end with the last.
func (c *crossValidation) work(ctx context.Context, t *trainer, end func()) error {
	if err := context.Cause(ctx); err != nil {
		return err // before it compiles
	}
	if err := t.prepare(ctx); err != nil {
		return err
	}
	if err := c.progress.compiled(t); err != nil {
		return err
	}
	for n := int(c.begun.Add(1)); n <= len(c.todo); n = int(c.begun.Add(1)) {
		if n == len(c.todo) {
			end()
		}
		i := c.todo[n-1]
		number, seed := c.training(i)
		j := job{number: number, fold: c.Folds[number], seed: seed, epochs: c.Protocol.Epochs,
			report: func(epoch Epoch) { c.progress.epoch(i, number, seed, epoch) }}
		j.rate, j.observe = c.schedule(len(j.fold.Train) / c.Protocol.Batch)
		err := guard(func() (err error) {
			if c.fits[i], err = t.fit(ctx, j); err != nil {
				return err
			}
			return c.progress.end(i, c.fits[i])
		})
		if err != nil {
			return fmt.Errorf("fold %d, seed %d of %q: %w", number, seed, c.Data.Name, err)
		}
	}
	return nil
}
