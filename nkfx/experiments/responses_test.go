package experiments

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/gomlx/compute"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/stat"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/moleculenet"
	"github.com/neuralkforms/nkf/datasets/smiles"
	"github.com/neuralkforms/nkf/datasets/tu"
	"github.com/neuralkforms/nkf/layers/backendtest"
	"github.com/neuralkforms/nkf/nkfx/models"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// counted are 150 chains of small groups with the number of their atoms as target.
func counted(t *testing.T) (Run, *moleculenet.Molecules) {
	t.Helper()
	groups := []string{"C", "CC", "O", "N", "C(C)", "C(=O)", "c1ccccc1", "C1CC1"}
	var text strings.Builder
	text.WriteString("smiles,atoms\n")
	random := datasets.NewRandom(1)
	for i := range 150 {
		chain := "C"
		for range 1 + i%9 {
			chain += groups[random.Permutation(len(groups))[0]]
		}
		m, err := smiles.Parse(chain)
		require.NoError(t, err)
		fmt.Fprintf(&text, "%s,%d\n", chain, len(m.Atoms))
	}
	m, err := moleculenet.Read(strings.NewReader(text.String()), "counted.csv",
		moleculenet.Columns{SMILES: "smiles", Labels: []string{"atoms"}, Task: datasets.Regression})
	require.NoError(t, err)
	x := NewRun(Own("molecules"), "nkf")
	x.Data = m
	x.Folds, x.Workers, x.Protocol = 2, 1, func(p *train.Protocol) { p.Batch = 8 }
	return x, m
}

// deviation returns the standard deviation of the targets.
func deviation(m *moleculenet.Molecules) float64 {
	return stat.PopStdDev(slices.Concat(m.Targets...), nil)
}

// TestRegression: forms learn to count atoms, from the molecules of a fold, far
// better than the mean does: the error is less than half of the deviation.
func TestRegression(t *testing.T) {
	backendtest.Each(t, testRegression)
}

func testRegression(t *testing.T, backend compute.Backend) {
	x, m := counted(t)
	x.Split = "fold0"
	x.Protocol = func(p *train.Protocol) { p.Batch, p.Epochs, p.Rate = 8, 60, 1e-2 }
	r, saved, err := x.Train(t.Context(), backend, nil)
	require.NoError(t, err)
	model, err := saved.On(backend)
	require.NoError(t, err)
	require.Equal(t, "rmse", r.Metric)
	require.Less(t, r.Mean, deviation(m)/2)
	require.Equal(t, []string{"atoms"}, model.Tasks)
	require.True(t, model.Regression)
	all, err := model.Predict(t.Context(), m)
	require.NoError(t, err)
	sum := 0.0
	for g, p := range all {
		require.Empty(t, p.Class)
		d := p.Values["atoms"] - m.Targets[g][0]
		sum += d * d / float64(len(all))
	}
	require.Less(t, math.Sqrt(sum), deviation(m)/2, "after saving, in the units of the file")

	// A bond adds about an atom.
	responses, err := Responses(t.Context(), model, m, []int32{0, 7}, 0)
	require.NoError(t, err)
	for i, g := range []int{0, 7} {
		require.Len(t, responses[i].Bonds, len(m.Graphs[g].Bonds))
		require.InDelta(t, all[g].Values["atoms"], responses[i].Value, 1e-3)
		require.Equal(t, "atoms", responses[i].Output)
		require.Empty(t, responses[i].Label)
		require.InDelta(t, 1, stat.Mean(responses[i].Bonds, nil), 0.6)
	}
}

// TestResponses: leaving out a bond is what the model says of the molecule
// without it.
func TestResponses(t *testing.T) {
	backend := backendtest.Get(t, "go")
	x := someMolecules(t, "nkf")
	m := x.Data.(*moleculenet.Molecules)
	x.Seeds = 1
	_, saved, err := x.Train(t.Context(), backend, nil)
	require.NoError(t, err)
	model, err := saved.On(backend)
	require.NoError(t, err)
	responses, err := Responses(t.Context(), model, m, []int32{3}, 1)
	require.NoError(t, err)
	r := responses[0]
	require.Equal(t, m.SMILES[3], r.SMILES)
	require.Equal(t, "1", r.Output)
	require.Equal(t, m.Classes[int(m.Targets[3][0])], r.Label)

	data, err := model.Encoder.Encode(m)
	require.NoError(t, err)
	pieces, err := withoutEach(data, 3)
	require.NoError(t, err)
	require.Equal(t, len(r.Bonds)+1, pieces.Len())
	p, err := model.Predict(t.Context(), pieces)
	require.NoError(t, err)
	logit := func(i int) float64 { return float64(p[i].Outputs[1]) - float64(p[i].Outputs[0]) }
	for b, response := range r.Bonds {
		require.Equal(t, len(r.Bonds)-1, pieces.Count(1, b+1))
		require.InDelta(t, logit(0)-logit(b+1), response, 1e-6)
	}
	require.InDelta(t, 1/(1+math.Exp(-logit(0))), r.Value, 1e-6)
	other, err := Responses(t.Context(), model, m, []int32{3}, 0)
	require.NoError(t, err)
	require.InDelta(t, 1, other[0].Value+r.Value, 1e-9)
	require.InDelta(t, -r.Bonds[0], other[0].Bonds[0], 1e-6)

	_, err = Responses(t.Context(), model, m, []int32{3}, 2)
	require.ErrorContains(t, err, "output 2 of the model: there are 0 to 1")
	_, err = Responses(t.Context(), model, m, []int32{99}, 0)
	require.ErrorContains(t, err, "molecule 99 of BBBP: they are numbered 0 to 68")
	model.Encoder.Encoder = tu.NewEncoder()
	_, err = Responses(t.Context(), model, m, nil, 0)
	require.ErrorContains(t, err, "another kind of data")
}

// TestSurest: right, most certain first, every scaffold once.
func TestSurest(t *testing.T) {
	text := "smiles,y\nc1ccccc1,a\nc1ccccc1C,a\nC1CC1,a\nC1CCC1,a\nCCO,b\nCC,a\n"
	m, err := moleculenet.Read(strings.NewReader(text), "some.csv",
		moleculenet.Columns{SMILES: "smiles", Labels: []string{"y"}})
	require.NoError(t, err)
	model := &models.Saved{Classes: []string{"a", "b"}}
	var predictions []models.Prediction
	for _, p := range []float64{0.6, 0.9, 0.7, 0.4, 0.2, 0.7} {
		class := map[bool]string{true: "a", false: "b"}[p > 0.5]
		predictions = append(predictions, models.Prediction{
			Class: class, Probabilities: []float64{p, 1 - p},
		})
	}
	require.Equal(t, []int32{1, 2, 5}, Surest(model, m, predictions, "a", 4))
	require.Equal(t, []int32{1}, Surest(model, m, predictions, "a", 1))
	require.Equal(t, []int32{4}, Surest(model, m, predictions, "b", 4))
	require.Empty(t, Surest(model, m, predictions, "c", 4))
}
