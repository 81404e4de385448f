package experiments

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets/tu"
	"github.com/neuralkforms/nkf/layers/backendtest"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// smallTable is a table of two models on excerpts of two data sets, one with
// node labels and one without.
func smallTable(t *testing.T) Table1 {
	t.Helper()
	x := NewTable1()
	x.Datasets, x.Models = []string{"BZR", "Letter-high"}, []string{"gcn", "nkf"}
	x.paths = map[string]string{"BZR": "../../datasets/tu/testdata/BZR.zip",
		"Letter-high": "../../datasets/tu/testdata/Letter-high"}
	x.Folds, x.Protocol.Epochs, x.Protocol.Batch, x.Out = 2, 2, 4, t.TempDir()
	return x
}

// TestTable1: nothing is stored before a run, everything after it; an
// interrupted run is continued; the numbers are always the same.
func TestTable1(t *testing.T) {
	backend := backendtest.Get(t, "go")
	x := smallTable(t)
	x.Assemble = true
	table, err := x.Run(t.Context(), backend, nil)
	require.NoError(t, err)
	require.Equal(t, 6, table.Missing)
	left, err := os.ReadDir(x.Out)
	require.NoError(t, err)
	require.Empty(t, left, "looking makes no file")

	x.Assemble = false
	ctx, cancel := context.WithCancel(t.Context())
	_, err = x.Run(ctx, backend, func(cell string, p train.Progress) {
		if cell == "BZR nkf attributes+labels" && p.Fits == 1 {
			cancel()
		}
	})
	require.ErrorIs(t, err, context.Canceled)
	x.Assemble = true
	table, err = x.Run(t.Context(), backend, nil)
	require.NoError(t, err)
	require.Equal(t, 5, table.Missing, "one was done")

	x.Assemble = false
	seen, told := map[string]int{}, map[string]bool{}
	table, err = x.Run(t.Context(), backend, func(cell string, p train.Progress) {
		// The last epoch is told once more when the training has ended.
		if epoch := fmt.Sprint(cell, p.Fold, p.Seed, p.Epoch.Epoch); !told[epoch] {
			told[epoch] = true
			seen[cell]++
		}
	})
	require.NoError(t, err)
	require.Equal(t, map[string]int{"BZR nkf attributes+labels": 2, "BZR nkf labels": 4,
		"Letter-high gcn attributes": 4, "Letter-high nkf attributes": 4}, seen, "epochs of what was left")

	require.Len(t, table.Rows, 3)
	require.Zero(t, table.Missing)
	require.Equal(t, "gcn", table.Rows[0].Model)
	require.Equal(t, 5000, table.Rows[0].PaperParameters)
	require.Equal(t, 43.06, table.Rows[0].Paper("Letter-high").Mean)
	forms, labels := table.Rows[1].Cells, table.Rows[2].Cells
	require.Equal(t, "attributes+labels", forms[0].Features)
	require.Equal(t, "labels", labels[0].Features)
	require.Less(t, labels[0].Parameters, forms[0].Parameters)
	require.Same(t, forms[1], labels[1], "trained once")
	require.Equal(t, []Fallback{{"attributes+labels", "attributes", []string{"Letter-high"}},
		{"labels", "attributes", []string{"Letter-high"}}}, table.Fallbacks)
	require.Len(t, table.Data["BZR"], 64)
	require.Positive(t, table.Training)

	x.Assemble = true
	again, err := x.Run(t.Context(), backend, nil)
	require.NoError(t, err)
	other := smallTable(t)
	undisturbed, err := other.Run(t.Context(), backend, nil)
	require.NoError(t, err)
	for i, row := range table.Rows {
		for d, cell := range row.Cells {
			for _, same := range []*Result{again.Rows[i].Cells[d], undisturbed.Rows[i].Cells[d]} {
				require.Equal(t, cell.Mean, same.Mean)
				require.Equal(t, cell.Std, same.Std)
				require.Equal(t, cell.MeanBest, same.MeanBest)
			}
		}
	}
}

// TestTable1SideBySide: cells that are made at once are those of their rows,
// and the numbers are those of cells made one after another.
func TestTable1SideBySide(t *testing.T) {
	backend := backendtest.Get(t, "xla:cpu")
	x := smallTable(t)
	x.Protocol.Epochs, x.Workers = 1, 1
	want, err := x.Run(t.Context(), backend, nil)
	require.NoError(t, err)
	x.Workers, x.Out = 4, t.TempDir()
	got, err := x.Run(t.Context(), backend, nil)
	require.NoError(t, err)
	require.Len(t, got.Rows, 3)
	for i, row := range got.Rows {
		for d, cell := range row.Cells {
			require.Equal(t, row.Model, cell.Model)
			require.Equal(t, x.Datasets[d], cell.Dataset)
			require.Equal(t, want.Rows[i].Cells[d].Parameters, cell.Parameters)
			require.Equal(t, want.Rows[i].Cells[d].Mean, cell.Mean)
			require.Equal(t, want.Rows[i].Cells[d].MeanBest, cell.MeanBest)
		}
	}
}

func TestTablesThatCannotBe(t *testing.T) {
	backend := backendtest.Get(t, "go")
	for want, change := range map[string]func(*Table1){
		`no data set "MUTAG"`: func(x *Table1) { x.Datasets = []string{"MUTAG"} },
		`no model "mlp"`:      func(x *Table1) { x.Models = []string{"nkf", "mlp"} },
		"no such file":        func(x *Table1) { x.paths["BZR"] = filepath.Join(t.TempDir(), "BZR.zip") },
		"epochs":              func(x *Table1) { x.Protocol.Epochs = 0 },
		"splitting":           func(x *Table1) { x.Folds, x.Assemble = 1, true },
	} {
		x := smallTable(t)
		change(&x)
		_, err := x.Run(t.Context(), backend, nil)
		require.ErrorContains(t, err, want)
	}
}

func TestAvailable(t *testing.T) {
	const both = tu.Attributes | tu.Labels
	archive := func(attributes, labels int) *tu.Archive {
		a := &tu.Archive{}
		a.NodeAttributes.Columns, a.NodeLabels.Columns = attributes, labels
		return a
	}
	for _, c := range []struct {
		archive     *tu.Archive
		asked, want tu.Features
	}{
		{archive(3, 1), both, both},
		{archive(3, 1), tu.Labels, tu.Labels},
		{archive(3, 1), tu.Automatic, both},
		{archive(3, 0), both, tu.Attributes},
		{archive(3, 0), tu.Labels, tu.Attributes},
		{archive(0, 1), tu.Attributes, tu.Labels},
		{archive(0, 0), both, tu.Degree},
		{archive(0, 0), tu.Degree, tu.Degree},
	} {
		require.Equal(t, c.want, available(c.archive, c.asked), "%v", c.asked)
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
	x := NewTU("", "nkf")
	x.Path = folder
	require.ErrorContains(t, x.Check(t.Context()), `all graphs of ONE are of class "0"`)
	x.Path, x.Folds = "../../datasets/tu/testdata/Letter-high", 2
	require.NoError(t, x.Check(t.Context()))
	x.Features = tu.Labels
	require.ErrorContains(t, x.Check(t.Context()), "no node labels")

	t.Setenv("NKF_DATA", "")
	t.Setenv("NKF_SHARED", folder)
	t.Setenv("XDG_CACHE_HOME", folder)
	t.Setenv("HTTPS_PROXY", "http://127.0.0.1:1") // nobody is there
	table := smallTable(t)
	table.Datasets = append(table.Datasets, "AIDS") // the last
	ctx, cancel := context.WithCancel(t.Context())
	cancel() // nor is anybody asked
	_, err := table.Run(ctx, backendtest.Get(t, "go"), func(string, train.Progress) {
		t.Error("something is trained")
	})
	require.ErrorContains(t, err, "AIDS")
}
