package experiments

import (
	"encoding/json"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers/backendtest"
	"github.com/neuralkforms/nkf/nkfx/internal/journal"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// timeless returns what is the same in every run of a table, as JSON.
func timeless(t *testing.T, table *Results) string {
	t.Helper()
	table.Training, table.Wall = 0, 0
	for _, row := range table.Rows {
		for _, cell := range row.Cells {
			require.NotNil(t, cell)
			cell.Seconds, cell.Compilations = 0, 0
			for i := range cell.Folds {
				cell.Folds[i].Seconds = 0
			}
		}
	}
	return string(must(json.Marshal(table)))
}

// TestShards: shards that work side by side do what one run does, every training once, in equal shares;
// merging changes no number, and leaves one journal a cell.
func TestShards(t *testing.T) {
	backend := backendtest.Get(t, "go")
	whole := smallTable(t)
	want := must(whole.Run(t.Context(), backend, nil))

	x := smallTable(t)
	const count = 3
	var work sync.WaitGroup
	var mu sync.Mutex
	trained, shares := map[string]int{}, make([]int, count)
	for i := range count {
		work.Go(func() {
			part := x
			part.Shard = &Shard{Index: i, Count: count}
			table, err := part.Run(t.Context(), backend, func(cell string, p train.Progress) {
				mu.Lock()
				defer mu.Unlock()
				if p.Doing == "" && p.Epoch.Epoch == 0 {
					trained[cell]++
					shares[i]++
				}
			})
			if err != nil || table.Missing != 8 {
				t.Error("shard", i, err)
			}
		})
	}
	work.Wait()
	require.Equal(t, map[string]int{"BZR gcn attributes+labels": 2, "BZR nkf attributes+labels": 2,
		"BZR gcn labels": 2, "BZR nkf labels": 2, "Letter-high gcn attributes": 2,
		"Letter-high nkf attributes": 2}, trained)
	require.Equal(t, []int{4, 4, 4}, shares)

	x.Assemble = true
	table := must(x.Run(t.Context(), backend, nil))
	require.Equal(t, timeless(t, want), timeless(t, table), "without merging")

	before := countFiles(t, x.Out, ".jsonl")
	require.Greater(t, before, 4)
	merged := must(Merge(x.Out))
	require.Len(t, merged, 4, "models by data sets")
	total := 0
	for _, m := range merged {
		require.FileExists(t, m.Journal)
		total += m.Trainings
	}
	require.Equal(t, 12, total)
	require.Equal(t, 4, countFiles(t, x.Out, ".jsonl"))
	require.Equal(t, 4, countFiles(t, x.Out, ".lock"))
	table = must(x.Run(t.Context(), backend, nil))
	require.Equal(t, timeless(t, want), timeless(t, table), "merged")
	merged = must(Merge(x.Out))
	require.Empty(t, merged)

	// Another number of shards repeats nothing.
	x.Assemble, x.Shard = false, &Shard{Index: 1, Count: 2}
	must(x.Run(t.Context(), backend, func(_ string, p train.Progress) {
		require.NotEmpty(t, p.Doing, "trained again")
	}))
}

// countFiles counts the files below a folder whose names end so.
func countFiles(t *testing.T, folder, ending string) (n int) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(folder, func(path string, entry os.DirEntry, err error) error {
		if err == nil && filepath.Ext(path) == ending {
			n++
		}
		return err
	}))
	return n
}

// TestMergeWaits: a shard that is at work keeps its journal, and so does one whose journal is damaged; what
// was merged before stays merged. A data set may be called what looks like a shard's.
func TestMergeWaits(t *testing.T) {
	out := filepath.Join(t.TempDir(), "strange [name]*")
	path := func(name string) string { return filepath.Join(out, "tu", name) }
	const odd = "B.shard-x-nkf.jsonl"
	for i, name := range []string{"A-nkf.shard-0-of-3.jsonl", "A-nkf.shard-1-of-3.jsonl", "A-nkf.jsonl",
		odd} {
		j := must(journal.Open(path(name)))
		require.NoError(t, j.Append("same", train.Fit{Seconds: float64(i)}))
		require.NoError(t, j.Append(name, train.Fit{}))
		require.NoError(t, j.Close())
	}
	_, err := Merge(path(odd))
	require.ErrorContains(t, err, "the folder for results", "what cannot be listed is not taken for empty")
	working := must(journal.Open(path("A-nkf.shard-1-of-3.jsonl")))
	_, err = Merge(out)
	require.ErrorContains(t, err, "in use by another run")
	require.NoFileExists(t, path("A-nkf.shard-0-of-3.jsonl"))
	require.NoError(t, working.Append("late", train.Fit{}))
	require.NoError(t, working.Close())
	merged := must(Merge(out))
	require.Equal(t, []Merged{{Journal: path("A-nkf.jsonl"), Shards: 1, Trainings: 2}}, merged)
	require.FileExists(t, path(odd))
	require.Equal(t, odd, mainJournal("B.shard-x-nkf.shard-1-of-2.jsonl"))

	require.NoError(t, os.WriteFile(path("A-nkf.shard-2-of-3.jsonl"), []byte("{}\n"), 0o666))
	_, err = Merge(out)
	require.ErrorContains(t, err, "line 1 is damaged")
	_, err = Merge(filepath.Join(out, "absent"))
	require.ErrorContains(t, err, "the folder for results")
}

// TestMergeOfAnotherResult: a shard with another result of a training stays, and is named.
func TestMergeOfAnotherResult(t *testing.T) {
	out := t.TempDir()
	paths := map[string]float64{"A-nkf.jsonl": 0.5, "A-nkf.shard-0-of-2.jsonl": 0.25}
	for name, loss := range paths {
		j := must(journal.Open(filepath.Join(out, "tu", name)))
		require.NoError(t, j.Append("key", train.Fit{History: []train.Epoch{{TrainLoss: loss}}}))
		require.NoError(t, j.Close())
	}
	merged, err := Merge(out)
	require.ErrorContains(t, err, "A-nkf.shard-0-of-2.jsonl have different results of one training")
	require.Empty(t, merged)
	for name := range paths {
		require.FileExists(t, filepath.Join(out, "tu", name))
	}
}

// TestImpossibleTrainings: a value of a journal that cannot be the outcome of its training is an error, even
// with the right checksum.
func TestImpossibleTrainings(t *testing.T) {
	backend := backendtest.Get(t, "go")
	x := someMolecules("nkf")
	x.Seeds, x.Out = 1, t.TempDir()
	training := must(x.Prepare(t.Context()))
	must(training.Run(t.Context(), backend, nil))
	key := must(training.key(backend)) + " fold=0 seed=42"
	var good train.Fit
	require.True(t, must(must(journal.Read(training.journal())).Get(key, &good)))
	for want, damage := range map[string]func(*train.Fit){
		"is of fold 3 with seed 42": func(f *train.Fit) { f.Fold = 3 },
		"the best epoch is 2 of 2":  func(f *train.Fit) { f.BestEpoch = 2 },
		"the best epoch is -1 of 2": func(f *train.Fit) { f.BestEpoch = -1 },
		"is of 9 epochs, 2 of them": func(f *train.Fit) { f.Epochs = 9 },
		"is of 2 epochs, 0 of them": func(f *train.Fit) { f.History = nil },
		"is of 0 epochs, 0 of them": func(f *train.Fit) { f.Epochs, f.History = 0, nil },
		"at most; remove the line to rep": func(f *train.Fit) {
			f.Epochs, f.History = 3, make([]train.Epoch, 3)
		},
	} {
		fit := good
		damage(&fit)
		j := must(journal.Open(training.journal()))
		require.NoError(t, j.Append(key, fit))
		require.NoError(t, j.Close())
		_, _, err := training.Train(t.Context(), backend, nil)
		require.ErrorContains(t, err, want)
	}
}
