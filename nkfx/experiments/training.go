package experiments

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"
	"unicode"

	"github.com/gomlx/compute"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/fileio"
	"github.com/neuralkforms/nkf/nkfx"
	"github.com/neuralkforms/nkf/nkfx/internal/saved"
	"github.com/neuralkforms/nkf/nkfx/models"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// Training is a run whose data were read and whose settings were checked.
type Training struct {
	run    Run
	model  models.Model
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

// Train cross-validates all folds, trains on everything with the learning rates of a typical fold, and
// returns the result and the model.
func (t *Training) Train(ctx context.Context, backend compute.Backend, report func(train.Progress)) (
	*Result, *models.Saved, error) {
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
	if m.Metric, m.Mean, m.Std = r.Metric, r.Mean, r.Std; !all.task.Protocol.Cosine {
		m.Mean, m.Std = r.MeanBest, r.StdBest // it was trained up to the best epoch
	}
	return r, m, nil
}

// everything trains on all of the data as the typical one of some trainings went.
func (t *Training) everything(ctx context.Context, backend compute.Backend, fits []*train.Fit) (
	*models.Saved, error) {
	task := t.task
	task.Data = t.all
	weights, epochs, err := train.FitAll(ctx, backend, task, fits)
	if err != nil {
		return nil, err
	}
	m := *t.saved
	m.Seed, m.Epochs, m.Backend = t.task.Seeds[0], epochs, nkfx.BackendName(backend)
	m.Weights, err = saved.Of(weights)
	return &m, err
}

// crossValidate trains what the journals do not have.
func (t *Training) crossValidate(ctx context.Context, backend compute.Backend,
	report func(train.Progress)) (*Result, *train.Outcome, error) {
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
		Dataset: task.Data.Name, Model: t.run.Model,
		Features: task.Data.Features, Parameters: outcome.Parameters, Tasks: task.Data.Tasks,
		Metric: t.metric, Compilations: outcome.Compilations,
		Seeds: len(task.Seeds), DataSHA256: task.Data.SHA256, Protocol: task.Protocol,
	}
	if f, ok := t.run.Benchmark.Published[t.run.Model]; ok && testsAsPublished(t.run.Split) {
		r.Paper = &f
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

// maxName bounds a name in bytes, so that every file system takes it.
const maxName = 200

// plain returns the text with characters that not every file system or shell takes replaced by _.
func plain(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("._+-", r) {
			return r
		}
		return '_' // U+FFFD for what is no UTF-8, too
	}, text)
}

// ValidName returns an error if the name is not valid for a saved model.
func ValidName(name string) error {
	if name == "" || plain(name) != name || strings.HasPrefix(name, ".") || len(name) > maxName {
		return fmt.Errorf("%.80q is not a valid name of a model: take letters, digits, _, + and -, and dots "+
			"within, in at most %d bytes", name, maxName)
	}
	return nil
}

// fileName returns a name for what a model makes of columns of data, or of the data as such.
func fileName(dataset string, columns []string, model string) string {
	if len(columns) > 0 {
		dataset += "-" + strings.Join(columns, "+")
	}
	name := plain(dataset)
	return strings.ToValidUTF8(name[:min(len(name), maxName/2)], "") + "-" + plain(model)
}

// Folder returns the folder for a saved model within a folder for results, named after data set, columns and
// model.
func (t *Training) Folder(out string) string {
	columns := t.saved.Tasks
	if t.saved.Label != "" {
		columns = []string{t.saved.Label}
	}
	return filepath.Join(out, "models", fileName(t.saved.Dataset, columns, t.saved.Model))
}

// Reserve returns the model in a folder that this one would overwrite, nil if
// there is none. It returns an error if the model cannot be saved there, or if a
// model of other data, other columns or another kind would be lost.
func (t *Training) Reserve(folder string) (old *models.Saved, err error) {
	const remedy = "choose another name, or remove that folder"
	old, err = models.Read(folder)
	if errors.Is(err, models.ErrFormat) {
		return nil, fmt.Errorf("%w; to train, %s", err, remedy)
	}
	if err == nil {
		if what := old.Differs(t.saved); what != "" {
			return nil, fmt.Errorf("%s holds a model of %s, which would be lost (%s of %q): %s", folder, what,
				old.Model, old.Dataset, remedy)
		}
	}
	if err := fileio.Folder(filepath.Dir(folder)); err != nil {
		return nil, err
	}
	return old, nil
}
