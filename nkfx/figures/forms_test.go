package figures

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/plot/plotter"

	"github.com/neuralkforms/nkf/nkfx/experiments"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// TestPairing: every integral stands beside its edge, under its form, and in its cell, with its sign.
func TestPairing(t *testing.T) {
	c := &Complex{Points: []float64{0, 0, 1, 0, 0, 1}, Edges: []int32{0, 1, 0, 2}}
	fields := FieldsOf([]float64{0, 0, 1, 1}, []float64{1, 0, 0, -1, 1, 0, 0, -1}, 2, 0.4) // dx and -dy
	x := []float64{1.5, 0, 0, -1}
	f := Pairing("two forms, two edges", c, fields, x)
	require.Len(t, f.Panels, 4)
	require.False(t, c.Heads || c.Numbered, "the caller's complex is left as it is")
	require.Equal(t, []float64{1.5, 0}, f.Panels[1].Layers[1].(*Complex).values)
	require.Equal(t, []float64{0, -1}, f.Panels[2].Layers[1].(*Complex).values)
	scale := f.Panels[1].Layers[1].(*Complex).scale
	require.Equal(t, scale, f.Bars[0].Scale)
	require.Equal(t, scale, f.Panels[3].Layers[0].(*Heat).Scale, "one color for one integral")
	svg, err := f.SVG()
	require.NoError(t, err)
	for text, times := range map[string]int{">+1.5<": 2, ">+0.0<": 4, ">−1.0<": 2} {
		// Ticks have numbers of their own.
		require.GreaterOrEqual(t, strings.Count(string(svg), text), times, text)
	}
}

// TestLengths: data of other lengths than their figure has panic with a sentence that counts them.
func TestLengths(t *testing.T) {
	c := &Complex{Points: []float64{0, 0, 1, 0, 0, 1}, Edges: []int32{0, 1, 0, 2}}
	for want, draw := range map[string]func(){
		"FieldsOf: coordinates of points: 3, want 2": func() { FieldsOf(make([]float64, 3), c.Points, 2, 1) },
		"FieldsOf: coefficients: 3, want 4":          func() { FieldsOf(c.Points[:2], c.Points[:3], 2, 1) },
		"MatrixPanel: entries: 5, want 4":            func() { IntegrationMatrix("", 2, c.Points[:5]) },
		"Pairing: entries: 0, want 2":                func() { Pairing("", c, make([]*Arrows, 1), nil) },
		"Losses: names: 2, want 1":                   func() { Losses("", []string{"a", "b"}, c.Points) },
	} {
		require.PanicsWithValue(t, "figures."+want, draw)
	}
}

// TestCochainLevels draws what there is of two levels.
func TestCochainLevels(t *testing.T) {
	levels := []experiments.CochainLevel{
		{
			Integrals: []float64{0.1, 2, 0.2, -1},
			Messages:  []float64{-0.1, -2, -0.1, 3, 0.2, -1}, Share: 0.9,
		},
		{Integrals: []float64{3, 0, 1, 0}, Share: 0.8},
	}
	for i := range levels {
		l := &levels[i]
		l.Points, l.Edges, l.Forms = []float64{0, 0, 1, 0, 1, 1}, []int32{0, 1, 1, 2}, 2
		l.Field = experiments.Field{Low: -1, High: 2, Side: 2, Values: make([]float32, 16)}
	}
	require.Equal(t, []int{1, 0}, []int{levels[0].Largest(), levels[1].Largest()})
	f := CochainLevels("levels", nil, levels)
	require.Len(t, f.Panels, 2)
	require.Equal(t, 4, CochainLevels("many", nil, slices.Repeat(levels, 3)).Columns, "of six at most")
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
