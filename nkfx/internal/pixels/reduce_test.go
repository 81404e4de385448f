package pixels

import (
	"image"
	"image/color"
	"testing"

	"github.com/stretchr/testify/require"
)

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
		reduced := Reduce(c.image, 240)
		require.LessOrEqual(t, len(reduced.Palette), 240)
		require.Equal(t, c.image.Bounds(), reduced.Bounds())
		for i := range 60 * 60 {
			want := c.image.NRGBAAt(i%60, i/60)
			got := color.NRGBAModel.Convert(reduced.At(i%60, i/60)).(color.NRGBA)
			require.InDelta(t, want.R, got.R, c.off)
			require.InDelta(t, want.G, got.G, c.off)
		}
	}
	// A drawing on nothing stays on nothing.
	few.Set(3, 4, color.NRGBA{0, 0, 255, 10})
	few.Set(3, 5, color.NRGBA{0, 0, 255, 128})
	reduced := Reduce(few, 240)
	require.Equal(t, color.NRGBA{}, reduced.At(3, 4))
	require.Equal(t, color.NRGBA{127, 127, 255, 255}, reduced.At(3, 5))
	require.Equal(t, few.At(8, 8), reduced.At(8, 8))
}
