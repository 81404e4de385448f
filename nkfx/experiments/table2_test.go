package experiments

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers/backendtest"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// smallTable2 is a table of one model on an excerpt of BBBP.
func smallTable2(t *testing.T) Table2 {
	t.Helper()
	x := NewTable2()
	x.MoleculeNet, _ = someMolecules(t, "")
	x.Datasets, x.Models = []string{"bbbp"}, []string{"nkf"}
	x.Runs, x.Protocol.Epochs, x.Out, x.Splits = 1, 1, t.TempDir(), []string{"fold0"}
	return x
}

// TestTable2: what is not trained is missing; what is trained is kept.
func TestTable2(t *testing.T) {
	backend := backendtest.Get(t, "go")
	x := smallTable2(t)
	x.Assemble = true
	table, err := x.Run(t.Context(), backend, nil)
	require.NoError(t, err)
	require.Equal(t, 1, table.Missing)
	require.Equal(t, []*Result{nil}, table.Rows[0].Cells)

	x.Assemble = false
	seen := false
	table, err = x.Run(t.Context(), backend, func(cell string, _ train.Progress) {
		require.Equal(t, "BBBP nkf", cell)
		seen = true
	})
	require.NoError(t, err)
	require.True(t, seen)
	require.Equal(t, 2, table.Number)
	require.Equal(t, "auroc", table.Metric)
	require.Equal(t, []string{"BBBP"}, table.Datasets)
	require.Len(t, table.Data["BBBP"], 64)
	require.Equal(t, 9000, table.Rows[0].PaperParameters)
	require.Equal(t, 86.41, table.Rows[0].Paper("BBBP").Mean)
	require.Positive(t, table.Training)

	x.Assemble = true
	again, err := x.Run(t.Context(), backend, nil)
	require.NoError(t, err)
	require.Zero(t, again.Missing)
	require.Equal(t, table.Rows[0].Cells[0].Mean, again.Rows[0].Cells[0].Mean)

	x.Splits = []string{"fold0", "folds", "scaffold"}
	again, err = x.Run(t.Context(), backend, nil)
	require.NoError(t, err)
	require.Equal(t, []string{"BBBP", "BBBP folds", "BBBP scaffold"}, again.Datasets)
	require.Equal(t, 2, again.Missing, "another split is another training")
	require.Nil(t, again.Rows[0].Paper("BBBP scaffold"), "the paper has no other splits")

	x.Assemble = false
	var cells []string
	again, err = x.Run(t.Context(), backend, func(cell string, _ train.Progress) {
		cells = append(cells, cell)
	})
	require.NoError(t, err)
	require.Zero(t, again.Missing)
	cells = slices.Compact(cells)
	require.Equal(t, []string{"BBBP folds nkf", "BBBP scaffold nkf"}, cells, "what was left")
	five, one := again.Rows[0].Cells[1].Folds, again.Rows[0].Cells[0].Folds
	require.Len(t, five, 5)
	require.Equal(t, one[0], five[0], "fold 0 is not trained twice")
}

func TestTables2ThatCannotBe(t *testing.T) {
	backend := backendtest.Get(t, "go")
	for want, change := range map[string]func(*Table2){
		`no data set "tox21"`: func(x *Table2) { x.Datasets = []string{"tox21"} },
		`no model "mlp"`:      func(x *Table2) { x.Models = []string{"mlp"} },
		`no split "time"`:     func(x *Table2) { x.Splits = []string{"time"} },
		"0 epochs":            func(x *Table2) { x.Protocol.Epochs = 0 },
		"no such file":        func(x *Table2) { x.Path = "none.csv" },
	} {
		x := smallTable2(t)
		change(&x)
		_, err := x.Run(t.Context(), backend, nil)
		require.ErrorContains(t, err, want)
	}
}
