package figures

import (
	"bytes"
	"image"
	"image/png"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
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

	// Against its form an edge has the other color.
	shades := func(x ...float64) image.Image {
		data, err := Pairing("", c, fields, x).PNG()
		require.NoError(t, err)
		img, err := png.Decode(bytes.NewReader(data))
		require.NoError(t, err)
		return img
	}
	require.NotEqual(t, shades(1, 0, 0, 1), shades(-1, 0, 0, 1))
}
