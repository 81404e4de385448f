package experiments

import (
	"encoding/json"
	"fmt"

	"github.com/gomlx/compute"

	"github.com/neuralkforms/nkf/nkfx"
	"github.com/neuralkforms/nkf/nkfx/internal/journal"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// journals reads what there is already: the journal, and those of shards.
func (t *Training) journals() ([]*journal.Journal, error) {
	shards, err := shardJournals(t.journal())
	if err != nil {
		return nil, err
	}
	var all []*journal.Journal
	// The journal comes last: what Merge moves meanwhile is in it.
	for _, path := range append(shards, t.journal()) {
		kept, err := journal.Read(path)
		if err != nil {
			return nil, err
		}
		all = append(all, kept)
	}
	return all, nil
}

// key returns all that a training depends on, but for its fold and seed, written out in full, so that a
// setting that is new or has a new default changes it. The program's version stands for its code: results of
// others are computed again.
func (t *Training) key(backend compute.Backend) (string, error) {
	data, split := t.task.Data, t.run.Split
	if split == "fold0" { // fold 0 is one of them
		split = "folds"
	}
	text, err := json.Marshal(map[string]any{
		"data": data.Info, "settings": t.saved.Settings, "model": t.saved.Model, "options": t.saved.Options,
		"encoder": t.saved.Encoder, "protocol": t.task.Protocol, "split": split, "folds": t.run.Folds,
		"resample": t.run.Resample, "drop": t.run.Drop, "backend": nkfx.BackendName(backend),
		"version": nkfx.Version().NKF,
	})
	return string(text), err
}

// keep makes the task take finished folds from the journals and put new ones
// into the first.
func (t *Training) keep(task *train.Task, backend compute.Backend, first *journal.Journal,
	others ...*journal.Journal) error {
	settings, err := t.key(backend)
	if err != nil {
		return fmt.Errorf("the settings of %s on %s: %w", t.run.Model, task.Data.Name, err)
	}
	key := func(fold int, seed uint32) string {
		return fmt.Sprintf("%s fold=%d seed=%d", settings, fold, seed)
	}
	task.Done = func(fold int, seed uint32) (*train.Fit, bool) {
		for _, kept := range append([]*journal.Journal{first}, others...) {
			var fit train.Fit
			ok, err := kept.Get(key(fold, seed), &fit)
			// A value that is no training is made anew.
			if ok && err == nil && fit.Fold == fold && fit.Seed == seed {
				return &fit, true
			}
		}
		return nil, false
	}
	task.Save = func(fit *train.Fit) error { return first.Append(key(fit.Fold, fit.Seed), fit) }
	return nil
}

// stored returns the training with all that it needs from the journals, or nil
// if they do not have it all. It makes no file.
func (t *Training) stored(backend compute.Backend) (*Training, error) {
	if t.run.Out == "" {
		return nil, nil
	}
	journals, err := t.journals()
	if err != nil {
		return nil, err
	}
	kept := *t
	if err := t.keep(&kept.task, backend, journals[0], journals[1:]...); err != nil {
		return nil, err
	}
	for _, seed := range t.task.Seeds {
		for fold := range t.task.Folds {
			if _, ok := kept.task.Done(fold, seed); !ok {
				return nil, nil
			}
		}
	}
	kept.run.Out, kept.run.Shard = "", nil
	return &kept, nil
}
