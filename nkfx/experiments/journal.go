package experiments

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/gomlx/compute"

	"github.com/neuralkforms/nkf/nkfx"
	"github.com/neuralkforms/nkf/nkfx/internal/journal"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// generation is raised when a change of code makes the same set-up give other
// numbers: results of older generations are computed again. (The commit cannot
// serve: not every build knows it, and most commits change no number.)
const generation = 5

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

// key returns all that a training depends on, but for its fold and seed.
func (t *Training) key(backend compute.Backend) (string, error) {
	data, split := t.task.Data, map[string]any{"name": t.run.Split}
	if t.run.Split == "folds" || t.run.Split == "fold0" { // fold 0 is one of them
		split = map[string]any{"name": "folds", "folds": t.run.Folds}
	}
	if t.run.Resample > 0 {
		split["resample"] = t.run.Resample
	}
	return canonical(map[string]any{
		"data": data.Name, "sha256": data.SHA256, "features": data.Features,
		// The file says nothing of the columns that were taken, nor of other files.
		"columns": t.run.Data.Columns, "tracks": t.run.Data.Tracks, "tests": t.run.Data.Tests,
		"tasks": data.Tasks, "regression": data.Regression,
		"model": t.model, "protocol": t.task.Protocol, "split": split,
		"backend": nkfx.BackendName(backend), "generation": generation,
	})
}

// canonical returns settings as JSON in which nothing depends on the order of
// fields, and zeros are left out: a field that is new changes no text until it
// is set.
func canonical(settings any) (string, error) {
	text, err := json.Marshal(settings)
	if err != nil {
		return "", err
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber() // every digit counts
	var tree any
	if err := decoder.Decode(&tree); err != nil {
		return "", err
	}
	text, err = json.Marshal(withoutZeros(tree))
	return string(text), err
}

// withoutZeros takes what is zero or empty out of objects, and returns nil for
// what is zero.
func withoutZeros(tree any) any {
	switch v := tree.(type) {
	case map[string]any:
		for name, value := range v {
			if v[name] = withoutZeros(value); v[name] == nil {
				delete(v, name)
			}
		}
		if len(v) == 0 {
			return nil
		}
	case []any:
		for i, value := range v {
			v[i] = withoutZeros(value)
		}
		if len(v) == 0 {
			return nil
		}
	default:
		if v == "" || v == false || v == json.Number("0") {
			return nil
		}
	}
	return tree
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
			if ok && err == nil && fit.Fold == fold && fit.Seed == seed && fit.Check() == nil {
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
