package figures

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/neuralkforms/nkf/nkfx/internal/typeset"
)

// IntegrationMatrix draws an integration matrix X [rows, forms], with entry ∫_σ ω_j in row σ and column
// j, first row on top.
func IntegrationMatrix(title string, forms int, x []float64) *Figure {
	p, scale := MatrixPanel("", forms, x)
	f := Arrange(title, 1, p)
	f.Bars = []Bar{{"∫ω over σ", scale}}
	return f
}

// MatrixPanel returns the panel of [IntegrationMatrix], for figures with further panels, and its
// scale. It panics if the last row is not whole.
func MatrixPanel(title string, forms int, x []float64) (*Panel, *Scale) {
	fit("MatrixPanel: entries", len(x), len(x)/max(1, forms)*forms)
	h := matrix(forms, x, Signed(Typical(x)))
	p := NewChart(title, h)
	p.NominalX(numbered("ω", forms)...)
	rows := numbered("σ", h.Rows)
	slices.Reverse(rows)
	p.NominalY(rows...)
	p.X.Padding, p.Y.Padding = 2, 2
	return p, h.Scale
}

// matrix returns a matrix as cells around the integers, first row on top.
func matrix(columns int, x []float64, scale *Scale) *Heat {
	rows := len(x) / max(1, columns)
	h := &Heat{Rows: rows, Columns: columns, Scale: scale,
		XMin: -0.5, XMax: float64(columns) - 0.5, YMin: -0.5, YMax: float64(rows) - 0.5}
	for r := range rows { // Heat counts from below
		h.Values = append(h.Values, x[(rows-1-r)*columns:][:columns]...)
	}
	return h
}

// numbered returns the names of cells: all if there are few, else the first and the last.
func numbered(symbol string, count int) []string {
	names := make([]string, max(1, count))
	for i := range names {
		if count <= 20 || i == 0 || i+1 == count {
			names[i] = symbol + subscript(i)
		}
	}
	return names
}

// Pairing draws 1-forms on the plane, the oriented edges of a complex, and the integration matrix X
// [edges, forms] that pairs them (the first figure of the paper): the edges alone, with their names;
// under each form, in the color of their integral and with its value, positive where they run with the
// arrows and negative where they run against them; and the matrix. It panics if
// the matrix is of other edges or forms.
func Pairing(title string, c *Complex, forms []*Arrows, x []float64) *Figure {
	fit("Pairing: entries", len(x), len(c.Edges)/2*len(forms))
	names := *c
	names.Heads, names.Numbered = true, true
	matrix, scale := MatrixPanel("X", len(forms), x)
	matrix.Add(entries(len(forms), x, scale))

	low, high := around(forms, c.Points)
	f := Arrange(title, 3, NewPanel("edges", &names).Within(low, high))
	for j, form := range forms {
		edges := names
		edges.scale = scale
		for i := j; i < len(x); i += len(forms) {
			edges.values = append(edges.values, x[i])
		}
		// The field is the ground; the edges are the figure.
		ground := *form
		ground.Scale = Tint(mix(Gray, White, 0.3), form.Scale.High)
		f.Panels = append(f.Panels, NewPanel("ω"+subscript(j), &ground, &edges).Within(low, high))
	}
	f.Panels = append(f.Panels, matrix)
	f.Bars = []Bar{{"∫ω over σ", scale}}
	return f
}

// around returns the range of forms and points along both axes.
func around(forms []*Arrows, points ...[]float64) (low, high float64) {
	margin := 0.0
	for _, f := range forms {
		margin, points = max(margin, f.Longest/2), append(points, f.Points)
	}
	return square(margin, points...)
}

// entries returns the numbers of a matrix, in its cells.
func entries(columns int, values []float64, scale *Scale) *plotter.Labels {
	l := &plotter.Labels{}
	for i, v := range values {
		style := textStyle(textSize)
		style.XAlign, style.YAlign = text.XCenter, text.YCenter
		if math.Abs(v) > 0.6*scale.High {
			style.Color = White
		}
		row := len(values)/columns - 1 - i/columns // first row on top
		l.XYs = append(l.XYs, plotter.XY{X: float64(i % columns), Y: float64(row)})
		l.Labels = append(l.Labels, typeset.Text(fmt.Sprintf("%+.1f", v)))
		l.TextStyle = append(l.TextStyle, style)
	}
	return l
}

// Stages are the steps of a classification of a complex in the plane by neural 1-forms.
type Stages struct {
	Complex       *Complex
	Forms         []*Arrows // ω₁ to ω_ℓ
	Matrix        []float64 // X [simplices, ℓ], their integrals
	Readout       []float64 // [ℓ], one number for each column of X
	How           string    // what that is, such as "Σ X²"
	Classes       []string
	Probabilities []float64 // of the classes
}

// Pipeline draws the steps from a complex to its class (the schematic figure of the paper): the complex and
// the forms, the matrix of integrals, the readout, the class.
func Pipeline(title string, s Stages) *Figure {
	forms := len(s.Forms)
	low, high := around(s.Forms)
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
	between := c.Size().X / vg.Length(len(s)-1)
	for _, g := range s {
		between -= g.width * height / vg.Length(len(s)-1)
	}
	x, middle := c.Min.X, c.Min.Y+height/2
	for _, g := range s {
		width := g.width * height
		write(c, g.title, vg.Point{X: x + width/2, Y: c.Max.Y}, textSize, text.XCenter, text.YTop)
		g.draw(sub(c, x, c.Min.Y, width, height))
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
	size := 0.72 * min(c.Size().X, c.Size().Y)
	for j := len(fields) - 1; j >= 0; j-- {
		room := c.Size().Sub(vg.Point{X: size, Y: size})
		shift := room.Scale(vg.Length(j) / vg.Length(max(1, len(fields)-1)))
		card := sub(c, c.Min.X+shift.X, c.Min.Y+shift.Y, size, size)
		paint(card, Gray)
		card = draw.Crop(card, 0.6, -0.6, 0.6, -0.6) // inside the border
		NewPanel("", fields[j]).Within(low, high).Bare().draw(card)
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
		paint(sub(c, c.Min.X, middle-bar, vg.Length(probabilities[k])*c.Size().X, bar), Class(k))
		write(c, fmt.Sprintf("%s %.0f %%", name, 100*probabilities[k]),
			vg.Point{X: c.Min.X, Y: middle + 3}, textSize-1, text.XLeft, text.YBottom)
	}
}
