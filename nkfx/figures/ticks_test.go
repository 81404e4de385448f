package figures

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
)

// TestTicks: labels stand at multiples of 1, 2 or 5 times a power of ten, with true minus signs and powers
// of ten as powers; axes of counts have theirs.
func TestTicks(t *testing.T) {
	labels := func(ticker plot.Ticker, low, high float64) (out []string) {
		for _, tick := range ticker.Ticks(low, high) {
			if !tick.IsMinor() {
				out = append(out, tick.Label)
			}
		}
		return out
	}
	require.Equal(t, []string{"−4", "−2", "0", "2", "4"}, labels(ticks{}, -4.5, 4.5))
	require.Equal(t, []string{"−0.5", "0.0", "0.5", "1.0", "1.5"}, labels(ticks{}, -0.5, 1.7))
	require.Equal(t, []string{"0.10", "0.15", "0.20", "0.25", "0.30"}, labels(ticks{}, 0.1, 0.3),
		"the ends, whatever the rounding")
	require.Equal(t, []string{"0", "10", "20", "30"}, labels(ticks{}, 0, 35))
	require.Equal(t, []string{"1·10⁹", "2·10⁹", "3·10⁹", "4·10⁹", "5·10⁹"}, labels(ticks{}, 8e8, 5.2e9))
	require.Equal(t, []string{"0", "0.5·10⁻⁴", "1.0·10⁻⁴", "1.5·10⁻⁴"}, labels(ticks{}, 0, 1.6e-4))
	require.Equal(t, []string{"10⁻⁷", "10⁻⁶", "10⁻⁵", "10⁻⁴"}, labels(powers{}, 2e-8, 3e-4))
	require.Equal(t, []string{"0.01", "0.1", "1"}, labels(powers{}, 0.008, 3))
	require.Equal(t, []string{"2·10⁻⁵", "3·10⁻⁵", "4·10⁻⁵"}, labels(powers{}, 1.5e-5, 4.5e-5),
		"less than a decade")
	require.Equal(t, []string{"0.2", "0.4", "0.6", "0.8"}, labels(powers{}, 0.15, 0.9), "no power of ten")
	require.Empty(t, labels(ticks{}, 1, 1))
	require.Empty(t, labels(ticks{}, math.NaN(), 1))
	require.Equal(t, []string{"2K", "4K", "6K", "8K", "10K", "12K"}, labels(counts{}, 1500, 12000))
	require.Equal(t, []string{"3K", "3.5K", "4K", "4.5K"}, labels(counts{}, 2800, 4900))
	require.Equal(t, []string{"1K", "10K", "100K", "1M", "10M"}, labels(counts{}, 8000, 1.2e6), "and beyond")
	require.NotPanics(t, func() { labels(ticks{}, 1, math.Nextafter(1, 2)) })
	for _, length := range []float64{1e-12, 0.3, 1, 4.99, 5, 5.01, 17, 1e9} {
		count := len(labels(ticks{}, 0, length))
		require.GreaterOrEqual(t, count, 3, length)
		require.LessOrEqual(t, count, 6, length)
	}
}

// TestScripts: scripts are runs of digits, and a text with them is as wide as what is drawn.
func TestScripts(t *testing.T) {
	want := []run{{"∫ω", 1, 0}, {"12", scriptSize, lower}, {" < 10", 1, 0}, {"−5", scriptSize, raise}}
	require.Equal(t, want, runs("∫ω₁₂ < 10⁻⁵"))
	require.Equal(t, []run{{"dx", 1, 0}, {"Λ", scriptSize, 0}, {"dy", 1, 0}}, runs("dx∧dy"), "of the font")
	for _, s := range []string{"ω₁", "10⁻⁵", "1·10⁹"} {
		end := inked(s, 30)
		require.InDelta(t, 20+float64(textStyle(30).Width(s)), end, 3, "%q: the last letter has a margin", s)
	}
}

// inked returns the last column of pixels with ink in a text that begins at column 20.
func inked(s string, size vg.Length) (last int) {
	canvas := vgimg.NewWith(vgimg.UseWH(200, 40), vgimg.UseDPI(72), vgimg.UseBackgroundColor(White))
	write(draw.New(kerned{canvas}), s, vg.Point{X: 20, Y: 10}, size, text.XLeft, text.YBottom)
	img := canvas.Image()
	for x := range img.Bounds().Dx() {
		for y := range img.Bounds().Dy() {
			if r, _, _, _ := img.At(x, y).RGBA(); r < 0x8000 {
				last = x
			}
		}
	}
	return last
}

// TestLettersStandWhereTheirFontPutsThem: a pair of letters ends where the metrics of the font say, also at
// the sizes of a figure, and words stay apart.
func TestLettersStandWhereTheirFontPutsThem(t *testing.T) {
	for _, size := range []vg.Length{textSize, titleSize, titleSize + 1, 30} {
		width := textStyle(size).Width
		for _, pair := range []string{"Te", "To", "AV", "Av", "11", "A t"} {
			last := string([]rune(pair)[len([]rune(pair))-1])
			alone, end := inked(last, size), inked(pair, size)
			want := float64(alone) + float64(width(pair)-width(last))
			require.InDelta(t, want, end, 1, "%q at %g: both are rounded to pixels", pair, size)
		}
	}
}
