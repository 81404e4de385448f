package experiments

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/gomlx/compute"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/mesh"
	"github.com/neuralkforms/nkf/datasets/series"
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
	if x.Data == nil && x.Benchmark.Load == nil {
		return nil, errors.New("a run without data: want a benchmark that loads them, or Data")
	}
	if x.Data == nil {
		if x.Data, err = x.Benchmark.Load(ctx); err != nil {
			return nil, err
		}
	}
	t := &Training{}
	if t.model, err = models.Lookup(x.Model, x.Benchmark.Size); err != nil {
		return nil, err
	}
	encoder, err := x.encode(t)
	if err != nil {
		return nil, err
	}
	if t.model, err = t.model.For(t.all); err != nil {
		return nil, err
	}
	t.run, t.metric = x, metric(x.Data.Kind(), t.all.Info)
	seeds, err := seeds(x.Seed, x.Seeds)
	if err != nil {
		return nil, err
	}
	var protocol train.Protocol
	folds, err := x.folds(t.all, func(complexes int) bool {
		protocol = t.protocol(models.Counts{All: t.all.Len(), Train: complexes})
		return protocol.Validate >= 0
	})
	if err != nil {
		return nil, fmt.Errorf("splitting %s: %w", t.all.Name, err)
	}
	for _, f := range folds {
		protocol.Batch = min(protocol.Batch, len(f.Train)) // small data make small batches rather than none
	}
	data, folds, err := x.encodeFolds(encoder, t.all, folds)
	if err != nil {
		return nil, err
	}
	t.task = train.Task{Data: data, Model: t.model.Build(data.Outputs()), Protocol: protocol, Folds: folds,
		Seeds: seeds, Pool: x.Pool}
	if t.saved, err = models.NewSaved(t.model, x.Data, encoder, t.all); err != nil {
		return nil, err
	}
	t.saved.Versions = models.Versions(nkfx.Version())
	t.run.Data, t.run.Benchmark.Load = nil, nil // encoded, they are not held once more
	return t, nil
}

// Preparing returns a function that returns the share of Prepare that was done since: of the complexes to
// encode, those that were. It returns 0 for a run without Data. Nothing else may encode meanwhile.
func (x Run) Preparing() (share func() float64) {
	before, total := datasets.Built(), 0
	if x.Data != nil {
		total = x.Data.Len()
	}
	switch x.Data.(type) {
	case *series.Set, *mesh.Set: // those of each fold are encoded once more, and joined
		if x.Split != "folds" {
			total *= 2
		} else {
			total *= 1 + 2*x.Folds
		}
	}
	return func() float64 {
		if total == 0 {
			return 0
		}
		return min(1, float64(datasets.Built()-before)/float64(total))
	}
}

// encode sets the data of a training, as its model takes them, and returns their encoder, which is fitted to
// all of them and which the final model has. It is an error if there is nothing to learn, or if the model is
// for other data.
func (x *Run) encode(t *Training) (encoder datasets.Encoder, err error) {
	kind, info := x.Data.Kind(), x.Data.Describe()
	if x.Data.Len() == 0 {
		return nil, fmt.Errorf("%s is empty: there is nothing to learn", info.Name)
	}
	if err := t.model.Takes(kind); err != nil {
		return nil, err
	}
	const automatic = "automatic" // features of graphs that a model may choose
	if own := t.model.Features(kind); own != "" && (x.Features == "" || x.Features == automatic) {
		x.Features = own
	}
	if encoder, err = x.Data.Encoder(x.Features, nil); err != nil {
		return nil, err
	}
	if t.all, err = encoder.Encode(x.Data); err != nil {
		return nil, err
	}
	return encoder, train.Learnable(t.all)
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

// metric returns the name of the score that models of a kind of data are compared by.
func metric(kind string, info datasets.Info) string {
	k, _ := models.KindOf(kind) // a program's own is compared by accuracy
	switch {
	case info.Regression:
		return "rmse"
	case info.Tasks != nil || k.Metric == "auroc":
		return "auroc"
	}
	return "accuracy"
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
