package experiments

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gomlx/compute"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/nkfx"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// crossValidation is the training of a model on a collection, and of its
// result: what the benchmarks have in common.
type crossValidation struct {
	experiment string
	model      string
	split      string // how the folds come about, for the key of the journal
	metric     string // name of score
	score      func(train.Scores) float64
	paper      *Figure
	task       train.Task
	out        string // folder whose journal keeps finished folds; "" for none
}

// run trains what the journal does not have.
func (x crossValidation) run(ctx context.Context, backend compute.Backend, report func(train.Progress)) (
	*Result, *train.Outcome, error) {
	begin := time.Now()
	x.task.Report = report
	if x.out != "" {
		journal, err := train.OpenJournal(x.journal())
		if err != nil {
			return nil, nil, err
		}
		defer journal.Close()
		x.keep(journal, backend)
	}
	outcome, err := train.CrossValidate(ctx, backend, x.task)
	if err != nil {
		return nil, nil, err
	}
	versions := nkfx.Version()
	r := &Result{
		Experiment: x.experiment, Dataset: x.task.Data.Name, Model: x.model,
		Features: x.task.Data.Features, Parameters: outcome.Parameters, Metric: x.metric, Paper: x.paper,
		Compilations: outcome.Compilations, PaddingWaste: outcome.Waste,
		Backend: nkfx.BackendName(backend), Seed: x.task.Seeds[0], Seeds: len(x.task.Seeds),
		DataSHA256: x.task.Data.SHA256, Version: versions.NKF, GoMLX: versions.GoMLX, GoXLA: versions.GoXLA,
	}
	r.summarize(outcome.Fits, x.score)
	r.Seconds = time.Since(begin).Seconds()
	return r, outcome, nil
}

// journal returns the path of the journal.
func (x crossValidation) journal() string {
	return filepath.Join(x.out, x.experiment, x.task.Data.Name+"-"+x.model+".jsonl")
}

// generation is raised when the same set-up begins to give other numbers, for
// whatever change of code: results of older generations are made anew. (The
// commit would not do: not every build knows it, and most commits change no
// number.)
const generation = 1

// keep makes the task take finished folds from the journal and put new ones
// there. The key says all that a result depends on.
func (x *crossValidation) keep(journal *train.Journal, backend compute.Backend) {
	data := x.task.Data
	key := func(fold int, seed uint32) string {
		return fmt.Sprintf("%s %s features=%s %s fold=%d seed=%d %+v data=%s backend=%s generation=%d",
			data.Name, x.model, data.Features, x.split, fold, seed, x.task.Protocol,
			data.SHA256, nkfx.BackendName(backend), generation)
	}
	x.task.Done = func(fold int, seed uint32) (*train.Fit, bool) {
		var fit train.Fit
		ok, err := journal.Get(key(fold, seed), &fit)
		return &fit, ok && err == nil
	}
	x.task.Save = func(fit *train.Fit) error { return journal.Append(key(fit.Fold, fit.Seed), fit) }
}

// stored reports whether the journal has every training. It makes no journal.
func (x crossValidation) stored(backend compute.Backend) (bool, error) {
	path := x.journal()
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) || x.out == "" {
		return false, nil
	}
	journal, err := train.OpenJournal(path)
	if err != nil {
		return false, err
	}
	defer journal.Close()
	x.keep(journal, backend)
	for _, seed := range x.task.Seeds {
		for fold := range x.task.Folds {
			if _, ok := x.task.Done(fold, seed); !ok {
				return false, nil
			}
		}
	}
	return true, nil
}

// cell returns the result of a cell of a table, or nil if the cell is only to
// be assembled and the journal does not have all of it. report gets the name
// of the cell with every epoch; it may be nil.
func (x crossValidation) cell(ctx context.Context, backend compute.Backend, assemble bool, name string,
	report func(string, train.Progress)) (*Result, error) {
	if assemble {
		if stored, err := x.stored(backend); err != nil || !stored {
			return nil, err
		}
	}
	r, _, err := x.run(ctx, backend, func(p train.Progress) {
		if report != nil {
			report(name, p)
		}
	})
	return r, err
}

// newTask returns a task. A small data set makes small batches rather than
// none.
func newTask(data *datasets.Collection, build train.Model, protocol train.Protocol, folds []datasets.Fold,
	seeds []uint32, workers int) train.Task {
	for _, fold := range folds {
		protocol.Batch = min(protocol.Batch, len(fold.Train))
	}
	return train.Task{
		Data: data, Model: build, Protocol: protocol, Folds: folds, Seeds: seeds, Workers: workers,
	}
}

// seeds counts up from the first.
func seeds(first uint32, count int) []uint32 {
	out := make([]uint32, max(0, count))
	for i := range out {
		out[i] = first + uint32(i)
	}
	return out
}
