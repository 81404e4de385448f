package figures

import (
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/plot/plotter"

	"github.com/neuralkforms/nkf/nkfx/experiments"
)

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
