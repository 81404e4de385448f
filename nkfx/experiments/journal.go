package experiments

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
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

// shardJournals returns the journals of all shards of the one at path.
func shardJournals(path string) (found []string, err error) {
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, entry := range entries { // sorted
		name := filepath.Join(filepath.Dir(path), entry.Name())
		if name != path && mainJournal(name) == path {
			found = append(found, name)
		}
	}
	return found, nil
}

// Merged describes the additions of [Merge] to a journal.
type Merged struct {
	Journal   string // path
	Shards    int    // journals that are gone
	Trainings int    // that the journal did not have
}

// Merge moves the finished trainings of the shards under a folder for results into the common journals, and
// removes those of the shards. It is an error if a shard is still running. Nothing is lost by that, or by an
// interrupt: the same call resumes.
func Merge(out string) ([]Merged, error) {
	folders, err := os.ReadDir(out)
	if err != nil {
		return nil, fmt.Errorf("the folder for results: %w", err)
	}
	var merged []Merged
	for _, folder := range folders {
		if !folder.IsDir() {
			continue
		}
		entries, err := os.ReadDir(filepath.Join(out, folder.Name()))
		if err != nil {
			return merged, err
		}
		for _, entry := range entries {
			path := filepath.Join(out, folder.Name(), entry.Name())
			main := mainJournal(path)
			if main == path || slices.ContainsFunc(merged, func(m Merged) bool { return m.Journal == main }) {
				continue
			}
			m, err := merge(main)
			if err != nil {
				return merged, err
			}
			merged = append(merged, m)
		}
	}
	return merged, nil
}

// merge moves the lines of the shards of a journal to it.
func merge(path string) (m Merged, err error) {
	m.Journal = path
	shards, err := shardJournals(path)
	if err != nil {
		return m, err
	}
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
		added, err := kept.Merge(shard)
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

// key returns all that a training depends on, but for its fold and seed, written out in full, so that a
// setting that is new or has a new default changes it. The program's version stands for its code: results of
// others are computed again.
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
			if _, ok := task.Done(fold, seed); !ok {
				return false
			}
		}
	}
	return true
}
