package train

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/gomlx/compute"
)

// crew runs the trainings of a task on several workers, each with an engine of its own.
type crew struct {
	task     Task
	backend  compute.Backend
	engine   *engine // of the first worker
	programs []key   // that are needed
	board    *board
	results  []*Fit        // by seed, then fold
	queue    chan int      // trainings to do
	dealt    chan struct{} // closed when all have been given out
}

// fits runs the unfinished trainings, several at once.
func (t Task) fits(ctx context.Context, backend compute.Backend, e *engine) ([]*Fit, error) {
	c := &crew{task: t, backend: backend, engine: e, results: make([]*Fit, len(t.Folds)*len(t.Seeds)),
		queue: make(chan int), dealt: make(chan struct{})}
	var todo []int
	for i := range c.results {
		if t.Done != nil {
			if fit, ok := t.Done(i%len(t.Folds), t.Seeds[i/len(t.Folds)]); ok {
				c.results[i] = fit
				continue
			}
		}
		todo = append(todo, i)
	}
	if len(todo) == 0 {
		return c.results, context.Cause(ctx)
	}
	if err := t.begins(compiling, false, len(c.results)); err != nil {
		return nil, err
	}
	c.board = newBoard(t, len(c.results), len(todo))
	c.programs = e.needed(t, todo)
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var workers sync.WaitGroup
	for worker := range max(1, min(t.Workers, len(todo))) {
		workers.Go(func() {
			var failed error
			caught := guard(func() { failed = c.work(ctx, worker) })
			if err := errors.Join(failed, caught); err != nil {
				cancel(err)
			}
		})
	}
feed:
	for _, i := range todo {
		select {
		case c.queue <- i:
		case <-ctx.Done():
			break feed
		}
	}
	close(c.dealt)
	close(c.queue)
	workers.Wait()
	return c.results, context.Cause(ctx)
}

// work compiles what trainings need and does those that the queue has.
func (c *crew) work(ctx context.Context, worker int) error {
	e := c.engine
	if worker > 0 {
		leave, ok := c.task.Team.join(ctx, c.dealt)
		if !ok {
			return nil
		}
		defer leave()
		if !c.board.pays() {
			return nil
		}
		own, err := newEngine(c.backend, c.task, e.plan)
		if err != nil {
			return fmt.Errorf("worker %d: %w", worker, err)
		}
		defer own.close()
		e = own
	}
	if err := e.prepare(c.programs...); err != nil {
		return err
	}
	c.board.prepare()
	for i := range c.queue {
		fold, seed := i%len(c.task.Folds), c.task.Seeds[i/len(c.task.Folds)]
		var failed error
		caught := guard(func() {
			c.results[i], failed = e.fit(ctx, c.task.Folds[fold], fold, seed, c.task.Protocol,
				func(epoch Epoch) { c.board.epoch(i, fold, seed, epoch) })
			if failed == nil {
				failed = c.board.finish(i, c.results[i], c.task.Save)
			}
		})
		if err := errors.Join(failed, caught); err != nil {
			return fmt.Errorf("fold %d, seed %d of %q: %w", fold, seed, c.task.Data.Name, err)
		}
	}
	return nil
}
