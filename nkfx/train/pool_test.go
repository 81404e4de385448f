package train

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/backendtest"
)

// TestPoolIsShared: cross-validations that share workers come to the same bits as on their own, with more of
// them than workers and with fewer.
func TestPoolIsShared(t *testing.T) {
	backendtest.Each(t, func(t *testing.T, backend compute.Backend) {
		tasks := []Task{
			task(t, cycles(40, false), 2), task(t, cycles(60, true), 3), task(t, cycles(50, false), 1),
		}
		var single [][]Fit
		for _, one := range tasks {
			_, fits := outcome(t, backend, one)
			single = append(single, fits)
		}
		for _, workers := range []int{2, 5} {
			pool := NewPool(workers)
			var work errgroup.Group
			shared := make([][]Fit, len(tasks))
			for i, one := range tasks {
				one.Pool = pool
				work.Go(func() error {
					_, shared[i] = outcome(t, backend, one)
					return nil
				})
			}
			require.NoError(t, work.Wait())
			pool.Close()
			require.Equal(t, single, shared)
		}
	})
}

// TestPoolEnds: a cross-validation that waits for a worker ends with its context, and with the first error of
// any of its workers.
func TestPoolEnds(t *testing.T) {
	backend, one := backendtest.Get(t, "go"), task(t, cycles(40, false), 50)
	one.Pool = NewPool(2)
	defer one.Pool.Close()
	full, broken := errors.New("no space left"), errors.New("broken")
	one.Save = func(*Fit) error { return full }
	_, err := CrossValidate(t.Context(), backend, one)
	require.ErrorIs(t, err, full)

	first, second := one.Pool.take(t.Context()), one.Pool.take(t.Context())
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(broken)
	_, err = CrossValidate(ctx, backend, one)
	require.ErrorIs(t, err, broken)
	one.Pool.give(first)
	one.Pool.give(second)
	one.Model = func(*model.Scope, *layers.Batch) *Node { panic("begun after the end") }
	for range 20 { // the workers are free, too
		_, err = CrossValidate(ctx, backend, one)
		require.ErrorIs(t, err, broken)
	}
	one.Pool.Close()
	_, err = CrossValidate(t.Context(), backend, one)
	require.ErrorContains(t, err, "the pool of workers is closed")
}

// TestTimeLeft counts the epochs of the trainings under way and of those to come.
func TestTimeLeft(t *testing.T) {
	p := newProgress(Task{Protocol: Protocol{Epochs: 10}}, 3, 3)
	p.begin, p.prepared = time.Now().Add(-50*time.Second), 20*time.Second
	p.running[0], p.running[1] = 5, 5 // three seconds an epoch
	// 5 + 5 + 10 epochs, within the time that the lines above take.
	require.InDelta(t, 60, p.left().Seconds(), 1)
	p.todo, p.ended, p.trained = 4, 1, 10 // another has ended: 20 epochs in the same time, and 20 are left
	require.InDelta(t, 30, p.left().Seconds(), 1)
}
