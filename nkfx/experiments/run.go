package experiments

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"

	"github.com/gomlx/compute"
	"golang.org/x/sync/errgroup"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/layers/backends/xla"
	"github.com/neuralkforms/nkf/nkfx"
	"github.com/neuralkforms/nkf/nkfx/models"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// Settings are the settings of the trainings of a run or of a table.
type Settings struct {
	Folds int    // parts of a cross-validation
	Seed  uint32 // the first seed
	Seeds int    // number of trainings per fold, with consecutive seeds
	// Protocol changes the protocol of the model: what it does not set stays.
	// It may be nil.
	Protocol func(*train.Protocol)
	Workers  int    // trainings at once, without a Pool; changes no result
	Out      string // folder whose journals keep finished trainings; "" for none
	Shard    *Shard // part of the trainings to do; nil for all
	// Assemble trains nothing: there is no result unless the journals under Out have all trainings.
	Assemble bool
}

// Run is the training of a model on a benchmark, on every fold with some seeds.
type Run struct {
	Settings
	Benchmark Benchmark
	Data      datasets.Source // of the benchmark if it was loaded before; nil if not
	Model     string          // as models.Lookup takes it
	Features  string          // as the source takes them; "" for those of the model
	Split     string          // one of Splits, or "default" of paths
	Pool      *train.Pool     // workers, if runs share them; nil if not
}

// NewRun returns the usual set-up of a benchmark: five folds, or the first of
// five, and seeds from 42.
func NewRun(b Benchmark, model string) Run {
	return Run{Benchmark: b, Model: model, Split: b.Split, Settings: Settings{Folds: 5, Seed: 42,
		Seeds: b.Seeds}}
}

// Run loads the data if necessary, and cross-validates. Folds in the journal are not trained again. A shard
// has no result, only an error.
func (x Run) Run(ctx context.Context, backend compute.Backend, report func(train.Progress)) (*Result, error) {
	t, err := x.Prepare(ctx)
	if err != nil {
		return nil, err
	}
	return t.Run(ctx, backend, report)
}

// Train is [Run.Run], followed by a training on all of the data.
func (x Run) Train(ctx context.Context, backend compute.Backend, report func(train.Progress)) (
	*Result, *models.Saved, error) {
	t, err := x.Prepare(ctx)
	if err != nil {
		return nil, nil, err
	}
	return t.Train(ctx, backend, report)
}

// Prepare loads the data if necessary, and returns the training. It is an error if something that the
// training needs is missing or invalid.
func (x Run) Prepare(ctx context.Context) (_ *Training, err error) {
	if err := x.load(ctx); err != nil {
		return nil, err
	}
	t := &Training{}
	if t.model, err = models.Lookup(x.Model, x.Benchmark.Size); err != nil {
		return nil, err
	}
	encoder, data, err := x.encode(t.model)
	if err != nil {
		return nil, err
	}
	t.run, t.all = x, data
	if t.model, err = t.model.For(data); err != nil {
		return nil, err
	}
	seeds, err := seeds(x.Seed, x.Seeds)
	if err != nil {
		return nil, err
	}
	t.metric = metric(x.Data.Kind(), data.Info)
	folds, protocol, err := t.folds()
	if err != nil {
		return nil, err
	}
	if data, folds, err = x.encodeFolds(encoder, data, folds); err != nil {
		return nil, err
	}
	t.task = train.Task{Data: data, Model: t.model.Build(data.Outputs()), Protocol: protocol, Folds: folds,
		Seeds: seeds, Pool: x.Pool}
	if t.saved, err = models.NewSaved(t.model, x.Data, encoder, t.all); err != nil {
		return nil, err
	}
	t.saved.Versions = models.Versions(nkfx.Version())
	return t, nil
}

// protocol returns the protocol of the trainings of the model.
func (t *Training) protocol(n models.Counts) train.Protocol {
	best := t.metric
	if best == "rmse" {
		best = ""
	}
	p := t.model.Protocol(t.run.Benchmark.Protocol, n, best)
	if t.run.Protocol != nil {
		t.run.Protocol(&p)
	}
	return p
}

// folds splits the data, and returns the protocol of the trainings on the folds, which have a validation part
// unless it has none.
func (t *Training) folds() (folds []datasets.Fold, p train.Protocol, err error) {
	if folds, err = split(t.run.Data, t.all, t.run.Split, t.run.Folds); err == nil {
		first := folds[0]
		p = t.protocol(models.Counts{All: t.all.Len(), Train: len(first.Train) + len(first.Validation)})
	}
	for i := 0; err == nil && i < len(folds); i++ {
		folds[i], err = validated(folds[i], t.all, p.Validate < 0)
		p.Batch = min(p.Batch, len(folds[i].Train)) // small data make small batches rather than none
	}
	if err != nil {
		return nil, p, fmt.Errorf("splitting %s: %w", t.all.Name, err)
	}
	return folds, p, nil
}

// load reads the data if need be.
func (x *Run) load(ctx context.Context) (err error) {
	if x.Data == nil && x.Benchmark.Load == nil {
		return errors.New("a run without data: want a benchmark that loads them, or Data")
	}
	if x.Data == nil {
		x.Data, err = x.Benchmark.Load(ctx)
	}
	return err
}

// MaxSeeds bounds the trainings of a fold; more would take too long.
const MaxSeeds = 1 << 16

// seeds counts up from the first.
func seeds(first uint32, count int) (all []uint32, err error) {
	if count < 1 || count > MaxSeeds || uint64(first)+uint64(count)-1 > math.MaxUint32 {
		return nil, fmt.Errorf("%d seeds from %d: take 1 to %d, none above %d", count, first, MaxSeeds,
			uint32(math.MaxUint32))
	}
	for i := range count {
		all = append(all, first+uint32(i))
	}
	return all, nil
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
	do := func(i int) error {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		x := runs[i]
		x.Pool = pool
		tell := func(p train.Progress) {
			mu.Lock()
			defer mu.Unlock()
			report(i, p)
		}
		tell(train.Progress{Doing: "preparing"}) // the molecules of HIV take seconds
		t, err := x.Prepare(ctx)
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
