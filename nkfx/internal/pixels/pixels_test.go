package pixels

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"testing"

	"github.com/stretchr/testify/require"
)

// picture is white but for the pixels that are given.
func picture(t *testing.T, side int, pixels map[image.Point]color.NRGBA) []byte {
	t.Helper()
	img := image.NewNRGBA(image.Rect(0, 0, side, side))
	for i := range img.Pix {
		img.Pix[i] = 255
	}
	for p, c := range pixels {
		img.SetNRGBA(p.X, p.Y, c)
	}
	var out bytes.Buffer
	require.NoError(t, png.Encode(&out, img))
	return out.Bytes()
}

func TestDifference(t *testing.T) {
	green, gray := color.NRGBA{G: 200, A: 255}, color.NRGBA{R: 230, G: 230, B: 230, A: 255}
	a := picture(t, 10, map[image.Point]color.NRGBA{
		{X: 1, Y: 1}: green, {X: 2, Y: 2}: green, {X: 3, Y: 3}: gray,
	})
	for _, test := range []struct {
		b           []byte
		all, colors float64
	}{
		{a, 0, 0},
		{picture(t, 10, nil), 0.02, 1}, // gray is within 1/8 of white
		{picture(t, 10, map[image.Point]color.NRGBA{{X: 1, Y: 1}: green}), 0.01, 0.5},
		{picture(t, 9, nil), 1, 1},
	} {
		share, err := Difference(a, test.b, nil)
		require.NoError(t, err)
		require.InDelta(t, test.all, share, 1e-12)
		share, err = Difference(a, test.b, Colored)
		require.NoError(t, err)
		require.InDelta(t, test.colors, share, 1e-12)
	}
	_, err := Difference(a, []byte("no picture"), nil)
	require.Error(t, err)
	_, err = Difference(nil, a, nil)
	require.Error(t, err)
}
