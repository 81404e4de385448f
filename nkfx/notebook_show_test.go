package nkfx

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"image/png"
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg/draw"
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
		{table{}, "<table></table>"},
		{"a < b", "a &lt; b"},
	} {
		got, err := markup(c.item)
		require.NoError(t, err)
		require.Equal(t, c.want, got)
	}
	got, err := markup(image.NewGray(image.Rect(0, 0, 1, 1)))
	require.NoError(t, err)
	require.Regexp(t, `^<img style="max-width:100%;height:auto" src="data:image/png;base64,\w+`, got)
	_, err = markup(7)
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

// badPlotter cannot be drawn.
type badPlotter struct{}

func (badPlotter) Plot(draw.Canvas, *plot.Plot) { panic("no ink") }

func TestShowPlots(t *testing.T) {
	line, err := plotter.NewLine(plotter.XYs{{X: 0, Y: 1}, {X: 1, Y: 3}})
	require.NoError(t, err)
	chart := plot.New()
	chart.Title.Text = "chart"
	chart.Add(line)
	for _, item := range []any{chart, line} {
		p := openPage(t)
		Show(item)
		require.Zero(t, p.exit, p.said.String())
		require.Len(t, p.shown, 1)
		// 4.8 inches of 96 pixels.
		require.Contains(t, p.shown[0], "image/png 460 \x89PNG")
		html, err := markup(item)
		require.NoError(t, err)
		require.Contains(t, html, "<svg role=")
	}
	for item, want := range map[any]string{
		badPlotter{}:      `the plot "": no ink`,
		(*plot.Plot)(nil): "no way to show a *plot.Plot",
	} {
		p := openPage(t)
		Show(item)
		require.Equal(t, 1, p.exit)
		require.Contains(t, p.said.String(), want)
	}
}

func TestShowImages(t *testing.T) {
	p := openPage(t)
	Show(image.NewGray(image.Rect(0, 0, 3, 2)))
	require.Len(t, p.shown, 1)
	require.Contains(t, p.shown[0], "image/png 0 \x89PNG")
	Show(image.NewGray(image.Rect(0, 0, 0, 0)))
	require.Contains(t, p.said.String(), "nkf: an image: ")
}

// tags are those of HTML, between which there is what one reads.
var tags = regexp.MustCompile(`<[^>]*>`)

func TestShowTensors(t *testing.T) {
	many := make([][]float32, 100)
	for i := range many {
		many[i] = make([]float32, 30)
		many[i][29] = float32(i)
	}
	cube := [][][]int32{{{1, 2}, {3, 4}, {5, 6}}, {{7, 8}, {9, 10}, {11, 12}}}
	for _, c := range []struct {
		value any
		want  string
	}{
		{3.14159265, "(Float64) 3.142"},
		{[]int32{7, -8}, "(Int32)[2] 0 1 7 -8"},
		{[][]float64{{1, math.NaN()}, {1e9, math.Inf(-1)}}, "(Float64)[2 2] 0 1 0 1 NaN 1 1e+09 -Inf"},
		{[]bool{true}, "(Bool)[1] 0 true"},
		{[]complex64{1i}, "(Complex64)[1] 0 (0+1i)"},
		{cube, "(Int32)[2 3 2] 0 1 0 0 1 2 0 1 3 4 0 2 5 6 1 0 7 8 1 1 9 10 1 2 11 12"},
	} {
		p := openPage(t)
		Show(tensors.MustFromAnyValue(c.value))
		require.Zero(t, p.exit, p.said.String())
		html := tensorTable{tensors.MustFromAnyValue(c.value)}.HTML()
		read := strings.ReplaceAll(tags.ReplaceAllString(html, " "), ",", "")
		require.Equal(t, c.want, strings.Join(strings.Fields(read), " "))
	}
	large := tensorTable{tensors.MustFromAnyValue(many)}.HTML()
	require.Equal(t, 14, strings.Count(large, "<tr>"), "a head, six rows, one for those left out, six")
	require.Contains(t, large, ">99</td></tr></table>")
	require.NotContains(t, large, ">50</td>")
	half := tensorTable{tensors.FromShape(tensors.MustFromAnyValue([]float32{1}).Shape())}
	half.Tensor.MustFinalizeAll()
	require.Contains(t, half.HTML(), "<p>")
	require.Contains(t, openedWith(t, (*tensors.Tensor)(nil)), "no way to show a *tensors.Tensor")
	require.Contains(t, openedWith(t, 7), "nkfx.Show takes figures, plots, tables, tensors, images and text")
	require.Contains(t, openedWith(t, drawing{errors.New("no ink")}), "no ink")
}

// openedWith returns what a page says that is to show an item.
func openedWith(t *testing.T, item any) string {
	p := openPage(t)
	Show(item)
	require.Equal(t, 1, p.exit)
	return p.said.String()
}
