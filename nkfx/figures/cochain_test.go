package figures

import (
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/plot/plotter"

	"github.com/neuralkforms/nkf/nkfx/experiments"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// TestCochainTables has one data set where the first model is ahead, one where
// it is behind, and one that is not trained.
func TestCochainTables(t *testing.T) {
	result := func(model string, tests ...train.Score) *experiments.Result {
		r := &experiments.Result{
			Dataset:    "BZR",
			Model:      model,
			Parameters: 20170,
			MeanBest:   tests[0],
			StdBest:    1,
			Mean:       80,
		}
		for i, v := range tests {
			last := v
			if model == "cochain" {
				last++
			}
			r.Folds = append(r.Folds, experiments.FoldResult{Fold: i, TestBest: v, Test: last, Seconds: 2})
		}
		return r
	}
	row := func(name string, a, b *experiments.Result) experiments.CochainRow {
		r := experiments.CochainRow{Dataset: name, Metric: "accuracy", Cells: []*experiments.Result{a, b}}
		if a != nil {
			p, err := experiments.Compare(a, b)
			require.NoError(t, err)
			r.Pairs = p
			r.PairsLast, err = experiments.CompareLast(a, b)
			require.NoError(t, err)
		}
		return r
	}
	results := &experiments.CochainResults{Models: []string{"cochain", "gin-tuned"}, Seeds: 1,
		Rows: []experiments.CochainRow{
			row("BZR", result("cochain", 85, 86, 87), result("gin-tuned", 82, 83.1, 83.9)),
			row("COX2", result("cochain", 80, 81, 82), result("gin-tuned", 83, 84.1, 84.9)),
			row("DHFR", nil, nil),
		}}
	results.Seed, results.Versions.NKF = 7, "v9"
	results.Rows[0].Cells[0].DataSHA256 = "0123456789abcdef"
	results.Rows[0].PaperBest = &experiments.MeanStd{Mean: 81.48, Std: 2.9}
	tables := CochainTables(results)
	require.Len(t, tables, 3)
	text := tables[0].Markdown()
	require.Contains(t, text, "81.48 ± 2.90")
	require.Contains(t, text, "**85.00 ± 1.00 (80.00)**")
	require.Contains(t, text, "20170")
	require.Contains(t, text, "nkf table cochain --dataset BZR,COX2,DHFR --model cochain,gin-tuned --seed 7 "+
		"--seeds 1: nkf v9, ")
	require.Contains(t, text, "seeds from 7. Data by SHA-256: BZR 0123456789ab.")
	text = tables[1].Markdown()
	require.Contains(t, text, "+3.00")
	require.Contains(t, text, "−3.00")
	require.Contains(t, text, "3 of 3")
	require.Contains(t, text, "**ahead**")
	require.Contains(t, text, "behind")
	require.Contains(t, text, "not trained")
	require.Contains(t, text, "ahead on 1 of 2 data sets, on 1 of them clearly, and clearly behind on 1")
	require.Contains(t, text, "at the best validation epoch")
	text = tables[2].Markdown()
	require.Contains(t, text, "+4.00")
	require.Contains(t, text, "−2.00")
	require.Contains(t, text, "at the last epoch")

	usual := experiments.NewCochainTable()
	all := &experiments.CochainResults{Models: usual.Models, Seed: usual.Seed, Seeds: 2}
	for _, name := range usual.Datasets {
		all.Rows = append(all.Rows, experiments.CochainRow{Dataset: name})
	}
	require.Contains(t, cochainOrigin(all), "nkf table cochain --seeds 2: ")

	results.Models = results.Models[:1]
	require.Len(t, CochainTables(results), 1, "a model is not compared with itself")
}

// TestCochainLevels draws what there is of two levels.
func TestCochainLevels(t *testing.T) {
	levels := []experiments.CochainLevel{
		{
			Points: []float64{0, 0, 1, 0, 1, 1}, Edges: []int32{0, 1, 1, 2}, Forms: 2,
			Integrals: []float64{
				0.1,
				2,
				0.2,
				-1,
			}, Messages: []float64{-0.1, -2, -0.1, 3, 0.2, -1}, Share: 0.9,
			Field: experiments.Field{Low: -1, High: 2, Side: 2, Values: make([]float32, 16)},
		},
		{
			Points: []float64{0, 0, 1, 0, 1, 1}, Edges: []int32{0, 1, 1, 2}, Forms: 2,
			Integrals: []float64{3, 0, 1, 0}, Share: 0.8,
			Field: experiments.Field{Low: -1, High: 2, Side: 2, Values: make([]float32, 16)},
		},
	}
	require.Equal(t, []int{1, 0}, []int{levels[0].Largest(), levels[1].Largest()})
	f := CochainLevels("levels", nil, levels)
	require.Len(t, f.Panels, 2)
	require.Equal(t, "level 0: ω₂, 90 % in this plane", f.Panels[0].Title.Text)
	// Vertices without a message are ink, and the key says so.
	require.Nil(t, f.Panels[1].Layers[2].(*plotter.Scatter).GlyphStyleFunc)
	require.Equal(t, []Key{{"no message: the last level is only read out", Ink}}, f.Key)
	require.Empty(t, CochainLevels("all send", nil, levels[:1]).Key)
	_, err := f.SVG()
	require.NoError(t, err)

	f = CochainLevels("messages", []float64{0, 0, 1, 0, 1, 1}, levels)
	require.Len(t, f.Panels, 1, "the last level tells nothing")
	edges := f.Panels[0].Layers[0].(*Complex).Edges
	require.Equal(t, []int32{0, 1, 2, 1}, edges, "towards where the integral is positive")
	_, err = f.SVG()
	require.NoError(t, err)
}
