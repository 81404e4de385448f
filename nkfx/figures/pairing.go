package figures

import (
	"fmt"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Pairing draws 1-forms on the plane, the oriented edges of a complex, and the integration matrix X
// [edges, forms] that pairs them (the first figure of the paper): the edges alone, with their names;
// under each form, in the color of their integral and with its value, positive where they run with the
// arrows and negative where they run against them; and the matrix.
func Pairing(title string, c *Complex, forms []*Arrows, x []float64) *Figure {
	names := *c
	names.Heads, names.Numbered = true, true
	matrix, scale := MatrixPanel("X", len(forms), x)
	matrix.Add(entries(len(forms), x, scale))

	xmin, xmax, ymin, ymax := c.DataRange()
	low, high := min(xmin, ymin), max(xmax, ymax)
	for _, form := range forms {
		xmin, xmax, ymin, ymax = form.DataRange()
		low, high = min(low, xmin, ymin), max(high, xmax, ymax)
	}
	f := Arrange(title, 3, NewPanel("edges", &names).Within(low, high))
	for j, form := range forms {
		p := &paired{Complex: &names, scale: scale}
		for i := j; i < len(x); i += len(forms) {
			p.values = append(p.values, x[i])
		}
		// The field is the ground; the edges are the figure.
		ground := *form
		ground.Scale = Tint(mix(Grey, White, 0.3), form.Scale.High)
		f.Panels = append(f.Panels, NewPanel("ω"+subscript(j), &ground, p).Within(low, high))
	}
	f.Panels = append(f.Panels, matrix)
	f.Bars = []Bar{{"∫ω over σ", scale}}
	return f
}

// paired draws edges in the colors of values, which are written beside them.
type paired struct {
	*Complex
	values []float64
	scale  *Scale
}

// Plot draws the layer.
func (p *paired) Plot(c draw.Canvas, plt *plot.Plot) {
	at := place(c, plt)
	for i, v := range p.values {
		from, to := p.Edges[2*i], p.Edges[2*i+1]
		a, b := at(p.Points[2*from], p.Points[2*from+1]), at(p.Points[2*to], p.Points[2*to+1])
		way, col := b.Sub(a), p.scale.At(v)
		// A pale color would be lost on the card.
		line(c, []vg.Point{a, b}, Grey, 3.4*lineWidth)
		line(c, []vg.Point{a, b}, col, 2.6*lineWidth)
		tip := a.Add(way.Scale(0.68))
		head(c, tip, way, 11, Grey)
		head(c, tip.Sub(way.Scale(1/vg.Length(math.Sqrt(float64(way.Dot(way)))))), way, 9, col)
		number, middle := fmt.Sprintf("%+.1f", v), rightOf([]vg.Point{a, b}, 1.3*titleSize)
		half := textStyle(textSize).Width(number)/2 + 2
		fill(c, corners(middle.X-half, middle.Y-textSize/2, 2*half, textSize), alpha(White, 0.85))
		write(c, number, middle, textSize, text.XCenter, text.YCenter)
	}
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
		l.Labels = append(l.Labels, typeset(fmt.Sprintf("%+.1f", v)))
		l.TextStyle = append(l.TextStyle, style)
	}
	return l
}
