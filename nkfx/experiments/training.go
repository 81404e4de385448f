package experiments

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"github.com/gomlx/compute"

	"github.com/neuralkforms/nkf/nkfx"
	"github.com/neuralkforms/nkf/nkfx/models"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// Training is a run whose data were read and whose settings were checked.
type Training struct {
	run    Run
	model  models.Model
	saved  *models.Saved // without what training makes
	metric string        // that models are compared by
	task   train.Task
}

// Task returns the task of the training for package train: data, model, protocol, folds and seeds.
func (t *Training) Task() train.Task { return t.task }

// Run does the trainings missing in the journals. For a shard it returns only an error, since its trainings
// alone are not a result.
func (t *Training) Run(ctx context.Context, backend compute.Backend, report func(train.Progress)) (
	*Result, error) {
	r, _, err := t.crossValidate(ctx, backend, report)
	return r, err
}

// Train cross-validates all folds, trains on everything with the learning rates of a typical fold, and
// returns the result and the model.
func (t *Training) Train(ctx context.Context, backend compute.Backend, report func(train.Progress)) (
	*Result, *models.Saved, error) {
	if t.run.Cuts {
		return nil, nil, fmt.Errorf("%s: only test data of a benchmark are cut",
			t.saved.Dataset)
	}
	all := *t
	all.run.Shard = nil // a model takes all trainings
	all.task.Report = report
	r, outcome, err := all.crossValidate(ctx, backend, report)
	if err != nil {
		return nil, nil, err
	}
	r.Experiment = "train"
	m, err := all.everything(ctx, backend, outcome.Fits)
	if err != nil {
		return nil, nil, err
	}
	m.Metric, m.Mean, m.Std = r.Metric, r.Mean, r.Std
	return r, m, nil
}

// everything trains on all of the data as the typical one of some trainings went.
func (t *Training) everything(ctx context.Context, backend compute.Backend, fits []*train.Fit) (
	*models.Saved, error) {
	weights, epochs, err := train.FitAll(ctx, backend, t.task, fits)
	if err != nil {
		return nil, err
	}
	m := *t.saved
	m.Seed, m.Epochs, m.Backend = t.task.Seeds[0], epochs, nkfx.BackendName(backend)
	m.Weights, err = models.Weights(weights)
	return &m, err
}

// crossValidate trains what the journals do not have.
func (t *Training) crossValidate(ctx context.Context, backend compute.Backend,
	report func(train.Progress)) (*Result, *train.Outcome, error) {
	begin := time.Now()
	t.task.Protocol = t.task.Protocol.On(backend) // which journals and results tell
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
	case t.run.Assemble && !finished(task):
		return nil, nil, nil
	case t.run.Shard != nil && !t.run.Assemble:
		return nil, nil, t.run.Shard.do(ctx, backend, task)
	}
	outcome, err := train.CrossValidate(ctx, backend, task)
	if err != nil {
		return nil, nil, err
	}
	r := &Result{
		Dataset: task.Data.Name, Model: t.run.Model,
		Features: task.Data.Features, Parameters: outcome.Parameters, Tasks: task.Data.Tasks,
		Metric: t.metric, Compilations: outcome.Compilations,
		Seeds: len(task.Seeds), DataSHA256: task.Data.SHA256, Protocol: task.Protocol,
	}
	if f, ok := t.run.Benchmark.Published[t.run.Model]; ok && testsAsPublished(t.run.Split) {
		r.Paper = &f
	}
	for _, name := range t.run.ways {
		r.Others = append(r.Others, Other{Name: name})
	}
	r.addFits(outcome.Fits)
	r.Origin = origin(t.run.Benchmark.Experiment, task.Seeds[0], backend, begin)
	return r, outcome, nil
}

// testsAsPublished reports whether a split has the published folds; others test
// with other complexes.
func testsAsPublished(split string) bool {
	return split == "folds" || split == "fold0" || split == defaultSplit
}

// journal returns the path of the journal.
func (t *Training) journal() string {
	name := fileName(t.task.Data.Name, nil, t.run.Model)
	return filepath.Join(t.run.Out, t.run.Benchmark.Experiment, name+".jsonl")
}
