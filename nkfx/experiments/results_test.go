package experiments

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets/published"
	"github.com/neuralkforms/nkf/layers/backendtest"
	"github.com/neuralkforms/nkf/nkfx/models"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// shipped is the comparison that the notebook shows.
const shipped = "../../notebooks/cochain-networks.json"

// TestCochainTable trains a little, and assembles what there is.
func TestCochainTable(t *testing.T) {
	backend := backendtest.Get(t, "go")
	x, err := NewTable("cochain")
	require.NoError(t, err)
	x.Benchmarks, x.Models = excerpts(t, "BZR"), []string{"cochain-small", "gin-tuned"}
	x.Seeds, x.Protocol, x.Out, x.Assemble = 1, epochs(1), t.TempDir(), true
	got, err := x.Run(t.Context(), backend, nil)
	require.NoError(t, err)
	require.Equal(t, 2, got.Missing)
	require.Equal(t, 81.48, got.Columns[0].Best().Mean)

	x.Assemble = false
	trained, err := x.Run(t.Context(), backend, nil)
	require.NoError(t, err)
	x.Assemble = true
	got, err = x.Run(t.Context(), backend, nil)
	require.NoError(t, err)
	require.Zero(t, got.Missing)
	require.Len(t, CompareFolds(got.Rows[0].Cells[0], got.Rows[1].Cells[0], LastEpoch).Differences, 5)
	require.Equal(t, trained.Columns, got.Columns)
	require.Equal(t, "accuracy", got.Columns[0].Metric)
}

// TestShippedComparison: what the notebook shows is whole, and follows from trainings on the published data.
func TestShippedComparison(t *testing.T) {
	r, err := ReadResults(shipped)
	require.NoError(t, err)
	x, err := NewTable("cochain")
	require.NoError(t, err)
	require.Equal(t, x.Seed, r.Seed)
	require.Zero(t, r.Missing)
	require.NotContains(t, r.Versions.NKF, "dirty", "made from a commit")
	require.Len(t, r.Columns, len(x.Benchmarks))
	require.Len(t, r.Rows, len(x.Models))
	past := make([]int, len(r.Rows)) // data sets of the paper on which a model beats its best
	for i, c := range r.Columns {
		b := x.Benchmarks[i]
		require.Equal(t, b.Name, c.Dataset)
		require.Equal(t, b.Published["nkf"].Mean, c.Published["nkf"].Mean)
		require.Len(t, c.Published, len(b.Published))
		for j, row := range r.Rows {
			require.Equal(t, x.Models[j], row.Model)
			cell := row.Cells[i]
			if c.Best() != nil && float64(cell.Mean) > c.Best().Mean {
				past[j]++
			}
			require.Len(t, cell.Folds, 5*max(1, cell.Seeds))
			files, err := published.Open(t.Context(), c.Dataset)
			require.NoError(t, err)
			require.Equal(t, files[0].SHA256, cell.DataSHA256)
			again := *cell
			again.summarize()
			// Sums in another order differ in the last digits.
			require.InDelta(t, float64(again.Mean), float64(cell.Mean), 1e-9)
			require.InDelta(t, float64(again.StdBest), float64(cell.StdBest), 1e-9)
			require.Equal(t, c.Seeds, cell.Seeds)
			m, err := models.Lookup(row.Model, b.Size)
			require.NoError(t, err)
			complexes := map[bool]int{true: 2 * models.Large, false: 400}[b.Name == "HIV"]
			epochs := m.Protocol(b.Protocol, models.Counts{All: complexes}, "").Epochs
			for _, f := range cell.Folds {
				require.Equal(t, epochs, f.Epochs, "%s on %s", cell.Model, c.Name)
			}
		}
	}
	require.Equal(t, []int{9, 8, 9}, past, "the notebook says so")
}

// TestDivergedRunsAreWritten: what is undefined or infinite is null in JSON, and
// undefined again when it is read.
func TestDivergedRunsAreWritten(t *testing.T) {
	nan := train.Score(math.NaN())
	infinite := train.Scores{Accuracy: train.Score(math.Inf(1))}
	r := &Result{Mean: nan, Std: nan, Folds: []train.Fit{{Last: infinite}}}
	text, err := json.Marshal(r)
	require.NoError(t, err)
	require.Contains(t, string(text), `"mean":null`)
	var read Result
	require.NoError(t, json.Unmarshal(text, &read))
	require.False(t, read.Mean.Defined())
	require.False(t, read.Folds[0].Last.Accuracy.Defined())

	c := Classification{Losses: []float64{1, math.NaN()}, TrainLoss: nan,
		Train: Embedding{Points: []float32{float32(math.Inf(-1)), 2}}}
	text, err = json.Marshal(c)
	require.NoError(t, err)
	var again Classification
	require.NoError(t, json.Unmarshal(text, &again))
	require.Equal(t, 1.0, again.Losses[0])
	require.True(t, math.IsNaN(again.Losses[1]))
	require.False(t, again.TrainLoss.Defined())
	require.Equal(t, float32(2), again.Train.Points[1])
}
