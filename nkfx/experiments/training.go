package experiments

import (
	"context"
	"sync"
	"time"

	"github.com/gomlx/compute"
	"golang.org/x/sync/errgroup"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/layers/backends/xla"
	"github.com/neuralkforms/nkf/nkfx"
	"github.com/neuralkforms/nkf/nkfx/models"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// Training is a run whose data were read and whose settings were checked.
type Training struct {
	run    Run
	model  models.Named
	saved  *models.Saved        // without what training makes
	metric string               // that models are compared by
	task   train.Task           // its data come once for each encoder of the folds
	all    *datasets.Collection // that the final model is trained on
}

// Task returns the task of the training for package train: data, model, protocol, folds and seeds. Where the
// folds have encoders of their own, the data come once for each.
func (t *Training) Task() train.Task { return t.task }

// Run does the trainings missing in the journals. For a shard it returns only an error, since its trainings
// alone are not a result.
func (t *Training) Run(ctx context.Context, backend compute.Backend, report func(train.Progress)) (
	*Result, error) {
	r, _, err := t.crossValidate(ctx, backend, report)
	return r, err
}

// Train cross-validates all folds, trains on all data with the learning rates of a typical fold, and returns
// the result and the model.
func (t *Training) Train(ctx context.Context, backend compute.Backend, report func(train.Progress)) (
	*Result, *models.Saved, error) {
	whole := *t
	whole.run.Shard = nil // a model takes all trainings
	r, fits, err := whole.crossValidate(ctx, backend, report)
	if err != nil {
		return nil, nil, err
	}
	r.Experiment = "train"
	m, err := t.final(ctx, backend, fits, report)
	if err != nil {
		return nil, nil, err
	}
	if m.Metric, m.Mean, m.Std = r.Metric, r.Mean, r.Std; !t.task.Protocol.Cosine {
		m.Mean, m.Std = r.MeanBest, r.StdBest // it was trained up to the best epoch
	}
	return r, m, nil
}

// final trains the final model on all data, with the learning rates of a typical one of some trainings.
func (t *Training) final(ctx context.Context, backend compute.Backend, fits []*train.Fit,
	report func(train.Progress)) (*models.Saved, error) {
	task := t.task
	task.Data, task.Report = t.all, report
	weights, epochs, err := train.FitAll(ctx, backend, task, fits)
	if err != nil {
		return nil, err
	}
	m := *t.saved
	m.Seed, m.Epochs, m.Backend = task.Seeds[0], epochs, nkfx.BackendName(backend)
	return &m, m.SetWeights(weights)
}

// crossValidate does the trainings missing in the journals, and returns all.
func (t *Training) crossValidate(ctx context.Context, backend compute.Backend,
	report func(train.Progress)) (*Result, []*train.Fit, error) {
	begin := time.Now()
	task := t.task
	task.Report = report
	if task.Pool == nil {
		task.Pool = train.NewPool(t.run.Workers)
		defer task.Pool.Close()
	}
	closed, err := t.keep(&task, backend)
	if err != nil {
		return nil, nil, err
	}
	defer closed()
	switch {
	case t.run.Assemble && (task.Done == nil || !finished(task)):
		return nil, nil, nil
	case t.run.Shard != nil && !t.run.Assemble:
		return nil, nil, t.run.Shard.do(ctx, backend, task)
	}
	outcome, err := train.CrossValidate(ctx, backend, task)
	if err != nil {
		return nil, nil, err
	}
	r := &Result{
		Origin:  origin(t.run.Benchmark.Experiment, task.Seeds[0], backend, begin),
		Dataset: task.Data.Name, Model: t.run.Model, Features: task.Data.Features,
		Parameters: outcome.Parameters, Tasks: task.Data.Tasks, Metric: t.metric,
		Compilations: outcome.Compilations, Seeds: len(task.Seeds), DataSHA256: task.Data.SHA256,
		Protocol: task.Protocol,
	}
	if p, ok := t.run.Benchmark.Published[t.run.Model]; ok && testsAsPublished(t.run.Split) {
		r.Paper = &p
	}
	r.addFits(outcome.Fits)
	return r, outcome.Fits, nil
}

// Together runs several runs with the given number of simultaneous trainings, which changes no result.
// Consecutive runs that share a journal take turns. report receives the epochs of a run, and done the results
// in the order of the runs, each as soon as it and all earlier ones have ended: nil for a shard and for
// results that cannot be assembled. Neither function is called concurrently.
func Together(ctx context.Context, backend compute.Backend, runs []Run, workers int,
	report func(run int, p train.Progress), done func(run int, r *Result) error) error {
	workers = max(1, workers)
	pool := train.NewPool(workers)
	defer pool.Close()
	work, ctx := errgroup.WithContext(ctx)
	if len(runs) > 0 && runs[0].Shard != nil {
		work.SetLimit(1) // shards count the trainings of one run after another
	} else {
		work.SetLimit(workers)
	}
	var mu sync.Mutex
	results, ended, told := make([]*Result, len(runs)), make([]bool, len(runs)), 0
	var preparing sync.Mutex // one run at a time is prepared, whose share is known
	do := func(i int) error {
		x := runs[i]
		x.Pool = pool
		tell := func(p train.Progress) {
			mu.Lock()
			defer mu.Unlock()
			report(i, p)
		}
		prepare := func() (*Training, error) {
			preparing.Lock()
			defer preparing.Unlock()
			if err := context.Cause(ctx); err != nil {
				return nil, err
			}
			tell(train.Progress{Doing: "preparing", Share: x.Preparing()})
			return x.Prepare(ctx)
		}
		t, err := prepare()
		if err != nil {
			return err
		}
		result, err := t.Run(ctx, backend, tell)
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
