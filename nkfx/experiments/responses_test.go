package experiments

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/moleculenet"
	"github.com/neuralkforms/nkf/datasets/tu"
	"github.com/neuralkforms/nkf/layers/backendtest"
	"github.com/neuralkforms/nkf/nkfx/internal/nkftest"
	"github.com/neuralkforms/nkf/nkfx/models"
)

// TestResponses: leaving out a bond is what the model says of the molecule without it, in log-odds of a class
// or in numbers.
func TestResponses(t *testing.T) {
	backend := backendtest.Get(t, "go")
	x := someMolecules("nkf")
	regression := must(nkftest.Molecules(datasets.Regression))
	for _, m := range []*moleculenet.Molecules{x.Data.(*moleculenet.Molecules), regression} {
		x.Data, x.Seeds = m, 1
		_, saved, err := x.Train(t.Context(), backend, nil)
		require.NoError(t, err)
		model := must(saved.On(backend))
		r := must(Responses(t.Context(), model, m, []int32{3}, 1))[0]
		require.Equal(t, m.SMILES[3], r.SMILES)
		pieces := must(withoutEach(must(model.Encoder.Encode(m)), 3))
		require.Equal(t, len(r.Bonds)+1, pieces.Len())
		p := must(model.Predict(t.Context(), pieces))
		said := func(i int) float64 { return float64(p[i].Outputs[1]) - float64(p[i].Outputs[0]) }
		if m.Regression {
			said = func(i int) float64 { return p[i].Values[m.Tasks[1]] }
			require.Equal(t, m.Tasks[1], r.Output)
			require.Empty(t, r.Label)
			require.Equal(t, said(0), r.Value)
		} else {
			require.Equal(t, "1", r.Output)
			require.Equal(t, m.Classes[int(m.Targets[3][0])], r.Label)
			require.InDelta(t, 1/(1+math.Exp(-said(0))), r.Value, 1e-6)
			other := must(Responses(t.Context(), model, m, []int32{3}, 0))
			require.InDelta(t, 1, other[0].Value+r.Value, 1e-9)
			require.InDelta(t, -r.Bonds[0], other[0].Bonds[0], 1e-6)
		}
		for b, response := range r.Bonds {
			require.Equal(t, len(r.Bonds)-1, pieces.Count(1, b+1))
			require.InDelta(t, said(0)-said(b+1), response, 1e-6)
		}
		_, err = Responses(t.Context(), model, m, []int32{3}, 2)
		require.ErrorContains(t, err, "output 2 of the model: there are 0 to 1")
		_, err = Responses(t.Context(), model, m, []int32{99}, 0)
		require.ErrorContains(t, err, "they are numbered 0 to")
		model.Encoder.Encoder = tu.NewEncoder()
		_, err = Responses(t.Context(), model, m, nil, 0)
		require.ErrorContains(t, err, "another kind of data")
	}
}

// TestSurest: right, most certain first, every scaffold once.
func TestSurest(t *testing.T) {
	text := "smiles,y\nc1ccccc1,a\nc1ccccc1C,a\nC1CC1,a\nC1CCC1,a\nCCO,b\nCC,a\n"
	m := must(moleculenet.Read(strings.NewReader(text), "some.csv",
		moleculenet.Columns{SMILES: "smiles", Labels: []string{"y"}}))
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
