package figures

import (
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
)

// inked returns the first and the last column of pixels with ink in a text that begins at column 20.
func inked(s string, size vg.Length) (first, last int) {
	canvas := vgimg.NewWith(vgimg.UseWH(200, 40), vgimg.UseDPI(72), vgimg.UseBackgroundColor(White))
	write(draw.New(kerned{canvas}), s, vg.Point{X: 20, Y: 10}, size, text.XLeft, text.YBottom)
	first = -1
	img := canvas.Image()
	for x := range img.Bounds().Dx() {
		for y := range img.Bounds().Dy() {
			if r, _, _, _ := img.At(x, y).RGBA(); r < 0x8000 {
				if first < 0 {
					first = x
				}
				last = x
			}
		}
	}
	return first, last
}

// TestLettersStandWhereTheirFontPutsThem: a pair of letters ends where the metrics of the font say, also at
// the sizes of a figure, and words stay apart.
func TestLettersStandWhereTheirFontPutsThem(t *testing.T) {
	for _, size := range []vg.Length{textSize, titleSize, titleSize + 1, 30} {
		width := textStyle(size).Width
		for _, pair := range []string{"Te", "To", "AV", "Av", "11", "A t"} {
			last := string([]rune(pair)[len([]rune(pair))-1])
			_, alone := inked(last, size)
			_, end := inked(pair, size)
			want := float64(alone) + float64(width(pair)-width(last))
			require.InDelta(t, want, end, 1, "%q at %g: both are rounded to pixels", pair, size)
		}
	}
}
