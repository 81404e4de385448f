package figures

import (
	"fmt"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Pairing draws 1-forms on the plane, the oriented edges of a complex, and the
// integration matrix X [edges, forms] that pairs them (the first figure of the
// paper): the edges alone, with their names; under each form, in the color of
// their integral and with its value, positive where they run with the arrows
// and negative where they run against them; and the matrix.
func Pairing(title string, c *Complex, forms []*Arrows, x []float64) *Figure {
	names := *c
	names.Heads, names.Numbered = true, true
	matrix, scale := MatrixPanel("X", len(forms), x)
	matrix.Layers = append(matrix.Layers, &entries{len(forms), x, scale})

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
		dx, dy := b.X-a.X, b.Y-a.Y
		length := math.Max(1, math.Hypot(float64(dx), float64(dy)))
		col := p.scale.At(v)
		// A pale color would be lost on the card.
		line(c, []vg.Point{a, b}, Grey, 3.4*lineWidth)
		line(c, []vg.Point{a, b}, col, 2.6*lineWidth)
		middle := vg.Point{X: a.X + 0.68*dx, Y: a.Y + 0.68*dy}
		head(c, middle, float64(dx), float64(dy), 11, Grey)
		inner := vg.Point{X: middle.X - dx/vg.Length(length), Y: middle.Y - dy/vg.Length(length)}
		head(c, inner, float64(dx), float64(dy), 9, col)
		away := 1.3 * titleSize / vg.Length(length)
		box := vg.Point{X: (a.X+b.X)/2 + away*dy, Y: (a.Y+b.Y)/2 - away*dx}
		number := fmt.Sprintf("%+.1f", v)
		half := textStyle(textSize).Width(number)/2 + 2
		fill(c, []vg.Point{{X: box.X - half, Y: box.Y - textSize/2}, {X: box.X + half, Y: box.Y - textSize/2},
			{X: box.X + half, Y: box.Y + textSize/2}, {X: box.X - half, Y: box.Y + textSize/2},
		}, alpha(White, 0.85))
		write(c, number, box, textSize, text.XCenter, text.YCenter)
	}
}

// entries writes the numbers of a matrix into its cells.
type entries struct {
	columns int
	values  []float64
	scale   *Scale
}

// Plot draws the layer.
func (e *entries) Plot(c draw.Canvas, plt *plot.Plot) {
	at := place(c, plt)
	rows := len(e.values) / max(1, e.columns)
	for i, v := range e.values {
		style := textStyle(textSize)
		style.XAlign, style.YAlign = text.XCenter, text.YCenter
		if math.Abs(v) > 0.6*e.scale.High {
			style.Color = White
		}
		c.FillText(style, at(float64(i%e.columns)+0.5, float64(rows-i/e.columns)-0.5),
			typeset(fmt.Sprintf("%+.1f", v)))
	}
}

// DataRange returns the range of the cells.
func (e *entries) DataRange() (xmin, xmax, ymin, ymax float64) {
	return 0, float64(e.columns), 0, float64(len(e.values) / max(1, e.columns))
}
