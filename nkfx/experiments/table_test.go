package experiments

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/tu"
	"github.com/neuralkforms/nkf/layers/backendtest"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// smallTable is a table of two models on excerpts of two data sets, one with
// node labels and one without.
func smallTable(t *testing.T) Table {
	t.Helper()
	x := must(NewTable("1"))
	x.Benchmarks, x.Models = excerpts("BZR", "Letter-high"), []string{"gcn", "nkf"}
	x.Folds, x.Protocol, x.Out = 2, short(2), t.TempDir()
	return x
}

// short is a training of so many epochs in small steps.
func short(n int) func(*train.Protocol) { return func(p *train.Protocol) { p.Epochs, p.Batch = n, 4 } }

// graphs returns the benchmark on an archive in the TU format.
func graphs(path string) Benchmark { return Own(must(tu.Open(path))) }

// excerpts are benchmarks on parts of their data sets.
func excerpts(names ...string) (all []Benchmark) {
	for _, name := range names {
		b := must(Lookup(name))
		b.Load = graphs(map[string]string{"BZR": excerpt, "Letter-high": letters}[name]).Load
		all = append(all, b)
	}
	return all
}

// TestTable1: nothing is stored before a run, everything after it; an interrupted run is continued; the
// numbers are always the same, also those of cells that are made at once.
func TestTable1(t *testing.T) {
	backend := backendtest.Get(t, "go")
	x := smallTable(t)
	x.Assemble = true
	table := must(x.Run(t.Context(), backend, nil))
	require.Equal(t, 8, table.Missing)
	require.Empty(t, must(os.ReadDir(x.Out)), "looking makes no file")

	x.Assemble = false
	ctx, cancel := context.WithCancel(t.Context())
	_, err := x.Run(ctx, backend, func(cell string, p train.Progress) {
		if cell == "BZR nkf attributes+labels" && p.Fits == 1 {
			cancel()
		}
	})
	require.ErrorIs(t, err, context.Canceled)
	x.Assemble = true
	table = must(x.Run(t.Context(), backend, nil))
	require.Equal(t, 6, table.Missing, "two were done")

	x.Assemble = false
	seen, told := map[string]int{}, map[string]bool{}
	table = must(x.Run(t.Context(), backend, func(cell string, p train.Progress) {
		// The last epoch is told once more when the training has ended.
		if epoch := fmt.Sprint(cell, p.Fold, p.Seed, p.Epoch.Epoch); p.Doing == "" && !told[epoch] {
			told[epoch] = true
			seen[cell]++
		}
	}))
	require.Equal(t, map[string]int{"BZR nkf attributes+labels": 2, "BZR nkf labels": 4,
		"Letter-high gcn attributes": 4, "Letter-high nkf attributes": 4}, seen, "epochs of what was left")

	require.Len(t, table.Rows, 4)
	require.Zero(t, table.Missing)
	require.Equal(t, "gcn", table.Rows[0].Model)
	require.Equal(t, 5000, table.Rows[0].PaperParameters)
	require.Equal(t, 43.06, table.Columns[1].Paper("gcn").Mean)
	forms, labels := table.Rows[2].Cells, table.Rows[3].Cells
	require.Equal(t, "attributes+labels", forms[0].Features)
	require.Equal(t, "labels", labels[0].Features)
	require.Less(t, labels[0].Parameters, forms[0].Parameters)
	require.Same(t, forms[1], labels[1], "trained once")
	require.Equal(t, []Fallback{{"attributes+labels", "attributes", []string{"Letter-high"}},
		{"labels", "attributes", []string{"Letter-high"}}}, table.Fallbacks)
	require.Len(t, table.Columns[0].DataSHA256, 64)
	require.Positive(t, table.Training)

	x.Assemble = true
	again := must(x.Run(t.Context(), backend, nil))
	other := smallTable(t)
	other.Workers = 4
	undisturbed := must(other.Run(t.Context(), backend, nil))
	for _, row := range table.Rows {
		for d, cell := range row.Cells {
			require.Equal(t, []string{row.Model, x.Benchmarks[d].Name}, []string{cell.Model, cell.Dataset})
		}
	}
	require.Equal(t, timeless(t, undisturbed), timeless(t, table))
	require.Equal(t, timeless(t, undisturbed), timeless(t, again))
}

// TestTablePanics: an error of what makes a cell, or a panic, which is one, too, ends the other cells.
func TestTablePanics(t *testing.T) {
	for want, protocol := range map[string]func(*train.Protocol){
		"Epochs 0":                       short(0),
		"gave up: a fault of the caller": func(*train.Protocol) { panic("a fault of the caller") },
	} {
		x := smallTable(t)
		x.Protocol, x.Workers = protocol, 2
		_, err := x.Run(t.Context(), backendtest.Get(t, "go"), nil)
		require.ErrorContains(t, err, want)
	}
}

// TestBeforeAnythingIsTrained: what cannot be done is said before the first
// training of what can.
func TestBeforeAnythingIsTrained(t *testing.T) {
	folder := t.TempDir()
	for kind, content := range map[string]string{
		"A": "1, 2\n3, 4\n5, 6\n", "graph_indicator": "1\n1\n2\n2\n3\n3\n", "graph_labels": "0\n0\n0\n",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(folder, "ONE_"+kind+".txt"), []byte(content), 0o600))
	}
	_, err := NewRun(graphs(folder), "nkf").Prepare(t.Context())
	require.ErrorContains(t, err, `all of ONE is of class "0"`)
	x := NewRun(graphs(letters), "nkf")
	x.Folds = 2
	must(x.Prepare(t.Context()))
	x.Features = "labels"
	_, err = x.Prepare(t.Context())
	require.ErrorContains(t, err, "no node labels")

	altered := filepath.Join(folder, "tu", "AIDS.zip")
	require.NoError(t, os.Mkdir(filepath.Dir(altered), 0o700))
	require.NoError(t, os.WriteFile(altered, nil, 0o600))
	t.Setenv("NKF_DATA", folder)
	table := must(NewTable("1"))
	require.NoError(t, table.Keep("aids"))
	table.Benchmarks = append(excerpts("Letter-high"), table.Benchmarks...) // the last
	for _, want := range []string{altered, `no model "mlp"`} {
		_, err = table.Run(t.Context(), backendtest.Get(t, "go"), func(_ string, p train.Progress) {
			require.Equal(t, "reading", p.Doing, "something is trained")
		})
		require.ErrorContains(t, err, want)
		table.Models = []string{"nkf", "mlp"}
	}
	require.ErrorContains(t, table.Keep("MUTAG"), `no data set "MUTAG" in table 1`)
	_, err = NewTable("3")
	require.ErrorContains(t, err, "there are 1, 2, cochain and uea")
}

// TestTable2: a column for every split; what is trained for one is not trained again for another.
func TestTable2(t *testing.T) {
	x := must(NewTable("2"))
	require.NoError(t, x.Keep("bbbp"))
	molecules := someMolecules("").Data
	x.Benchmarks[0].Load = func(context.Context) (datasets.Source, error) { return molecules, nil }
	x.Models, x.Splits, x.Runs = []string{"nkf"}, []string{"fold0"}, 1
	x.Protocol, x.Out = epochs(1), t.TempDir()
	var cells []string
	run := func() *Results {
		cells = nil
		table := must(x.Run(t.Context(), backendtest.Get(t, "go"), func(cell string, p train.Progress) {
			if p.Doing == "" {
				cells = append(cells, cell)
			}
		}))
		cells = slices.Compact(cells)
		return table
	}
	table := run()
	require.Equal(t, []string{"BBBP nkf"}, cells)
	require.Equal(t, "BBBP", table.Columns[0].Name)
	require.Equal(t, "auroc", table.Columns[0].Metric)
	require.Len(t, table.Columns[0].DataSHA256, 64)
	require.Equal(t, 9000, table.Rows[0].PaperParameters)
	require.Equal(t, 86.41, table.Columns[0].Paper("nkf").Mean)

	x.Splits, x.Assemble = []string{"fold0", "folds", "scaffold"}, true
	table = run()
	require.Equal(t, "BBBP scaffold", table.Columns[2].Name)
	require.Equal(t, 2, table.Missing, "another split is another training")
	require.Nil(t, table.Columns[2].Paper("nkf"), "the paper has no other splits")
	for _, want := range [][]int{{5, 1, 5}, {6, 2, 6}} { // six trainings, of five folds more
		x.Runs = want[0]
		table = run()
		require.Equal(t, want,
			[]int{table.Columns[0].Seeds, table.Columns[1].Seeds, table.Columns[2].Seeds})
	}

	x.Runs, x.Assemble = 1, false
	table = run()
	require.Zero(t, table.Missing)
	require.Equal(t, []string{"BBBP folds nkf", "BBBP scaffold nkf"}, cells, "what was left")
	five, one := table.Rows[0].Cells[1].Folds, table.Rows[0].Cells[0].Folds
	require.Len(t, five, 5)
	require.Equal(t, one[0], five[0], "fold 0 is not trained twice")
}
