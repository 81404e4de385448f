package experiments

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"github.com/gomlx/compute"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/tu"
	"github.com/neuralkforms/nkf/nkfx"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// TUDatasets are the graph benchmarks: those of Table 1, and AIDS.
var TUDatasets = []string{"BZR", "COX2", "DHFR", "Letter-low", "Letter-med", "Letter-high", "AIDS"}

// splitSeed fixes the folds, which do not depend on the seed of the training
// (paper, appendix C).
const splitSeed = 42

// TU is the cross-validation of a model on a data set of graphs (Table 1).
type TU struct {
	Dataset  string // one of TUDatasets; with Path, the name in results
	Path     string // zip archive or folder of any other data set in the TU format, or ""
	Model    string // one of ModelNames
	Features tu.Features
	Folds    int
	Seed     uint32 // the first seed
	Seeds    int    // trainings of every fold, with seeds counting up
	Protocol train.Protocol
	Workers  int    // folds trained at once; changes no result
	Out      string // folder whose journal keeps finished folds; "" for none
}

// NewTU returns the published set-up: five folds, one seed, attributes and
// labels as features.
func NewTU(dataset, model string) TU {
	return TU{
		Dataset: dataset, Model: model, Features: tu.Automatic, Folds: 5, Seed: 42, Seeds: 1,
		Protocol: train.Published(16),
	}
}

// Run loads the data and cross-validates. Folds that the journal has are not
// trained again.
func (x TU) Run(ctx context.Context, backend compute.Backend, report func(train.Progress)) (*Result, error) {
	r, _, _, err := x.run(ctx, backend, report)
	return r, err
}

// archive opens the data.
func (x TU) archive(ctx context.Context) (*tu.Archive, error) {
	path := x.Path
	if path == "" {
		var err error
		if path, err = datasets.Find(ctx, x.Dataset); err != nil {
			return nil, err
		}
	}
	return tu.Open(path)
}

// run is Run; it returns the task and its outcome as well.
func (x TU) run(ctx context.Context, backend compute.Backend, report func(train.Progress)) (
	*Result, train.Task, *train.Outcome, error) {
	begin := time.Now()
	var task train.Task
	archive, err := x.archive(ctx)
	if err != nil {
		return nil, task, nil, err
	}
	data, err := archive.Collection(x.Features)
	if err != nil {
		return nil, task, nil, err
	}
	if task, err = x.task(data); err != nil {
		return nil, task, nil, err
	}
	task.Report = report
	if x.Out != "" {
		journal, err := train.OpenJournal(x.journal(data.Name))
		if err != nil {
			return nil, task, nil, err
		}
		defer journal.Close()
		x.keep(&task, journal, backend)
	}
	outcome, err := train.CrossValidate(ctx, backend, task)
	if err != nil {
		return nil, task, nil, err
	}
	versions := nkfx.Version()
	r := &Result{
		Experiment: "tu", Dataset: data.Name, Model: x.Model, Features: data.Features,
		Parameters: outcome.Parameters, Metric: "accuracy", Paper: Paper(x.Model, x.Dataset),
		Compilations: outcome.Compilations, PaddingWaste: outcome.Waste,
		Backend: nkfx.BackendName(backend), Seed: x.Seed, Seeds: x.Seeds, DataSHA256: data.SHA256,
		Version: versions.NKF, GoMLX: versions.GoMLX, GoXLA: versions.GoXLA,
	}
	r.summarize(outcome.Fits, func(s train.Scores) float64 { return s.Accuracy })
	r.Seconds = time.Since(begin).Seconds()
	return r, task, outcome, nil
}

// task returns what is to be trained.
func (x TU) task(data *datasets.Collection) (train.Task, error) {
	build, err := NewModel(x.Model, GraphSize, data.Degree, len(data.Classes))
	if err != nil {
		return train.Task{}, err
	}
	folds, err := datasets.StratifiedFolds(data.Labels, x.Folds, splitSeed)
	if err != nil {
		return train.Task{}, fmt.Errorf("splitting %s: %w", data.Name, err)
	}
	// A small data set makes small batches rather than none.
	for _, fold := range folds {
		x.Protocol.Batch = min(x.Protocol.Batch, len(fold.Train))
	}
	return train.Task{
		Data: data, Model: build, Protocol: x.Protocol, Folds: folds,
		Seeds: seeds(x.Seed, x.Seeds), Workers: x.Workers,
	}, nil
}

// journal returns the path of the journal for the data set of that name.
func (x TU) journal(name string) string {
	return filepath.Join(x.Out, "tu", name+"-"+x.Model+".jsonl")
}

// keep makes the task take finished folds from the journal and put new ones
// there. The key says all that a result depends on.
func (x TU) keep(task *train.Task, journal *train.Journal, backend compute.Backend) {
	key := func(fold int, seed uint32) string {
		return fmt.Sprintf("%s %s features=%s folds=%d fold=%d seed=%d %+v data=%s backend=%s nkf=%s",
			task.Data.Name, x.Model, task.Data.Features, x.Folds, fold, seed, task.Protocol,
			task.Data.SHA256, nkfx.BackendName(backend), nkfx.Version().NKF)
	}
	task.Done = func(fold int, seed uint32) (*train.Fit, bool) {
		var fit train.Fit
		ok, err := journal.Get(key(fold, seed), &fit)
		return &fit, ok && err == nil
	}
	task.Save = func(fit *train.Fit) error { return journal.Append(key(fit.Fold, fit.Seed), fit) }
}

// seeds counts up from the first.
func seeds(first uint32, count int) []uint32 {
	out := make([]uint32, max(0, count))
	for i := range out {
		out[i] = first + uint32(i)
	}
	return out
}
