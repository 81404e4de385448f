package figures

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/nkfx/experiments"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// TestEigenvectorFields: what is drawn are the coefficients themselves, where there are triangles, with the
// error of each form; set-ups take turns.
func TestEigenvectorFields(t *testing.T) {
	result := func(scale float32, err train.Score) *experiments.EigenvectorsResult {
		r := &experiments.EigenvectorsResult{
			Points: []float64{0, 0, 2, 0, 0, 2, -1, -1}, Triangles: []int32{0, 2, 1},
			Values: []float64{0, 0.25}, Parts: []string{"harmonic", "curl"},
			Error: err, Errors: []float64{float64(err), 2 * float64(err)},
			Field: experiments.Field{Low: -1, High: 1, Side: 3},
		}
		for i := range 9 * 2 * 2 {
			r.Field.Values = append(r.Field.Values, scale*float32(i))
		}
		return r
	}
	f := EigenvectorFields([]string{"published", "ours"}, result(1, 0.25), result(2, 0.125))
	require.Equal(t, "1-forms fitted to eigenvectors; relative error 25.0 % published, 12.5 % ours", f.Title)
	var titles []string
	for _, p := range f.Panels {
		titles = append(titles, p.Title.Text)
	}
	require.Equal(t, []string{
		"λ₁ = 0.000, published: 25.0 %", "ours: 12.5 %", "λ₂ = 0.250, published: 50.0 %", "ours: 25.0 %",
	}, titles)
	// Of the nine places four are in the triangle, edges included: numbers 4, 5, 7 and 8.
	first, second := f.Panels[0].Layers[1].(*Arrows), f.Panels[3].Layers[1].(*Arrows)
	require.Equal(t, []float64{0, 0, 1, 0, 0, 1, 1, 1}, first.Points)
	require.Equal(t, []float64{16, 18, 20, 22, 28, 30, 32, 34}, first.Vectors)
	require.Equal(t, []float64{34, 38, 42, 46, 58, 62, 66, 70}, second.Vectors)
	require.Equal(t, first.Scale.High, second.Scale.High, "one scale for all")

	alone := EigenvectorFields(nil, result(1, 0.25))
	require.Equal(t, "λ₂ = 0.250: 50.0 %", alone.Panels[1].Title.Text)
	require.Empty(t, EigenvectorFields(nil).Panels)
}
