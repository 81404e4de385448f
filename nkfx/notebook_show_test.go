package nkfx

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// What a slider redraws is part of one page.
func TestMarkup(t *testing.T) {
	for _, c := range []struct {
		item any
		want string
	}{
		{drawing{}, `<svg role="img" aria-label="" style="max-width:100%;height:auto;` +
			`border:1px solid #d9dee4;border-radius:8px" ` +
			`height="1pt" width="72.5pt"></svg>`},
		{grid{}, "<table></table>"},
		{"a < b", "a &lt; b"},
	} {
		got, err := markup(c.item)
		require.NoError(t, err)
		require.Equal(t, c.want, got)
	}
	_, err := markup(7)
	require.ErrorContains(t, err, "no way to show a int")
}

// A drawing of few colors stays what it is; one of many comes within the width of a shade, 8 of
// 256.
func TestReduce(t *testing.T) {
	few := image.NewNRGBA(image.Rect(0, 0, 60, 60))
	many := image.NewNRGBA(image.Rect(0, 0, 256, 256))
	for i := range 60 * 60 {
		few.Set(i%60, i/60, color.NRGBA{uint8(i % 7 * 40), uint8(i / 60 % 5 * 50), 0, 255})
	}
	for i := range 256 * 256 {
		many.Set(i%256, i/256, color.NRGBA{uint8(i % 256), uint8(i % 256), 0, 255})
	}
	for _, c := range []struct {
		image *image.NRGBA
		off   float64
	}{{few, 0}, {many, 8}} {
		reduced := reduce(c.image, 240)
		require.LessOrEqual(t, len(reduced.Palette), 240)
		require.Equal(t, c.image.Bounds(), reduced.Bounds())
		for i := range 60 * 60 {
			want := c.image.NRGBAAt(i%60, i/60)
			got := color.NRGBAModel.Convert(reduced.At(i%60, i/60)).(color.NRGBA)
			require.InDelta(t, want.R, got.R, c.off)
			require.InDelta(t, want.G, got.G, c.off)
		}
	}
}

// A card has a fine edge, and corners through which one sees what is behind it.
func TestCard(t *testing.T) {
	_, err := card([]byte("no image"), 0)
	require.ErrorContains(t, err, "the image of a figure")

	figure := image.NewNRGBA(image.Rect(0, 0, 300, 150))
	for i := range figure.Pix {
		figure.Pix[i] = 255
	}
	var full bytes.Buffer
	require.NoError(t, png.Encode(&full, figure))
	data, err := card(full.Bytes(), 200) // 1.5 pixels of the image for one of the screen
	require.NoError(t, err)
	require.Less(t, len(data), 1000)
	got, err := png.Decode(bytes.NewReader(data))
	require.NoError(t, err)
	at := func(x, y int) color.NRGBA { return color.NRGBAModel.Convert(got.At(x, y)).(color.NRGBA) }
	edge, white := color.NRGBA{0xd9, 0xde, 0xe4, 255}, color.NRGBA{255, 255, 255, 255}
	half := false
	for y := range 150 {
		for x := range 300 {
			for _, other := range []color.NRGBA{at(299-x, y), at(x, 149-y)} {
				require.Equal(t, at(x, y), other, "all corners are alike")
			}
			// The circle of radius 12 about (12, 12), of which a pixel has a diagonal of 1.5.
			dx, dy := 12-float64(x)-0.5, 12-float64(y)-0.5
			if r := math.Hypot(max(dx, 0), max(dy, 0)); x < 12 && y < 12 && r > 12.75 {
				require.Zero(t, at(x, y).A, "%d %d", x, y)
			} else if x < 12 && y < 12 && r > 11.25 {
				half = half || at(x, y).A > 50 && at(x, y).A < 200
			} else if x >= 3 && x < 150 && y >= 3 && y < 75 && r < 9 {
				require.Equal(t, white, at(x, y))
			}
		}
	}
	require.True(t, half, "the edge of a corner is soft")
	require.Equal(t, edge, at(150, 0))
	require.Equal(t, edge, at(0, 75))
}
