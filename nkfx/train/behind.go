package train

import (
	"context"
	"errors"
	"sync"

	"github.com/gomlx/compute"
)

// behind counts the work on each backend that may go on after its caller has returned.
var behind = struct {
	sync.Mutex
	ended *sync.Cond
	work  map[compute.Backend]int
}{work: map[compute.Backend]int{}}

func init() { behind.ended = sync.NewCond(&behind) }

// Wait waits until nothing is left on a backend of trainings and predictions that returned as their context
// ended: a compilation cannot be stopped, and goes on behind. Call it before you finalize the backend after
// such an end. Workers of a [Pool] do so themselves.
func Wait(backend compute.Backend) {
	behind.Lock()
	defer behind.Unlock()
	for behind.work[backend] > 0 {
		behind.ended.Wait()
	}
}

// start starts work on a backend, whose end [Wait] waits for.
func start(backend compute.Backend, work func()) {
	behind.Lock()
	behind.work[backend]++
	behind.Unlock()
	go func() {
		defer func() {
			behind.Lock()
			if behind.work[backend]--; behind.work[backend] == 0 {
				delete(behind.work, backend)
			}
			behind.Unlock()
			behind.ended.Broadcast()
		}()
		work()
	}()
}

// until returns the error of work on a backend, or, as soon as the context ends, its cause, while the work
// goes on behind. A panic is an error.
func until(ctx context.Context, backend compute.Backend, work func() error) error {
	if ctx.Done() == nil {
		return guard(work)
	}
	done := make(chan error, 1)
	start(backend, func() { done <- guard(work) })
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// errNoContext is the error of a nil context.
var errNoContext = errors.New("the context is nil: context.Background() never ends")
