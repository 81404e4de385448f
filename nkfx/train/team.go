package train

import (
	"context"
	"errors"
	"sync"
)

// Team shares workers between cross-validations, so that none of them waits.
//
// Every worker compiles for itself, which takes longer than many
// a training. A team therefore begins the next cross-validation whenever a
// worker is free, and only when none is left to begin does a free worker join
// one that is under way. No result depends on it.
type Team struct {
	seats  chan struct{} // of the workers; nil if one cross-validation runs at a time
	begun  chan struct{} // closed when the last cross-validation has begun
	work   sync.WaitGroup
	ctx    context.Context
	cancel context.CancelCauseFunc
}

// NewTeam returns a team of n workers, and a context for what it does, which
// ends with the first error. With one worker one cross-validation runs after
// the other.
func NewTeam(ctx context.Context, workers int) (*Team, context.Context) {
	t := &Team{begun: make(chan struct{})}
	t.ctx, t.cancel = context.WithCancelCause(ctx)
	if workers > 1 {
		t.seats = make(chan struct{}, workers)
	}
	return t, t.ctx
}

// Go waits until a worker is free and lets it do the work, a cross-validation
// whose Task has this Team. It is for one goroutine at a time.
func (t *Team) Go(work func() error) {
	run := func() {
		var failed error
		caught := guard(func() { failed = work() })
		if err := errors.Join(failed, caught); err != nil {
			t.cancel(err)
		}
	}
	if t.ctx.Err() != nil {
		return
	}
	if t.seats == nil {
		run()
		return
	}
	select {
	case t.seats <- struct{}{}:
		t.work.Go(func() {
			defer func() { <-t.seats }()
			run()
		})
	case <-t.ctx.Done():
	}
}

// Wait waits until all work is done, and returns the first error, or what ended
// the context. There is no Go after it.
func (t *Team) Wait() error {
	close(t.begun)
	t.work.Wait()
	err := context.Cause(t.ctx)
	t.cancel(nil)
	return err
}

// join waits for a worker that is free for another's work, unless there is
// none left, and returns what lets it go.
func (t *Team) join(ctx context.Context, none <-chan struct{}) (leave func(), ok bool) {
	if t == nil || t.seats == nil {
		return func() {}, true
	}
	select {
	case <-t.begun:
	case <-none:
		return nil, false
	case <-ctx.Done():
		return nil, false
	}
	select {
	case t.seats <- struct{}{}:
		return func() { <-t.seats }, true
	case <-none:
	case <-ctx.Done():
	}
	return nil, false
}
