package train

import (
	"context"
	"sync"

	"github.com/gomlx/compute"

	"github.com/neuralkforms/nkf/layers/backends/xla"
)

// Pool is a set of workers for cross-validations, each of which runs one training at a time. A
// cross-validation begins when a worker is free, and further workers that are free join it. No result depends
// on their number.
//
// A worker on XLA's CPU backend has a client of its own, see [xla.OneThread], which is kept until Close.
type Pool struct {
	free  chan *worker
	close sync.Once
}

// worker is one of a pool.
type worker struct {
	parent  compute.Backend // for which backend was opened
	backend compute.Backend
}

// NewPool returns a pool of n workers, 1 or more.
func NewPool(n int) *Pool {
	p := &Pool{free: make(chan *worker, max(1, n))}
	for range cap(p.free) {
		p.free <- &worker{}
	}
	return p
}

// Close waits until all workers are free, and closes their clients. Nothing can be trained afterwards.
func (p *Pool) Close() {
	p.close.Do(func() {
		for range cap(p.free) {
			(<-p.free).close()
		}
		close(p.free)
	})
}

// take waits for a worker that is free; it returns nil if the context ends before, or if the pool is closed.
func (p *Pool) take(ctx context.Context) *worker {
	if ctx.Err() != nil {
		return nil // even if a worker is free
	}
	select {
	case w := <-p.free:
		return w
	case <-ctx.Done():
		return nil
	}
}

// give takes a worker back.
func (p *Pool) give(w *worker) { p.free <- w }

// open returns the worker's backend of the kind of parent.
func (w *worker) open(parent compute.Backend) (_ compute.Backend, err error) {
	if w.parent == parent {
		return w.backend, nil
	}
	w.close()
	if w.backend, err = xla.OneThread(parent); err == nil {
		w.parent = parent
	}
	return w.backend, err
}

// close closes the client of a worker, if it is its own.
func (w *worker) close() {
	if w.parent != nil && w.backend != w.parent {
		w.backend.Finalize()
	}
	w.parent, w.backend = nil, nil
}
