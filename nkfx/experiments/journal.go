package experiments

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/gomlx/compute"

	"github.com/neuralkforms/nkf/nkfx"
	"github.com/neuralkforms/nkf/nkfx/internal/journal"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// Shard is one of Count equal parts of the trainings of a command, which several processes share on one
// folder for results: every Count-th training, from number Index (from 0) on.
//
// A shard keeps its trainings in journals of its own. Every run reads the journals of all shards, so none
// repeats what another has finished; [Merge] makes one journal of them. Use a Shard for one command only,
// since it counts trainings.
type Shard struct {
	Index, Count int
	seen         int // trainings so far
}

// ParseShard returns the shard of a text like "0/4", the first of four.
func ParseShard(text string) (*Shard, error) {
	s := &Shard{}
	// The second verb takes what should not be there.
	if n, _ := fmt.Sscanf(text+" ", "%d/%d%s", &s.Index, &s.Count, new(string)); n != 2 {
		return nil, fmt.Errorf("%q is not a shard: write its number and their number, such as 0/4", text)
	}
	if s.Index < 0 || s.Index >= s.Count {
		return nil, fmt.Errorf("shard %q: %d shards are numbered 0 to %d", text, s.Count, s.Count-1)
	}
	return s, nil
}

// String returns the text that ParseShard takes.
func (s *Shard) String() string { return fmt.Sprintf("%d/%d", s.Index, s.Count) }

// do does the trainings of the shard that are not done: those of others count as done.
func (s *Shard) do(ctx context.Context, backend compute.Backend, task train.Task) error {
	done, first := task.Done, s.seen
	if done == nil {
		return errors.New("a shard needs a folder for results, or its trainings are lost")
	}
	s.seen += len(task.Seeds) * len(task.Folds)
	task.Done = func(fold int, seed uint32) (*train.Fit, bool) {
		number := first + slices.Index(task.Seeds, seed)*len(task.Folds) + fold
		if number%s.Count != s.Index {
			return &train.Fit{Fold: fold, Seed: seed}, true
		}
		return done(fold, seed)
	}
	if finished(task) {
		return nil
	}
	_, err := train.CrossValidate(ctx, backend, task)
	return err
}

// shardName is the end of the name of a shard's journal.
var shardName = regexp.MustCompile(`\.shard-\d+-of-\d+\.jsonl$`)

// journal returns the path of the shard's journal, given that of all.
func (s *Shard) journal(path string) string {
	return fmt.Sprintf("%s.shard-%d-of-%d.jsonl", strings.TrimSuffix(path, ".jsonl"), s.Index, s.Count)
}

// mainJournal returns the path of the journal that a shard's is merged into; of others their own.
func mainJournal(path string) string { return shardName.ReplaceAllString(path, ".jsonl") }

// shardJournals returns the journals of shards in a folder, by the journal that they are merged into.
func shardJournals(folder string) (map[string][]string, error) {
	entries, err := os.ReadDir(folder) // sorted
	found := map[string][]string{}
	for _, entry := range entries {
		path := filepath.Join(folder, entry.Name())
		if main := mainJournal(path); main != path {
			found[main] = append(found[main], path)
		}
	}
	return found, err
}

// Merged describes the additions of [Merge] to a journal.
type Merged struct {
	Journal   string // path
	Shards    int    // journals that are gone
	Trainings int    // that the journal did not have
}

// Merge moves the finished trainings of the shards under a folder for results into the common journals, and
// removes those of the shards. It is an error if a shard is still running, or if it has another result of a
// training than the common journal. Nothing is lost by that, or by an interrupt: the same call resumes.
func Merge(out string) (merged []Merged, err error) {
	folders, err := os.ReadDir(out)
	if err != nil {
		return nil, fmt.Errorf("the folder for results: %w", err)
	}
	for _, folder := range folders {
		if !folder.IsDir() {
			continue
		}
		shards, err := shardJournals(filepath.Join(out, folder.Name()))
		if err != nil {
			return merged, err
		}
		for _, path := range slices.Sorted(maps.Keys(shards)) {
			m, err := merge(path, shards[path])
			if err != nil {
				return merged, err
			}
			merged = append(merged, m)
		}
	}
	return merged, nil
}

// merge moves the lines of shards to the journal at path.
func merge(path string, shards []string) (Merged, error) {
	m := Merged{Journal: path}
	kept, err := journal.Open(path)
	if err != nil {
		return m, err
	}
	defer kept.Close()
	for _, name := range shards {
		shard, err := journal.Open(name)
		if err != nil {
			return m, err
		}
		added, err := kept.Merge(shard, sameTraining)
		m.Trainings += added
		if err != nil {
			return m, errors.Join(err, shard.Close())
		}
		if err := shard.Remove(); err != nil {
			return m, err
		}
		m.Shards++
	}
	return m, nil
}

// sameTraining reports whether two values of journals have the same result, which may have taken different
// times.
func sameTraining(a, b json.RawMessage) bool {
	var texts [2]string
	for i, value := range []json.RawMessage{a, b} {
		var fit train.Fit
		if json.Unmarshal(value, &fit) != nil {
			return false
		}
		fit.Seconds = 0
		text, err := json.Marshal(fit)
		if err != nil {
			return false
		}
		texts[i] = string(text)
	}
	return texts[0] == texts[1]
}

// key returns all that a training depends on, but for its fold and seed, written out in full, so that a
// setting that is new or has a new default changes it. The program's version, with the commit or the SHA-256
// of its file, stands for its code: results of others are computed again.
func (t *Training) key(backend compute.Backend) (string, error) {
	data, split := t.task.Data, t.run.Split
	if split == "fold0" { // fold 0 is one of them
		split = "folds"
	}
	key := map[string]any{
		"data": data.Info, "settings": t.saved.Settings, "model": t.saved.Model, "options": t.saved.Options,
		"encoder": t.saved.Encoder, "protocol": t.task.Protocol, "split": split, "folds": t.run.Folds,
		"backend": nkfx.BackendName(backend), "version": nkfx.Version().NKF,
	}
	text, err := json.Marshal(key)
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
		return fmt.Sprintf("%s fold=%d seed=%d", settings, fold, seed)
	}
	path := t.journal()
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
	}
	found, err := t.find(path, key)
	if err != nil {
		closed()
		return nil, err
	}
	task.Done = func(fold int, seed uint32) (*train.Fit, bool) {
		fit, ok := found[key(fold, seed)]
		return fit, ok
	}
	return closed, nil
}

// find returns the finished trainings in a journal and in those of its shards, by key. It is an error if a
// value cannot be the outcome of its training.
func (t *Training) find(path string, key func(fold int, seed uint32) string) (map[string]*train.Fit, error) {
	shards, err := shardJournals(filepath.Dir(path))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	found := map[string]*train.Fit{}
	for _, path := range append(shards[path], path) { // last, it has what Merge moves meanwhile
		kept, err := journal.Read(path)
		if err != nil {
			return nil, err
		}
		for i := range len(t.task.Seeds) * len(t.task.Folds) {
			fold, seed := i%len(t.task.Folds), t.task.Seeds[i/len(t.task.Folds)]
			fit := &train.Fit{}
			ok, err := kept.Get(key(fold, seed), fit)
			if ok {
				err = t.outcome(fit, fold, seed)
				found[key(fold, seed)] = fit
			}
			if err != nil {
				return nil, fmt.Errorf("%s, fold %d with seed %d: %w; remove the line to repeat that "+
					"training", path, fold, seed, err)
			}
		}
	}
	return found, nil
}

// outcome returns an error unless a fit can be the outcome of a training.
func (t *Training) outcome(fit *train.Fit, fold int, seed uint32) error {
	epochs := t.task.Protocol.Epochs
	switch {
	case fit.Fold != fold || fit.Seed != seed:
		return fmt.Errorf("the result is of fold %d with seed %d", fit.Fold, fit.Seed)
	case fit.Epochs < 1 || fit.Epochs > epochs || len(fit.History) != fit.Epochs:
		return fmt.Errorf("the result is of %d epochs, %d of them listed, where there are %d at most",
			fit.Epochs, len(fit.History), epochs)
	case fit.BestEpoch < 0 || fit.BestEpoch >= fit.Epochs:
		return fmt.Errorf("the best epoch is %d of %d", fit.BestEpoch, fit.Epochs)
	}
	return nil
}

// finished reports whether all trainings of a task are done.
func finished(task train.Task) bool {
	for _, seed := range task.Seeds {
		for fold := range task.Folds {
			if _, ok := task.Done(fold, seed); !ok {
				return false
			}
		}
	}
	return true
}
