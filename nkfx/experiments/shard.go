package experiments

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

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

// shardMark stands between the name of a journal and what is a shard's own.
const shardMark = ".shard-"

// shardName is the end of the name of a shard's journal.
var shardName = regexp.MustCompile(regexp.QuoteMeta(shardMark) + `\d+-of-\d+\.jsonl$`)

// journal returns the path of the shard's journal, given that of all.
func (s *Shard) journal(path string) string {
	return fmt.Sprintf("%s%s%d-of-%d.jsonl", strings.TrimSuffix(path, ".jsonl"), shardMark, s.Index, s.Count)
}

// shardJournals returns the journals of all shards beside the one at path.
func shardJournals(path string) ([]string, error) {
	entries, err := os.ReadDir(filepath.Dir(path)) // by name
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("the folder for results: %w", err)
	}
	var found []string
	for _, entry := range entries {
		if main, ok := mainJournal(entry.Name()); ok && main == filepath.Base(path) {
			found = append(found, filepath.Join(filepath.Dir(path), entry.Name()))
		}
	}
	return found, nil
}

// mainJournal returns the name of the journal that the journal of a shard is
// to be merged into.
func mainJournal(name string) (main string, ok bool) {
	if !shardName.MatchString(name) {
		return "", false
	}
	return shardName.ReplaceAllString(name, ".jsonl"), true
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
		name, ok := mainJournal(filepath.Base(path))
		if !ok {
			continue // of a data set with such a name
		}
		main := filepath.Join(filepath.Dir(path), name)
		if !slices.ContainsFunc(merged, func(m Merged) bool { return m.Journal == main }) {
			merged = append(merged, Merged{Journal: main})
		}
	}
	for i, m := range merged {
		shards, err := shardJournals(m.Journal)
		if err != nil {
			return nil, err
		}
		if merged[i].Trainings, err = merge(m.Journal, shards); err != nil {
			return nil, err
		}
		merged[i].Shards = len(shards)
	}
	return merged, nil
}

// escape returns a pattern that matches the path alone.
func escape(path string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

// merge moves the lines of some journals to another.
func merge(path string, shards []string) (added int, err error) {
	journal, err := train.OpenJournal(path)
	if err != nil {
		return 0, err
	}
	defer journal.Close()
	for _, name := range shards {
		shard, err := train.OpenJournal(name)
		if err != nil {
			return added, err
		}
		n, err := journal.Merge(shard)
		if added += n; err != nil {
			return added, errors.Join(err, shard.Close())
		}
		if err := shard.Remove(); err != nil {
			return added, err
		}
	}
	return added, nil
}
