package experiments

import (
	"context"
	"sync"

	"github.com/gomlx/compute"
	"golang.org/x/sync/errgroup"

	"github.com/neuralkforms/nkf/layers/backends/xla"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// Together runs several runs with the given number of simultaneous trainings, which changes no result.
// Consecutive runs that share a journal take turns. report receives the epochs of a run, and done the results
// in the order of the runs, each as soon as it and all earlier ones have ended: nil for a shard and for
// results that cannot be assembled. Neither function is called concurrently.
func Together(ctx context.Context, backend compute.Backend, runs []Run, workers int,
	report func(run int, p train.Progress), done func(run int, r *Result) error) error {
	workers = max(1, workers)
	if len(runs) > 0 && runs[0].Shard != nil {
		workers = 1 // shards count the trainings
	}
	pool := train.NewPool(workers)
	defer pool.Close()
	work, ctx := errgroup.WithContext(ctx)
	work.SetLimit(workers)
	var mu sync.Mutex
	results, ended, told := make([]*Result, len(runs)), make([]bool, len(runs)), 0
	do := func(i int) error {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		x := runs[i]
		x.Pool = pool
		t, err := x.Prepare(ctx)
		if err != nil {
			return err
		}
		result, err := t.Run(ctx, backend, func(p train.Progress) {
			mu.Lock()
			defer mu.Unlock()
			report(i, p)
		})
		mu.Lock()
		defer mu.Unlock()
		results[i], ended[i] = result, err == nil
		for ; err == nil && told < len(runs) && ended[told]; told++ {
			err = done(told, results[told])
		}
		return err
	}
	for from, to := 0, 0; from < len(runs); from = to {
		for to = from + 1; to < len(runs) && runs[to].sharesJournal(runs[from]); to++ {
		}
		work.Go(func() (err error) {
			defer xla.Recover(&err)
			for i := from; i < to && err == nil; i++ {
				err = do(i)
			}
			return err
		})
	}
	return work.Wait()
}

// sharesJournal reports whether two runs keep trainings in the same journal.
func (x Run) sharesJournal(y Run) bool {
	return x.Benchmark.Name == y.Benchmark.Name && x.Model == y.Model
}
