package figures_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/nkfx/experiments"
	"github.com/neuralkforms/nkf/nkfx/figures"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// molecules is a table with a column for every split, one of which was not trained.
func molecules() *experiments.Table {
	cell := func(mean train.Score) *experiments.Result {
		return &experiments.Result{Parameters: 8560, Mean: mean, Std: 1, MeanBest: mean + 1, StdBest: 2,
			Means: train.Scores{AUROC: mean, AveragePrecision: 50, Accuracy: 70},
			Stds:  train.Scores{AUROC: 1, AveragePrecision: 3, Accuracy: 4}}
	}
	return &experiments.Table{
		Number: 2, Metric: "auroc", Datasets: []string{"BACE", "BACE folds", "BACE random", "BACE scaffold"},
		Folds: 5, Seeds: 6, Seed: 42,
		Data: map[string]string{"BACE": "0123456789abcdef"},
		Rows: []experiments.TableRow{{Model: "nkf", Features: "numbers", PaperParameters: 9000,
			Cells: []*experiments.Result{cell(84), cell(85), nil, cell(70)}}},
	}
}

// TestTable2: a column for every split, the paper's figures only beside the published one, and all three
// metrics.
func TestTable2(t *testing.T) {
	table := molecules()
	tables := figures.Results(table)
	require.Len(t, tables, 4)
	require.Equal(t, [][]string{
		{"NkF", "atom features", "8,560", "84.00 ± 1.00", "85.00 ± 1.00", "–", "70.00 ± 1.00"},
		{"NkF, paper", "", "9K", "83.50 ± 0.55", "–", "–", "–"},
	}, [][]string{texts(tables[0].Rows[0]), texts(tables[0].Rows[1])})
	require.Equal(t, "85.00 ± 2.00", texts(tables[1].Rows[0])[3])
	require.Equal(t, "50.00 ± 3.00", texts(tables[2].Rows[0])[3])
	require.Equal(t, "70.00 ± 4.00", texts(tables[3].Rows[0])[3])
	notes := tables[0].Notes
	require.Len(t, notes, 5)
	require.Equal(t, "Test AUROC in percent, mean ± standard deviation.", notes[0], "one model, nothing bold")
	require.Contains(t, notes[1], `"BACE": 6 seeds on the first of 5 stratified folds, as published.`)
	require.Equal(t, `Columns such as "BACE folds": all 5 folds with 2 seeds each.`, notes[2])
	require.Contains(t, notes[3], `"BACE random": 6 seeds on one random split`)
	require.Contains(t, notes[4], `"BACE scaffold": 6 seeds on MoleculeNet's split by scaffold`)
	require.Contains(t, tables[3].Notes[0], "BACE 0123456789ab")
	require.Equal(t, "AUROC, %", figures.ByParameters(table).Panels[0].Y.Label.Text)
}
