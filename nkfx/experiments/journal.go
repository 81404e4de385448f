package experiments

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/gomlx/compute"

	"github.com/neuralkforms/nkf/nkfx"
	"github.com/neuralkforms/nkf/nkfx/internal/journal"
	"github.com/neuralkforms/nkf/nkfx/train"
)

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
		"cuts": t.run.Cuts, "backend": nkfx.BackendName(backend),
		"version": nkfx.Version().NKF,
	})
	return string(text), err
}

// keep makes the task take finished folds from the journals, and keep new ones in the training's own, if
// there are any. Whoever calls it calls closed in the end.
func (t *Training) keep(task *train.Task, backend compute.Backend) (closed func(), err error) {
	closed = func() {}
	if t.run.Out == "" {
		return closed, nil
	}
	settings, err := t.key(backend)
	if err != nil {
		return nil, fmt.Errorf("the settings of %s on %s: %w", t.run.Model, task.Data.Name, err)
	}
	key := func(fold int, seed uint32) string {
		return fmt.Sprintf("%s fold=%d seed=%d", settings, fold,
			seed)
	}
	path := t.journal()
	var all []*journal.Journal
	if !t.run.Assemble { // which makes no file
		own := path
		if t.run.Shard != nil {
			own = t.run.Shard.journal(path)
		}
		kept, err := journal.Open(own)
		if err != nil {
			return nil, err
		}
		closed = func() { _ = kept.Close() } // every line is on the disk
		task.Save = func(fit *train.Fit) error { return kept.Append(key(fit.Fold, fit.Seed), fit) }
		all = append(all, kept)
	}
	shards, err := shardJournals(path)
	// The journal comes last: what Merge moves meanwhile is in it.
	for _, path := range append(shards, path) {
		kept, e := journal.Read(path)
		err = errors.Join(err, e)
		all = append(all, kept)
	}
	if err != nil {
		closed()
		return nil, err
	}
	task.Done = func(fold int, seed uint32) (*train.Fit, bool) {
		for _, kept := range all {
			var fit train.Fit
			ok, err := kept.Get(key(fold, seed), &fit)
			// A value that is no training is made again.
			if ok && err == nil && fit.Fold == fold && fit.Seed == seed {
				return &fit, true
			}
		}
		return nil, false
	}
	return closed, nil
}

// finished reports whether all trainings of a task are done.
func finished(task train.Task) bool {
	for _, seed := range task.Seeds {
		for fold := range task.Folds {
			if task.Done == nil {
				return false
			} else if _, ok := task.Done(fold, seed); !ok {
				return false
			}
		}
	}
	return true
}
