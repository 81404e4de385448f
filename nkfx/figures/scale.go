package figures

import (
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot/palette"
)

// Scale maps numbers to colors: linearly between Low and High, and to the color at the nearer end
// beyond.
type Scale struct {
	Low, High float64
	colors    []color.NRGBA // at equal distances
}

// Strength returns the scale of field strengths from 0 to high: ink that darkens.
func Strength(high float64) *Scale { return Tint(Ink, high) }

// Tint returns a scale from 0, pale, to high, the full color.
func Tint(c color.NRGBA, high float64) *Scale {
	return &Scale{0, positive(high), []color.NRGBA{mix(Faint, c, 0.15), c}}
}

// Signed returns the scale of signed numbers within ±bound: blue where negative, pale near zero, orange
// where positive.
func Signed(bound float64) *Scale {
	b := positive(bound)
	return &Scale{-b, b, []color.NRGBA{mix(Blue, Ink, 0.25), mix(Blue, White, 0.25), rgb(0xF4F4F2),
		mix(Vermilion, White, 0.25), mix(Vermilion, Ink, 0.25)}}
}

// Response returns the scale of signed numbers within ±bound: blue where negative, white at zero,
// orange where positive, light enough to write on.
func Response(bound float64) *Scale {
	b := positive(bound)
	return &Scale{-b, b, []color.NRGBA{mix(Blue, White, 0.15), mix(Blue, White, 0.6), White,
		mix(Vermilion, White, 0.6), mix(Vermilion, White, 0.15)}}
}

// positive returns x, or 1 where a scale of that length would be empty.
func positive(x float64) float64 {
	if x > 0 && !math.IsInf(x, 0) {
		return x
	}
	return 1
}

// At returns the color of a number, and grey for NaN.
func (s *Scale) At(v float64) color.NRGBA {
	if math.IsNaN(v) {
		return Grey
	}
	t := s.share(v) * float64(len(s.colors)-1)
	i := min(int(t), len(s.colors)-2)
	return mix(s.colors[i], s.colors[i+1], t-float64(i))
}

// share returns where v is between Low, 0, and High, 1.
func (s *Scale) share(v float64) float64 {
	return math.Max(0, math.Min(1, (v-s.Low)/(s.High-s.Low)))
}

// Colors returns the colors of 256 numbers from Low to High, as a palette of gonum/plot.
func (s *Scale) Colors() (out []color.Color) {
	for i := range 256 {
		out = append(out, s.At(s.Low+(s.High-s.Low)*float64(i)/255))
	}
	return out
}

// colorMap is a scale as plotter.ColorBar reads it; the other methods of a color map are not there.
type colorMap struct {
	palette.ColorMap
	*Scale
}

func (m colorMap) At(v float64) (color.Color, error) { return m.Scale.At(v), nil }
func (m colorMap) Min() float64                      { return m.Low }
func (m colorMap) Max() float64                      { return m.High }

// Typical returns the number that 19 of 20 of the absolute values do not exceed: a bound for scales
// that a few large values do not wash out.
func Typical[F float32 | float64](values []F) float64 {
	abs := make([]float64, 0, len(values))
	for _, v := range values {
		if !math.IsNaN(float64(v)) {
			abs = append(abs, math.Abs(float64(v)))
		}
	}
	if len(abs) == 0 {
		return 0
	}
	slices.Sort(abs)
	return abs[(len(abs)-1)*19/20]
}
