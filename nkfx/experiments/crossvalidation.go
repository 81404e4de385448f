package experiments

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"sync"
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
	score      func(train.Scores) train.Score
	paper      *MeanStd
	task       train.Task
	out        string // folder whose journal keeps finished folds; "" for none
	shard      *Shard // part of the trainings to do; nil for all
}

// run trains what the journals do not have. Of a shard it returns nothing but
// an error: its trainings alone are no result.
func (x crossValidation) run(ctx context.Context, backend compute.Backend, report func(train.Progress)) (
	*Result, *train.Outcome, error) {
	begin := time.Now()
	x.task.Report = report
	if x.out != "" {
		path := x.journal()
		if x.shard != nil {
			path = x.shard.journal(path)
		}
		journal, err := train.OpenJournal(path)
		if err != nil {
			return nil, nil, err
		}
		defer journal.Close()
		others, err := x.journals()
		if err != nil {
			return nil, nil, err
		}
		x.keep(backend, journal, others...)
	}
	if x.shard != nil {
		return nil, nil, x.part(ctx, backend)
	}
	outcome, err := train.CrossValidate(ctx, backend, x.task)
	if err != nil {
		return nil, nil, err
	}
	versions := nkfx.Version()
	r := &Result{
		Experiment: x.experiment, Dataset: x.task.Data.Name, Model: x.model,
		Features: x.task.Data.Features, Parameters: outcome.Parameters, Tasks: x.task.Data.Tasks,
		Metric: x.metric, Paper: x.paper,
		Compilations: outcome.Compilations, PaddingWaste: outcome.Waste,
		Backend: nkfx.BackendName(backend), Seed: x.task.Seeds[0], Seeds: len(x.task.Seeds),
		DataSHA256: x.task.Data.SHA256, Version: versions.NKF, GoMLX: versions.GoMLX, GoXLA: versions.GoXLA,
		Processor: versions.Processor,
	}
	r.summarize(outcome.Fits, x.score)
	r.Seconds = time.Since(begin).Seconds()
	return r, outcome, nil
}

// journal returns the path of the journal.
func (x crossValidation) journal() string {
	return filepath.Join(x.out, x.experiment, fileName(x.task.Data.Name, nil, x.model)+".jsonl")
}

// generation is raised when the same set-up begins to give other numbers, for
// whatever change of code: results of older generations are made anew. (The
// commit would not do: not every build knows it, and most commits change no
// number.)
const generation = 5

// journals reads what there is already: the journal, and those of shards.
func (x crossValidation) journals() ([]*train.Journal, error) {
	shards, err := shardJournals(x.journal())
	if err != nil {
		return nil, err
	}
	var all []*train.Journal
	// The journal comes last: what Merge moves meanwhile is in it.
	for _, path := range append(shards, x.journal()) {
		journal, err := train.ReadJournal(path)
		if err != nil {
			return nil, err
		}
		all = append(all, journal)
	}
	return all, nil
}

// keep makes the task take finished folds from the journals and put new ones
// into the first. The key says all that a result depends on.
func (x *crossValidation) keep(backend compute.Backend, first *train.Journal, others ...*train.Journal) {
	data := x.task.Data
	key := func(fold int, seed uint32) string {
		return fmt.Sprintf("%s %s features=%s %s fold=%d seed=%d %+v data=%s backend=%s generation=%d",
			data.Name, x.model, data.Features, x.split, fold, seed, x.task.Protocol,
			data.SHA256, nkfx.BackendName(backend), generation)
	}
	x.task.Done = func(fold int, seed uint32) (*train.Fit, bool) {
		for _, journal := range append([]*train.Journal{first}, others...) {
			var fit train.Fit
			ok, err := journal.Get(key(fold, seed), &fit)
			// A value that is no training is made anew.
			if ok && err == nil && fit.Fold == fold && fit.Seed == seed && fit.Check() == nil {
				return &fit, true
			}
		}
		return nil, false
	}
	x.task.Save = func(fit *train.Fit) error { return first.Append(key(fit.Fold, fit.Seed), fit) }
}

// part does the trainings of the shard that no journal has: those of others
// count as done.
func (x crossValidation) part(ctx context.Context, backend compute.Backend) error {
	if x.task.Done == nil {
		return errors.New("a shard is of no use without a folder for results: it is kept nowhere")
	}
	type training struct {
		fold int
		seed uint32
	}
	mine := map[training]bool{}
	left := false
	for _, seed := range x.task.Seeds {
		for fold := range x.task.Folds {
			if x.shard.take() {
				mine[training{fold, seed}] = true
				_, done := x.task.Done(fold, seed)
				left = left || !done
			}
		}
	}
	if !left {
		return nil
	}
	done := x.task.Done
	x.task.Done = func(fold int, seed uint32) (*train.Fit, bool) {
		if !mine[training{fold, seed}] {
			return &train.Fit{Fold: fold, Seed: seed}, true
		}
		return done(fold, seed)
	}
	_, err := train.CrossValidate(ctx, backend, x.task)
	return err
}

// stored makes the task take everything from the journals, and reports whether
// they have it all. It makes no file.
func (x *crossValidation) stored(backend compute.Backend) (bool, error) {
	if x.out == "" {
		return false, nil
	}
	journals, err := x.journals()
	if err != nil {
		return false, err
	}
	x.keep(backend, journals[0], journals[1:]...)
	x.out = ""
	for _, seed := range x.task.Seeds {
		for fold := range x.task.Folds {
			if _, ok := x.task.Done(fold, seed); !ok {
				return false, nil
			}
		}
	}
	return true, nil
}

// findAll returns an error if a data set is missing, so that a table is not
// begun that cannot be finished. Those with a path are where it says.
func findAll(ctx context.Context, names []string, paths map[string]string) error {
	for _, name := range names {
		if paths[name] == "" {
			if _, err := datasets.Find(ctx, name); err != nil {
				return err
			}
		}
	}
	return nil
}

// cells are the cells of a table, which a team trains side by side.
type cells struct {
	*train.Team
	ctx      context.Context
	backend  compute.Backend
	assemble bool // train nothing
	mu       sync.Mutex
	report   func(cell string, p train.Progress) // told of one epoch at a time; nil for nobody
}

// newCells returns the cells that workers train. Shards go through them one
// by one, since they count.
func newCells(ctx context.Context, backend compute.Backend, workers int, shard *Shard, assemble bool,
	report func(string, train.Progress)) *cells {
	if shard != nil {
		workers = 1
	}
	c := &cells{backend: backend, assemble: assemble, report: report}
	c.Team, c.ctx = train.NewTeam(ctx, backend, workers)
	return c
}

// cell returns the result of the cell of that name, or nil if the cell is
// only to be assembled and the journals do not have all of it, or if only a
// shard is to be done. Cells of one journal have to be made one after another.
func (c *cells) cell(name string, x crossValidation) (*Result, error) {
	if c.assemble {
		x.shard = nil
		if stored, err := x.stored(c.backend); err != nil || !stored {
			return nil, err
		}
	}
	r, _, err := x.run(c.ctx, c.backend, func(p train.Progress) {
		if c.report != nil {
			c.mu.Lock()
			defer c.mu.Unlock()
			c.report(name, p)
		}
	})
	return r, err
}

// newTask returns a task. A small data set makes small batches rather than
// none.
func newTask(data *datasets.Collection, build train.Model, protocol train.Protocol, folds []datasets.Fold,
	seeds []uint32, workers int, team *train.Team) train.Task {
	for _, fold := range folds {
		protocol.Batch = min(protocol.Batch, len(fold.Train))
	}
	return train.Task{
		Data: data, Model: build, Protocol: protocol, Folds: folds, Seeds: seeds,
		Workers: workers, Team: team,
	}
}

// MaxSeeds bounds the trainings of a fold: nobody waits for more.
const MaxSeeds = 1 << 16

// seeds counts up from the first.
func seeds(first uint32, count int) ([]uint32, error) {
	if count < 1 || count > MaxSeeds {
		return nil, fmt.Errorf("a fold cannot be trained with %d seeds: take 1 to %d", count, MaxSeeds)
	}
	if uint64(first)+uint64(count)-1 > math.MaxUint32 {
		return nil, fmt.Errorf("no %d seeds count up from %d: the greatest is %d", count, first,
			uint32(math.MaxUint32))
	}
	out := make([]uint32, count)
	for i := range out {
		out[i] = first + uint32(i)
	}
	return out, nil
}
