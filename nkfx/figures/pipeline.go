package figures

import (
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Stages are what neural 1-forms make of a complex in the plane, step by step.
type Stages struct {
	Complex       *Complex
	Forms         []*Arrows // ω₁ to ω_ℓ
	Matrix        []float64 // X [simplices, ℓ], their integrals
	Readout       []float64 // [ℓ], one number for each column of X
	How           string    // what that is, such as "Σ X²"
	Classes       []string
	Probabilities []float64 // of the classes
}

// Pipeline draws the way from a complex to its class (the schematic figure of
// the paper): the complex and the forms, the matrix of integrals, the readout,
// the class.
func Pipeline(title string, s Stages) *Figure {
	forms := len(s.Forms)
	low, high := math.Inf(1), math.Inf(-1)
	for _, f := range s.Forms {
		xmin, xmax, ymin, ymax := f.DataRange()
		low, high = min(low, xmin, ymin), max(high, xmax, ymax)
	}
	panel := &Panel{Bare: true, Layers: []Layer{&stages{[]stage{
		{"a complex", 1, "+", func(c draw.Canvas) { overlay(c, low, high, s.Complex) }},
		{fmt.Sprintf("%d neural forms", forms), 1, "integrate", func(c draw.Canvas) {
			cards(c, low, high, s.Forms)
		}},
		{"integrals X", 0.8, "read out", func(c draw.Canvas) {
			cells(c, len(s.Matrix)/max(1, forms), forms, s.Matrix, Signed(Typical(s.Matrix)))
		}},
		{s.How, 0.7, "classify", func(c draw.Canvas) {
			middle := (c.Min.Y + c.Max.Y) / 2
			c.Min.Y, c.Max.Y = middle-titleSize, middle+titleSize
			cells(c, 1, forms, s.Readout, Strength(floats.Max(append([]float64{0}, s.Readout...))))
		}},
		{"a class", 0.9, "", func(c draw.Canvas) { chances(c, s.Classes, s.Probabilities) }},
	}}}}
	f := Arrange(title, 1, panel)
	f.Side, f.Ratio = 3.3*panelSide, 0.2
	return f
}

// stage is one step: what is drawn, how wide that is in units of its height,
// and what leads to the next.
type stage struct {
	title string
	width vg.Length
	then  string // "+", or a verb for an arrow; nothing at the end
	draw  func(draw.Canvas)
}

// stages draws steps from left to right.
type stages struct{ stages []stage }

// Plot draws the layer.
func (s *stages) Plot(c draw.Canvas, _ *plot.Plot) {
	height := c.Max.Y - c.Min.Y - 2*textSize
	spare := c.Max.X - c.Min.X
	for _, g := range s.stages {
		spare -= g.width * height
	}
	between := spare / vg.Length(max(1, len(s.stages)-1))
	x, middle := c.Min.X, c.Min.Y+height/2
	for _, g := range s.stages {
		box := draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{
			Min: vg.Point{X: x, Y: c.Min.Y}, Max: vg.Point{X: x + g.width*height, Y: c.Min.Y + height},
		}}
		write(c, g.title, vg.Point{X: x + g.width*height/2, Y: c.Max.Y}, textSize, text.XCenter, text.YTop)
		g.draw(box)
		x += g.width * height
		switch g.then {
		case "":
		case "+":
			write(c, g.then, vg.Point{X: x + between/2, Y: middle}, 2*textSize, text.XCenter, text.YCenter)
		default:
			tip := vg.Point{X: x + between - gap/2, Y: middle}
			line(c, []vg.Point{{X: x + gap/2, Y: middle}, {X: tip.X - 5, Y: middle}}, Ink, 1.2*lineWidth)
			head(c, tip, 1, 0, 7, Ink)
			at := vg.Point{X: x + between/2, Y: middle + 4}
			write(c, g.then, at, textSize-1, text.XCenter, text.YBottom)
		}
		x += between
	}
}

// DataRange returns a range that means nothing: stages fill the panel.
func (s *stages) DataRange() (xmin, xmax, ymin, ymax float64) { return 0, 1, 0, 1 }

// overlay draws layers of the plane, the square [low, high]² of it.
func overlay(c draw.Canvas, low, high float64, layers ...Layer) {
	plt := plot.New()
	plt.X.Min, plt.X.Max, plt.Y.Min, plt.Y.Max = low, high, low, high
	for _, layer := range layers {
		layer.Plot(c, plt)
	}
}

// cards draws fields on cards, the first in front of the others.
func cards(c draw.Canvas, low, high float64, fields []*Arrows) {
	size := 0.72 * min(c.Max.X-c.Min.X, c.Max.Y-c.Min.Y)
	for j := len(fields) - 1; j >= 0; j-- {
		shift := vg.Length(0)
		if len(fields) > 1 {
			shift = vg.Length(j) / vg.Length(len(fields)-1)
		}
		x, y := c.Min.X+shift*(c.Max.X-c.Min.X-size), c.Min.Y+shift*(c.Max.Y-c.Min.Y-size)
		card := draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{
			Min: vg.Point{X: x, Y: y}, Max: vg.Point{X: x + size, Y: y + size},
		}}
		box(card, White, Grey)
		overlay(card, low, high, fields[j])
	}
}

// box fills a rectangle and draws its border.
func box(c draw.Canvas, inside, border color.NRGBA) {
	ring := []vg.Point{c.Min, {X: c.Max.X, Y: c.Min.Y}, c.Max, {X: c.Min.X, Y: c.Max.Y}, c.Min}
	fill(c, ring[:4], inside)
	line(c, ring, border, 0.6*lineWidth)
}

// cells draws a matrix, first row on top.
func cells(c draw.Canvas, rows, columns int, values []float64, scale *Scale) {
	width := (c.Max.X - c.Min.X) / vg.Length(max(1, columns))
	height := (c.Max.Y - c.Min.Y) / vg.Length(max(1, rows))
	for i := range rows * columns {
		at := vg.Point{X: c.Min.X + vg.Length(i%columns)*width, Y: c.Max.Y - vg.Length(i/columns)*height}
		box(draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{
			Min: vg.Point{X: at.X, Y: at.Y - height}, Max: vg.Point{X: at.X + width, Y: at.Y},
		}}, scale.At(values[i]), White)
	}
}

// chances draws the probabilities of classes as bars, in their colours.
func chances(c draw.Canvas, classes []string, probabilities []float64) {
	height := (c.Max.Y - c.Min.Y) / vg.Length(max(1, len(classes)))
	bar := min(textSize, height/3)
	for k, name := range classes {
		middle := c.Max.Y - (vg.Length(k)+0.5)*height
		width := vg.Length(probabilities[k]) * (c.Max.X - c.Min.X)
		box(draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{
			Min: vg.Point{X: c.Min.X, Y: middle - bar}, Max: vg.Point{X: c.Min.X + width, Y: middle},
		}}, Class(k), Class(k))
		write(c, fmt.Sprintf("%s %.0f %%", name, 100*probabilities[k]),
			vg.Point{X: c.Min.X, Y: middle + 3}, textSize-1, text.XLeft, text.YBottom)
	}
}
