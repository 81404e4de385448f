package experiments

import (
	"cmp"
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
	split, err := x.split()
	if err != nil {
		return nil, err
	}
	encoder, data, err := x.encode(t.model)
	if err != nil {
		return nil, err
	}
	t.run, t.all = x, data
	input := models.InputOf(data)
	build, err := t.model.Build(input)
	if err != nil {
		return nil, err
	}
	folds, err := t.folds(split, data)
	if err != nil {
		return nil, err
	}
	seeds, err := seeds(x.Seed, x.Seeds)
	if err != nil {
		return nil, err
	}
	t.metric = metric(x.Data.Kind(), data.Info)
	protocol := t.protocol(folds, models.Counts{All: data.Len(), Train: len(folds[0].Train)})
	if data, folds, err = x.refit(encoder, data, folds); err != nil {
		return nil, err
	}
	t.task = train.Task{Data: data, Model: build, Protocol: protocol, Folds: folds, Seeds: seeds,
		Pool: x.Pool}
	if t.saved, err = models.NewSaved(t.model, x.Data, encoder, t.all); err != nil {
		return nil, err
	}
	t.saved.Versions = models.Versions(nkfx.Version())
	return t, nil
}

// protocol returns the protocol of the trainings on some folds.
func (t *Training) protocol(folds []datasets.Fold, n models.Counts) train.Protocol {
	best := t.metric
	if best == "rmse" {
		best = ""
	}
	p := t.model.Protocol(t.run.Benchmark.Protocol, n, best)
	if t.run.Protocol != nil {
		t.run.Protocol(&p)
	}
	for _, fold := range folds { // small data make small batches rather than none
		p.Batch = min(p.Batch, len(fold.Train))
	}
	return p
}

// folds splits the data, with a validation part in each fold unless the model is trained for a fixed time.
func (t *Training) folds(split splitter, data *datasets.Collection) ([]datasets.Fold, error) {
	folds, err := split(data.Labels)
	for i := 0; err == nil && i < len(folds); i++ {
		folds[i], err = validated(folds[i], data, t.model.Fixed())
	}
	if err != nil {
		return nil, fmt.Errorf("splitting %s: %w", data.Name, err)
	}
	return folds, nil
}

// refit returns the complexes of all folds, each fold by an encoder fitted to its training and validation
// parts, and the folds in their numbers. Data stay as they are if the encoder is fitted to none, or to these
// parts of the only fold.
func (x *Run) refit(encoder datasets.Encoder, data *datasets.Collection, folds []datasets.Fold) (
	*datasets.Collection, []datasets.Fold, error) {
	refitter, ok := encoder.(datasets.Refitter)
	if !ok || x.Split == defaultSplit {
		return data, folds, nil
	}
	data, err := refitter.Refit(x.Data, folds)
	if err != nil {
		return nil, nil, err
	}
	ids := data.IDs()
	take := func(part []int32) (out []int32) {
		out, ids = ids[:len(part):len(part)], ids[len(part):]
		return out
	}
	out := make([]datasets.Fold, len(folds))
	for i, f := range folds {
		out[i] = datasets.Fold{Train: take(f.Train), Validation: take(f.Validation), Test: take(f.Test)}
	}
	return data, out, nil
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

// split returns how the data are split.
func (x *Run) split() (splitter, error) {
	name := x.Data.Describe().Name
	if x.Data.Len() == 0 {
		return nil, fmt.Errorf("%s is empty: there is nothing to learn", name)
	}
	split, err := splitting(x.Data, x.Split, x.Folds)
	if err != nil {
		return nil, fmt.Errorf("splitting %s: %w", name, err)
	}
	return split, err
}

// encode returns the data as a model takes them, and their encoder. It is an error if there is nothing to
// learn, or if the model is for other data.
func (x *Run) encode(m models.Model) (datasets.Encoder, *datasets.Collection, error) {
	kind := x.Data.Kind()
	if err := m.Takes(kind); err != nil {
		return nil, nil, err
	}
	features := x.Features
	if features == "" || features == automatic {
		features = cmp.Or(m.Features(kind), features)
	}
	encoder, err := x.Data.Encoder(features)
	if err != nil {
		return nil, nil, err
	}
	data, err := encoder.Encode(x.Data)
	if err != nil {
		return nil, nil, err
	}
	if info := x.Data.Describe(); info.Classes == nil && info.Tasks == nil {
		return nil, nil, fmt.Errorf("%s has no classes and no values: there is nothing to learn", data.Name)
	}
	if data.Outputs() < 2 && data.Tasks == nil {
		return nil, nil, fmt.Errorf("all of %s is of class %q: there is nothing to learn", data.Name,
			data.Classes[0])
	}
	return encoder, data, nil
}

// automatic are the features of graphs that a model may choose.
const automatic = "automatic"

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
		tell(train.Progress{Doing: "preparing"}) // eigenfunctions of many meshes take long
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
