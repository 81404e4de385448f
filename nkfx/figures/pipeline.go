package figures

import (
	"fmt"
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

// Pipeline draws the way from a complex to its class (the schematic figure of the paper): the complex
// and the forms, the matrix of integrals, the readout, the class.
func Pipeline(title string, s Stages) *Figure {
	forms := len(s.Forms)
	low, high := math.Inf(1), math.Inf(-1)
	for _, f := range s.Forms {
		xmin, xmax, ymin, ymax := f.DataRange()
		low, high = min(low, xmin, ymin), max(high, xmax, ymax)
	}
	readout := Strength(floats.Max(append([]float64{0}, s.Readout...)))
	f := Arrange(title, 1, NewChart("", pipeline{
		{"a complex", 1, "+", func(c draw.Canvas) {
			NewPanel("", s.Complex).Within(low, high).Bare().draw(c)
		}},
		{fmt.Sprintf("%d neural forms", forms), 1, "integrate", func(c draw.Canvas) {
			cards(c, low, high, s.Forms)
		}},
		{"integrals X", 0.8, "read out", cells(forms, s.Matrix, Signed(Typical(s.Matrix)))},
		{s.How, 0.7, "classify", func(c draw.Canvas) {
			middle := (c.Min.Y + c.Max.Y) / 2
			c.Min.Y, c.Max.Y = middle-titleSize, middle+titleSize
			cells(forms, s.Readout, readout)(c)
		}},
		{"a class", 0.9, "", func(c draw.Canvas) { chances(c, s.Classes, s.Probabilities) }},
	}).Bare())
	f.Side, f.Ratio = 3.3*panelSide, 0.2
	return f
}

// pipeline draws steps from left to right.
type pipeline []stage

// stage is one step: what is drawn, how wide that is in units of its height, and what leads to the
// next.
type stage struct {
	title string
	width vg.Length
	then  string // "+", or a verb for an arrow; nothing at the end
	draw  func(draw.Canvas)
}

// Plot draws the layer.
func (s pipeline) Plot(c draw.Canvas, _ *plot.Plot) {
	height := c.Max.Y - c.Min.Y - 2*textSize
	spare := c.Max.X - c.Min.X
	for _, g := range s {
		spare -= g.width * height
	}
	between := spare / vg.Length(len(s)-1)
	x, middle := c.Min.X, c.Min.Y+height/2
	for _, g := range s {
		width := g.width * height
		write(c, g.title, vg.Point{X: x + width/2, Y: c.Max.Y}, textSize, text.XCenter, text.YTop)
		g.draw(draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{
			Min: vg.Point{X: x, Y: c.Min.Y}, Max: vg.Point{X: x + width, Y: c.Min.Y + height},
		}})
		x += width
		at := vg.Point{X: x + between/2, Y: middle}
		switch g.then {
		case "":
		case "+":
			write(c, g.then, at, 2*textSize, text.XCenter, text.YCenter)
		default:
			tip := vg.Point{X: x + between - gap/2, Y: middle}
			line(c, []vg.Point{{X: x + gap/2, Y: middle}, {X: tip.X - 5, Y: middle}}, Ink, 1.2*lineWidth)
			head(c, tip, vg.Point{X: 1}, 7, Ink)
			write(c, g.then, vg.Point{X: at.X, Y: middle + 4}, textSize-1, text.XCenter, text.YBottom)
		}
		x += between
	}
}

// cards draws fields on cards, the first in front of the others.
func cards(c draw.Canvas, low, high float64, fields []*Arrows) {
	room := c.Size()
	size := 0.72 * min(room.X, room.Y)
	for j := len(fields) - 1; j >= 0; j-- {
		at := c.Min.Add(room.Sub(vg.Point{X: size, Y: size}).Scale(vg.Length(j) / vg.Length(max(1, len(fields)-1))))
		card := draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{
			Min: at, Max: at.Add(vg.Point{X: size, Y: size}),
		}}
		ring := corners(at.X, at.Y, size, size)
		NewPanel("", fields[j]).Within(low, high).Bare().draw(card)
		line(c, append(ring, ring[0]), Grey, 0.6*lineWidth)
	}
}

// cells returns what draws a matrix, first row on top.
func cells(columns int, values []float64, scale *Scale) func(draw.Canvas) {
	return NewChart("", matrix(columns, values, scale)).Bare().draw
}

// chances draws the probabilities of classes as bars, in their colors.
func chances(c draw.Canvas, classes []string, probabilities []float64) {
	height := c.Size().Y / vg.Length(max(1, len(classes)))
	bar := min(textSize, height/3)
	for k, name := range classes {
		middle := c.Max.Y - (vg.Length(k)+0.5)*height
		fill(c, corners(c.Min.X, middle-bar, vg.Length(probabilities[k])*c.Size().X, bar), Class(k))
		write(c, fmt.Sprintf("%s %.0f %%", name, 100*probabilities[k]),
			vg.Point{X: c.Min.X, Y: middle + 3}, textSize-1, text.XLeft, text.YBottom)
	}
}
