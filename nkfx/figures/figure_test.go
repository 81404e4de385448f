package figures

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"image/color"
	"io"
	"math"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
)

// broken is a layer with a fault.
type broken struct{}

func (broken) Plot(draw.Canvas, *plot.Plot) { panic("of no use") }

func TestPanicsOfLayersAreErrors(t *testing.T) {
	f := Arrange("bad", 1, NewPanel("", &broken{}))
	_, err := f.SVG()
	require.ErrorContains(t, err, `figure "bad": of no use`)
	_, err = f.PNG()
	require.ErrorContains(t, err, "of no use")
	for _, name := range []string{"x.svg", "x.png"} {
		path := filepath.Join(t.TempDir(), name)
		require.Error(t, f.Save(path))
		require.NoFileExists(t, path)
	}
}

// TestNoNumbers: a coordinate that is no number left an empty panel without a word, and the name of a loop
// had such coordinates in the SVG.
func TestNoNumbers(t *testing.T) {
	nan := []float64{0, 1, 1, math.NaN(), 2, 1}
	for _, layer := range []plot.Plotter{
		Curve(nan, Ink), Points(nan, 2, nil), &Routes{Paths: [][]float64{nan}}, &Complex{Points: nan},
	} {
		_, err := Arrange("bad", 1, NewPanel("curve", layer)).SVG()
		require.ErrorContains(t, err, `figure "bad": panel "curve": a coordinate is not a number`)
	}
	loop := &Complex{Points: []float64{0, 1, 2, 3}, Edges: []int32{0, 1, 1, 1}, Heads: true, Numbered: true}
	svg, err := Arrange("loop", 1, NewPanel("", loop)).SVG()
	require.NoError(t, err)
	require.NotContains(t, string(svg), "NaN")
}

// TestControlCharactersInTitles: titles of any bytes make XML, with U+FFFD for those that it may not have.
func TestControlCharactersInTitles(t *testing.T) {
	const odd, want = "a\x00\x1b[31m\xff\ufffe<b>&\u202e", "a��[31m��<b>&\u202e"
	chart := NewChart(odd, Points([]float64{0, 0, 1, 1}, 2, nil)).Axes(odd, odd)
	svg, err := Arrange(odd, 1, chart).SVG()
	require.NoError(t, err)
	texts := 0
	for decoder := xml.NewDecoder(bytes.NewReader(svg)); ; {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
		if text, ok := token.(xml.CharData); ok && string(text) == want {
			texts++
		}
	}
	require.Equal(t, 4, texts)
}

// TestWithoutScale: layers without a scale, or without values, are drawn on that of their values.
func TestWithoutScale(t *testing.T) {
	corners := []float64{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}
	for name, c := range map[string]struct{ layer, same plot.Plotter }{
		"arrows": {&Arrows{Points: []float64{0, 0, 1, 1}, Vectors: []float64{1, 0, 0, 3}, Longest: 1},
			&Arrows{Points: []float64{0, 0, 1, 1}, Vectors: []float64{1, 0, 0, 3}, Longest: 1,
				Scale: Strength(3)}},
		"heat": {&Heat{Rows: 1, Columns: 2, Values: []float64{0, 3}, XMax: 2, YMax: 1},
			&Heat{Rows: 1, Columns: 2, Values: []float64{0, 3}, XMax: 2, YMax: 1, Scale: Tint(SkyBlue, 3)}},
		"mesh": {&Mesh{Vertices: corners, Triangles: []int32{0, 1, 2, 0, 1, 3}, Values: []float64{0, 2}},
			&Mesh{Vertices: corners, Triangles: []int32{0, 1, 2, 0, 1, 3}, Values: []float64{0, 2},
				Scale: Tint(SkyBlue, 2)}},
		"bare mesh with a field": {&Mesh{Vertices: corners, Triangles: []int32{0, 1, 2}, View: Front,
			Field: []float64{0, 2, 0}, Longest: 1},
			&Mesh{Vertices: corners, Triangles: []int32{0, 1, 2}, View: Front, Field: []float64{0, 2, 0},
				Longest: 1, Values: []float64{5}, Scale: Tint(SkyBlue, 5), Strength: Strength(2)}},
	} {
		got, err := Arrange("", 1, NewPanel("", c.layer)).SVG()
		require.NoError(t, err, name)
		want, err := Arrange("", 1, NewPanel("", c.same)).SVG()
		require.NoError(t, err, name)
		require.Equal(t, string(want), string(got), name)
	}
}

func TestEmptyFigures(t *testing.T) {
	for _, f := range []*Figure{
		{}, Arrange("empty", 2, NewPanel(""), NewChart("")),
		Arrange("nothing to draw", 1, NewPanel("", append(Discs(nil, 1, Ink), &Routes{}, Points(nil, 2, nil),
			&Heat{}, Curve(nil, Ink), &Complex{}, &Arrows{Scale: Strength(1)},
			&Mesh{Scale: Strength(1)})...)),
		Losses("none", nil), Losses("no loss", []string{"none"}, nil),
	} {
		_, err := f.SVG()
		require.NoError(t, err, f.Title)
	}
}

func TestScales(t *testing.T) {
	s := Signed(2)
	require.Equal(t, -2.0, s.Low)
	require.Equal(t, s.At(-2), s.At(-100), "the end and beyond")
	require.Equal(t, s.At(2), s.At(math.Inf(1)))
	require.Equal(t, Gray, s.At(math.NaN()))
	blue, orange := s.At(-1), s.At(1)
	require.Greater(t, blue.B, blue.R)
	require.Greater(t, orange.R, orange.B)
	luminance := func(c color.NRGBA) int { return 2*int(c.R) + 5*int(c.G) + int(c.B) }
	require.Less(t, luminance(Strength(3).At(3)), luminance(Strength(3).At(1)))
	require.Less(t, luminance(Strength(3).At(0)), 8*190, "seen on white")
	require.Equal(t, 1.0, Strength(0).High, "an empty range is widened")
	require.Equal(t, 1.0, Strength(math.NaN()).High)

	values := []float64{-1e9, math.NaN()}
	for range 19 {
		values = append(values, -3)
	}
	require.Equal(t, 3.0, Typical(values), "the largest of twenty is ignored")
	require.Zero(t, Typical([]float32{}))

	require.Equal(t, Class(0), Class(8))
	require.Equal(t, Class(7), Class(-1))
}

// TestViewsAreRotations: they keep lengths, and what is nearer to the eye is nearer.
func TestViewsAreRotations(t *testing.T) {
	for _, v := range []View{Front, Diagonal, {}} {
		for _, p := range [][3]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 0}, {1, 0, 1}, {0, 1, 1}} {
			right, up, near := v.project(p[0], p[1], p[2])
			length := math.Sqrt(p[0]*p[0] + p[1]*p[1] + p[2]*p[2])
			require.InDelta(t, length, math.Hypot(math.Hypot(right, up), near), 1e-15, "a few last places")
		}
	}
	right, up, near := Diagonal.project(1, 1, 1)
	require.InDeltaSlice(t, []float64{0, 0, math.Sqrt(3)}, []float64{right, up, near}, 1e-15)
}

// TestHeadsAreWhole: an edge along the frame and a path that ends there have as much ink as others.
func TestHeadsAreWhole(t *testing.T) {
	ink := func(p *Panel) (dark float64) {
		canvas := vgimg.NewWith(vgimg.UseWH(100, 100), vgimg.UseDPI(288), vgimg.UseBackgroundColor(White))
		p.Bare().draw(draw.Crop(draw.New(canvas), 20, -20, 20, -20))
		img := canvas.Image()
		for x := range img.Bounds().Dx() {
			for y := range img.Bounds().Dy() {
				r, _, _, _ := img.At(x, y).RGBA()
				dark += 1 - float64(r)/0xffff
			}
		}
		return dark
	}
	square := []float64{0, 0, 1, 1}
	for name, at := range map[string]func(x float64) plot.Plotter{
		"edge": func(x float64) plot.Plotter {
			points := append([]float64{x, 0, x, 1}, square...)
			return &Complex{Points: points, Edges: []int32{0, 1}, Color: Ink, Heads: true}
		},
		"path": func(x float64) plot.Plotter {
			return &Routes{Paths: [][]float64{{x, 0, x, 0.5}, square[:2], square[2:]}, Color: Ink}
		},
	} {
		inside := ink(NewPanel("", at(0.5)))
		require.InEpsilon(t, inside, ink(NewPanel("", at(0))), 0.03, name)
		onFrame := ink(NewPanel("", at(0)).Within(0, 1))
		require.InEpsilon(t, inside, onFrame, 0.06, "%s on the frame itself", name)
	}
}

// Small returns a figure as PNG at the resolution of golden images.
func Small(f *Figure) ([]byte, error) { return f.png(72) }

// TestWidthsOfTexts: browsers that lack the font give every text the width that it has in it.
func TestWidthsOfTexts(t *testing.T) {
	svg, err := Arrange("", 1, NewPanel("∫dx∧dy").Bare()).SVG()
	require.NoError(t, err)
	want := textStyle(titleSize)
	for text, size := range map[string]vg.Length{
		"∫dx": titleSize, "Λ": scriptSize * titleSize, "dy": titleSize,
	} {
		want.Font.Size = size
		want.Handler = plot.DefaultTextHandler
		width := fmt.Sprintf(`<text textLength="%.4g" [^>]*>%s<`, want.Width(text).Points(), text)
		require.Regexp(t, width, string(svg))
	}
}

// TestSpacesBeforeTexts: SVG leaves out spaces before a text, so that it begins where its first letter is.
func TestSpacesBeforeTexts(t *testing.T) {
	starts := func(title string) (all []float64) {
		svg, err := Arrange("", 1, NewPanel(title).Bare()).SVG()
		require.NoError(t, err)
		require.NotRegexp(t, `> [^<]*</text>`, string(svg))
		place := regexp.MustCompile(`<text [^>]*x="([\d.]+)"`)
		for _, x := range place.FindAllStringSubmatch(string(svg), -1) {
			at, err := strconv.ParseFloat(x[1], 64)
			require.NoError(t, err)
			all = append(all, at)
		}
		return all
	}
	far, near := starts("Σ X² of each"), starts("Σ X²of each")
	require.Len(t, far, 3)
	style := textStyle(titleSize)
	style.Handler = plot.DefaultTextHandler
	require.InDelta(t, style.Width(" ").Points(), far[2]-far[1]-(near[2]-near[1]), 1e-2)
}
