package experiments

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/nkfx/train"
)

// shipped is the comparison that the notebook shows.
const shipped = "../../notebooks/cochain-networks.json"

// TestShippedComparison: what the notebook shows is whole, and follows from trainings on the published data.
func TestShippedComparison(t *testing.T) {
	r, err := ReadCochainResults(shipped)
	require.NoError(t, err)
	x := NewCochainTable()
	require.Equal(t, x.Models, r.Models)
	require.Equal(t, x.Seed, r.Seed)
	require.Positive(t, r.Seeds)
	require.Zero(t, r.Missing)
	require.NotContains(t, r.Versions.NKF, "dirty", "made from a commit")
	require.Len(t, r.Rows, len(CochainDatasets))
	published := train.Published(16)
	past := make([]int, len(r.Models)) // data sets of the paper on which a model beats its best
	for i, row := range r.Rows {
		require.Equal(t, CochainDatasets[i], row.Dataset)
		require.Equal(t, Paper("nkf", row.Dataset), row.PaperNKF)
		require.Equal(t, paperBest(row.Dataset), row.PaperBest)
		for j, cell := range row.Cells {
			if row.PaperBest != nil && float64(cell.Mean) > row.PaperBest.Mean {
				past[j]++
			}
			require.Len(t, cell.Folds, 5*max(1, cell.Seeds))
			for _, f := range cell.Folds {
				complexes := 400
				if row.Dataset == "HIV" {
					complexes = 2 * large
				}
				p := cochainProtocol(cell.Model, published, published, complexes, train.ByLoss)
				require.Equal(t, p.Epochs, f.Epochs, "%s on %s", cell.Model, row.Dataset)
			}
		}
	}
	require.Equal(t, []int{9, 8, 9}, past, "the notebook says so")
}

// TestReadCochainResults: a file in which something was changed is refused.
func TestReadCochainResults(t *testing.T) {
	for want, spoil := range map[string]func(*CochainResults){
		"where it says":   func(r *CochainResults) { r.Rows[0].Cells[0].MeanBest++ },
		"its trainings":   func(r *CochainResults) { r.Rows[1].Cells[2].Folds[3].Test += 0.1 },
		"trained on data": func(r *CochainResults) { r.Rows[2].Cells[1].DataSHA256 = "00" },
		"should":          func(r *CochainResults) { r.Rows[3].Cells[0].Model = "gin" },
		"cells for":       func(r *CochainResults) { r.Models = r.Models[1:] },
		"no data set": func(r *CochainResults) {
			r.Rows[0].Dataset, r.Rows[0].Cells[0].Dataset = "X", "X"
		},
	} {
		r, err := ReadCochainResults(shipped)
		require.NoError(t, err)
		spoil(r)
		text, err := json.Marshal(r)
		require.NoError(t, err)
		path := filepath.Join(t.TempDir(), "cochain.json")
		require.NoError(t, os.WriteFile(path, text, 0o666))
		_, err = ReadCochainResults(path)
		require.ErrorContains(t, err, want)
	}
	// Pairs are computed, not believed.
	r, err := ReadCochainResults(shipped)
	require.NoError(t, err)
	mean := r.Rows[0].Pairs.Mean
	r.Rows[0].Pairs.Mean, r.Rows[1].Cells[0] = 99, nil
	text, err := json.Marshal(r)
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "cochain.json")
	require.NoError(t, os.WriteFile(path, text, 0o666))
	r, err = ReadCochainResults(path)
	require.NoError(t, err)
	require.Equal(t, mean, r.Rows[0].Pairs.Mean)
	require.Nil(t, r.Rows[1].Pairs)
	require.Equal(t, 1, r.Missing)

	require.NoError(t, os.WriteFile(path, []byte("[]"), 0o666))
	_, err = ReadCochainResults(path)
	require.ErrorContains(t, err, "is no comparison")
	_, err = ReadCochainResults("none.json")
	require.ErrorIs(t, err, os.ErrNotExist)
}
