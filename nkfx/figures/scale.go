package figures

import (
	"image/color"
	"math"
	"slices"
)

// Scale maps numbers to colours: linearly between Low and High, and to the
// colour at the nearer end beyond.
type Scale struct {
	Low, High float64
	colors    []color.NRGBA // at equal distances
}

// Strength returns the scale of field strengths from 0 to high: ink that
// darkens.
func Strength(high float64) *Scale { return Tint(Ink, high) }

// Tint returns a scale from 0, pale, to high, the full colour.
func Tint(c color.NRGBA, high float64) *Scale {
	return &Scale{0, positive(high), []color.NRGBA{mix(Faint, c, 0.15), c}}
}

// Signed returns the scale of signed numbers within ±bound: blue where
// negative, pale near zero, orange where positive.
func Signed(bound float64) *Scale {
	b := positive(bound)
	return &Scale{-b, b, []color.NRGBA{mix(Blue, Ink, 0.25), mix(Blue, White, 0.25), rgb(0xF4F4F2),
		mix(Vermilion, White, 0.25), mix(Vermilion, Ink, 0.25)}}
}

// positive returns x, or 1 where a scale of that length would be empty.
func positive(x float64) float64 {
	if x > 0 && !math.IsInf(x, 0) {
		return x
	}
	return 1
}

// At returns the colour of a number; what is no number is grey.
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

// Typical returns the number that 19 of 20 of the absolute values do not
// exceed: a bound for scales which a few large values do not wash out.
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
