package figures

import (
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/palette"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
)

// The palette of Okabe and Ito (Color Universal Design, 2008), which people with any kind of color
// vision can tell apart, by its authors' names. It has no red: Vermilion, which stands in its place, is
// a dark orange.
var (
	Green     = rgb(0x009E73)
	Vermilion = rgb(0xD55E00)
	Blue      = rgb(0x0072B2)
	Orange    = rgb(0xE69F00)
	Purple    = rgb(0xCC79A7)
	SkyBlue   = rgb(0x56B4E9)
	Olive     = rgb(0x8A7F00) // in place of their yellow, which is lost on white
)

// Neutral colors.
var (
	Ink   = rgb(0x1B1F24) // text, and what is strong
	Gray  = rgb(0x6E7781) // axes, and what is secondary
	Faint = rgb(0xD9DEE4) // grids, and what is weak
	White = rgb(0xFFFFFF) // the card that a figure stands on
)

// classes are the colors of classes in turn: green, orange and blue, near those of the paper, and then
// the rest of the palette.
var classes = []color.NRGBA{Green, Vermilion, Blue, Orange, Purple, SkyBlue, Olive, Ink}

// Class returns the color of class c, the same in every figure. Colors repeat after eight.
func Class(c int) color.NRGBA {
	n := len(classes)
	return classes[(c%n+n)%n]
}

// rgb returns the opaque color 0xRRGGBB.
func rgb(hex uint32) color.NRGBA {
	return color.NRGBA{R: uint8(hex >> 16), G: uint8(hex >> 8), B: uint8(hex), A: 255}
}

// alpha returns the color with an opacity in [0, 1].
func alpha(c color.NRGBA, opacity float64) color.NRGBA {
	c.A = uint8(opacity*255 + 0.5)
	return c
}

// mix returns the color between a, at t = 0, and b, at t = 1.
func mix(a, b color.NRGBA, t float64) color.NRGBA {
	at := func(a, b uint8) uint8 { return uint8(float64(a) + t*(float64(b)-float64(a)) + 0.5) }
	return color.NRGBA{R: at(a.R, b.R), G: at(a.G, b.G), B: at(a.B, b.B), A: at(a.A, b.A)}
}

// Sizes in a figure, chosen to read at the width of a notebook.
const (
	textSize  = vg.Length(10)
	titleSize = vg.Length(11)
	lineWidth = vg.Length(1)
	gap       = vg.Length(10)  // around and between panels
	panelSide = vg.Length(228) // 304 pixels of a page
)

// textStyle returns the style of text of a size.
func textStyle(size vg.Length) text.Style {
	return text.Style{
		Color: Ink, Font: font.Font{Typeface: "Liberation", Variant: "Sans", Size: size},
		Handler: scripts{plot.DefaultTextHandler},
	}
}

// Scale maps numbers to colors: linearly between Low and High, and to the color at the nearer end
// beyond.
type Scale struct {
	Low, High float64
	colors    []color.NRGBA // at equal distances
}

// Strength returns the scale of field strengths from 0 to high, in violet, which no class has; even the
// weakest are visible on white.
func Strength(high float64) *Scale {
	return &Scale{0, positive(high), []color.NRGBA{rgb(0xB99BD6), rgb(0x7E57B0), rgb(0x2E0854)}}
}

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

// scaled returns a scale; without one, that of values from the least, pale, to the greatest, the full color.
func scaled(s *Scale, values []float64) *Scale {
	if s != nil {
		return s
	}
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			low, high = min(low, v), max(high, v)
		}
	}
	if s = Tint(SkyBlue, high-low); low <= high {
		s.Low, s.High = low, low+s.High
	}
	return s
}

// positive returns x, or 1 where a scale of that length would be empty.
func positive(x float64) float64 {
	if x > 0 && !math.IsInf(x, 0) {
		return x
	}
	return 1
}

// At returns the color of a number, and gray for NaN.
func (s *Scale) At(v float64) color.NRGBA {
	if math.IsNaN(v) {
		return Gray
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

// Typical returns the 95th percentile of the absolute values: a bound for scales that is insensitive to a few
// large values.
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

// modelStyle is how a model is shown: its name, as the paper writes it if it has one, and its color in every
// figure.
type modelStyle struct {
	name  string
	color color.NRGBA
}

// modelStyles are those of all models.
var modelStyles = map[string]modelStyle{
	"egnn": {"EGNN", Purple}, "gat": {"GAT", Orange}, "gcn": {"GCN", Blue}, "gin": {"GIN", Green},
	"nkf": {"NkF", Vermilion}, "nkf-text": {"NkF, text", rgb(0x7A3B0C)}, // a darker vermilion
	"cochain": {"Cochain", Ink}, "cochain-forms": {"Cochain, forms", Olive},
	"cochain-small": {"Cochain, small", Gray}, "gin-tuned": {"GIN, tuned", SkyBlue},
	"path": {"Path", Vermilion}, "path-constant": {"Path, constant forms", Purple},
	"path-differences": {"Path, no integrals", Gray}, "cnn": {"CNN", Blue},
}
