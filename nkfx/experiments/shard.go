package experiments

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/gomlx/compute"

	"github.com/neuralkforms/nkf/nkfx/internal/journal"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// Shard is one of Count equal parts of all the trainings of a command, which
// as many processes do side by side on one folder for results: of the
// trainings in their order, that of every fold with every seed for every cell
// of a table, each Count-th, beginning with number Index (from 0).
//
// A shard keeps its trainings in journals of its own. Every run reads the
// journals of all shards, so none repeats what another has finished; [Merge]
// makes one journal of them. One Shard is for one command: it counts.
type Shard struct {
	Index, Count int
	seen         int // trainings so far
}

// ParseShard returns the shard that a text like "0/4" means, the first of
// four.
func ParseShard(text string) (*Shard, error) {
	s := &Shard{}
	// The second verb takes what should not be there.
	if n, _ := fmt.Sscanf(text+" ", "%d/%d%s", &s.Index, &s.Count, new(string)); n != 2 {
		return nil, fmt.Errorf("%q is no shard: give its number and how many there are, like 0/4", text)
	}
	if s.Index < 0 || s.Index >= s.Count {
		return nil, fmt.Errorf("shard %q: %d shards are numbered 0 to %d", text, s.Count, s.Count-1)
	}
	return s, nil
}

// String returns the text that ParseShard takes.
func (s *Shard) String() string { return fmt.Sprintf("%d/%d", s.Index, s.Count) }

// take reports whether the next training belongs to the shard.
func (s *Shard) take() bool {
	s.seen++
	return (s.seen-1)%s.Count == s.Index
}

// do does the trainings of the shard that are not done: those of others count
// as done.
func (s *Shard) do(ctx context.Context, backend compute.Backend, task train.Task) error {
	done := task.Done
	if done == nil {
		return errors.New("a shard is of no use without a folder for results: it is kept nowhere")
	}
	type training struct {
		fold int
		seed uint32
	}
	mine := map[training]bool{}
	left := false
	for _, seed := range task.Seeds {
		for fold := range task.Folds {
			if s.take() {
				mine[training{fold, seed}] = true
				_, ok := done(fold, seed)
				left = left || !ok
			}
		}
	}
	if !left {
		return nil
	}
	task.Done = func(fold int, seed uint32) (*train.Fit, bool) {
		if !mine[training{fold, seed}] {
			return &train.Fit{Fold: fold, Seed: seed}, true
		}
		return done(fold, seed)
	}
	_, err := train.CrossValidate(ctx, backend, task)
	return err
}

// shardMark stands between the name of a journal and what is a shard's own.
const shardMark = ".shard-"

// shardName is the end of the name of a shard's journal.
var shardName = regexp.MustCompile(regexp.QuoteMeta(shardMark) + `\d+-of-\d+\.jsonl$`)

// journal returns the path of the shard's journal, given that of all.
func (s *Shard) journal(path string) string {
	return fmt.Sprintf("%s%s%d-of-%d.jsonl", strings.TrimSuffix(path, ".jsonl"), shardMark, s.Index, s.Count)
}

// shardJournals returns the journals of all shards beside the one at path.
func shardJournals(path string) (found []string, err error) {
	all, err := filepath.Glob(escape(strings.TrimSuffix(path, ".jsonl")) + shardMark + "*.jsonl") // sorted
	for _, name := range all {
		if main, ok := mainJournal(name); ok && main == path {
			found = append(found, name)
		}
	}
	return found, err
}

// mainJournal returns the journal that the one of a shard is to be merged into.
func mainJournal(path string) (main string, ok bool) {
	return shardName.ReplaceAllString(path, ".jsonl"), shardName.MatchString(path)
}

// Merged says what [Merge] has put into a journal.
type Merged struct {
	Journal   string // path
	Shards    int    // journals that are gone
	Trainings int    // that the journal did not have
}

// Merge moves what the shards under a folder for results have finished into
// the journals of all, and takes theirs away. It is an error if one of them is
// still at work; nothing is lost then, nor if Merge is interrupted: the same
// call goes on.
func Merge(out string) ([]Merged, error) {
	if info, err := os.Stat(out); err != nil {
		return nil, fmt.Errorf("the folder for results: %w", err)
	} else if !info.IsDir() {
		return nil, fmt.Errorf("the folder for results: %s is none", out)
	}
	paths, err := filepath.Glob(filepath.Join(escape(out), "*", "*"+shardMark+"*.jsonl")) // sorted
	if err != nil {
		return nil, err
	}
	var merged []Merged
	for _, path := range paths {
		main, ok := mainJournal(path)
		done := func(m Merged) bool { return m.Journal == main }
		if !ok || slices.ContainsFunc(merged, done) { // a data set may have such a name
			continue
		}
		shards, err := shardJournals(main)
		if err != nil {
			return nil, err
		}
		added, err := merge(main, shards)
		if err != nil {
			return nil, err
		}
		merged = append(merged, Merged{Journal: main, Shards: len(shards), Trainings: added})
	}
	return merged, nil
}

// escape returns a pattern that matches the path alone.
func escape(path string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

// merge moves the lines of some journals to another.
func merge(path string, shards []string) (added int, err error) {
	kept, err := journal.Open(path)
	if err != nil {
		return 0, err
	}
	defer kept.Close()
	for _, name := range shards {
		shard, err := journal.Open(name)
		if err != nil {
			return added, err
		}
		n, err := kept.Merge(shard)
		if added += n; err != nil {
			return added, errors.Join(err, shard.Close())
		}
		if err := shard.Remove(); err != nil {
			return added, err
		}
	}
	return added, nil
}
