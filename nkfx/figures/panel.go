package figures

import (
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/neuralkforms/nkf/nkfx/internal/typeset"
)

// Panel is one coordinate system of a figure: a plot of gonum/plot in the style of all figures.
type Panel struct {
	*plot.Plot
	Layers []plot.Plotter // drawn in this order
	Equal  bool           // a unit is as long on both axes
}

// NewPanel returns a panel of the plane, with equal units on both axes.
func NewPanel(title string, layers ...plot.Plotter) *Panel {
	p := NewChart(title, layers...)
	p.Equal = true
	return p
}

// NewChart returns a panel whose axes have units of their own.
func NewChart(title string, layers ...plot.Plotter) *Panel {
	p := &Panel{Plot: plot.New(), Layers: layers}
	p.Add(layers...)
	p.BackgroundColor = White
	p.Title.Text = typeset.Text(title)
	p.Title.TextStyle = styled(p.Title.TextStyle, titleSize, Ink)
	p.Title.Padding = 4
	p.Legend.TextStyle, p.Legend.Padding = styled(p.Legend.TextStyle, textSize, Ink), 2
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.Label.TextStyle = styled(a.Label.TextStyle, textSize, Ink)
		a.Tick.Marker = ticks{}
		a.Tick.Label = styled(a.Tick.Label, textSize-2, Gray)
		a.Tick.LineStyle.Color, a.Tick.LineStyle.Width, a.Tick.Length = Gray, 0.5, 3
		a.LineStyle.Color, a.LineStyle.Width, a.Padding = Gray, 0.5, 2
	}
	return p
}

// styled returns a style with the font of figures.
func styled(style text.Style, size vg.Length, col color.NRGBA) text.Style {
	of := textStyle(size)
	style.Font, style.Handler, style.Color = of.Font, of.Handler, col
	return style
}

// Within sets the range of both axes and returns the panel.
func (p *Panel) Within(low, high float64) *Panel {
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = low, high, low, high
	return p
}

// Axes labels the axes and returns the panel.
func (p *Panel) Axes(x, y string) *Panel {
	p.X.Label.Text, p.Y.Label.Text = typeset.Text(x), typeset.Text(y)
	return p
}

// Bare hides the axes and returns the panel.
func (p *Panel) Bare() *Panel {
	p.HideAxes()
	return p
}

// LogY makes the vertical axis logarithmic, where all data are positive, and returns the panel.
func (p *Panel) LogY() *Panel {
	if !(p.Y.Min > 0) || math.IsInf(p.Y.Min, 0) {
		return p
	}
	if p.Y.Min == p.Y.Max { // gonum/plot would widen this past zero
		p.Y.Min, p.Y.Max = p.Y.Min/2, p.Y.Max*2
	}
	p.Y.Scale, p.Y.Tick.Marker = plot.LogScale{}, powers{}
	return p
}

// draw draws the panel. It panics for a range that is not a number, in which everything would be lost.
func (p *Panel) draw(c draw.Canvas) {
	plt := *p.Plot // whose range depends on the canvas
	if math.IsNaN(plt.X.Min) || math.IsNaN(plt.Y.Min) {
		panic(fmt.Sprintf("panel %q: a coordinate is not a number: leave such points out", p.Title.Text))
	}
	if p.Equal {
		equalize(&plt, c)
	}
	plt.Draw(c)
}

// equalize widens the range of one axis so that units are alike on both.
func equalize(plt *plot.Plot, c draw.Canvas) {
	// The room for tick labels depends on the range: twice is enough.
	for range 2 {
		data := plt.DataCanvas(c)
		w, h := float64(data.Max.X-data.Min.X), float64(data.Max.Y-data.Min.Y)
		unit := math.Max((plt.X.Max-plt.X.Min)/w, (plt.Y.Max-plt.Y.Min)/h)
		for axis, length := range map[*plot.Axis]float64{&plt.X: unit * w, &plt.Y: unit * h} {
			middle := (axis.Min + axis.Max) / 2
			axis.Min, axis.Max = middle-length/2, middle+length/2
		}
	}
}

// place returns the function that maps data to the canvas.
func place(c draw.Canvas, plt *plot.Plot) func(x, y float64) vg.Point {
	tx, ty := plt.Transforms(&c)
	return func(x, y float64) vg.Point { return vg.Point{X: tx(x), Y: ty(y)} }
}

// xys returns points [P, 2] as the plotters of gonum/plot take them.
func xys(points []float64) plotter.XYs {
	out := make(plotter.XYs, len(points)/2)
	for i := range out {
		out[i].X, out[i].Y = points[2*i], points[2*i+1]
	}
	return out
}

// boundsOf returns the range of points in the plane, each [P, 2], grown by a margin.
func boundsOf(margin float64, points ...[]float64) (xmin, xmax, ymin, ymax float64) {
	var all plotter.XYs
	for _, p := range points {
		all = append(all, xys(p)...)
	}
	if len(all) == 0 {
		return 0, 1, 0, 1
	}
	xmin, xmax, ymin, ymax = plotter.XYRange(all)
	return xmin - margin, xmax + margin, ymin - margin, ymax + margin
}

// square returns the range of points in the plane, each [P, 2], along both axes, grown by a margin.
func square(margin float64, points ...[]float64) (low, high float64) {
	xmin, xmax, ymin, ymax := boundsOf(margin, points...)
	return min(xmin, ymin), max(xmax, ymax)
}

// sub returns a part of a canvas, from its lower left corner.
func sub(c draw.Canvas, x, y, width, height vg.Length) draw.Canvas {
	return draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{
		Min: vg.Point{X: x, Y: y}, Max: vg.Point{X: x + width, Y: y + height},
	}}
}

// paint fills a canvas.
func paint(c draw.Canvas, col color.Color) {
	c.SetColor(col)
	c.Fill(c.Rectangle.Path())
}

// fill fills a polygon, cut to the canvas.
func fill(c draw.Canvas, polygon []vg.Point, col color.NRGBA) {
	c.FillPolygon(col, c.ClipPolygonXY(polygon))
}

// line draws a line through points, cut to the canvas.
func line(c draw.Canvas, points []vg.Point, col color.NRGBA, width vg.Length) {
	c.StrokeLines(draw.LineStyle{Color: col, Width: width}, c.ClipLinesXY(points)...)
}

// halo draws a pale seam below a line, which sets it off from what is beneath.
func halo(c draw.Canvas, points []vg.Point, width vg.Length) {
	line(c, points, alpha(White, 0.85), width+2)
}

// head draws an arrowhead of a length with its tip at a point of the canvas, pointing along a way. It is
// whole, also where it passes the frame.
func head(c draw.Canvas, tip, way vg.Point, length vg.Length, col color.NRGBA) {
	if way == (vg.Point{}) || !c.Contains(tip) {
		return
	}
	back := way.Scale(-length / norm(way))
	side := vg.Point{X: -0.4 * back.Y, Y: 0.4 * back.X} // 0.4: half the width, as a share of the length
	c.FillPolygon(col, []vg.Point{tip, tip.Add(back).Add(side), tip.Add(back).Sub(side)})
}

// norm returns the length of a way.
func norm(way vg.Point) vg.Length { return vg.Length(math.Hypot(float64(way.X), float64(way.Y))) }

// write writes a line of text at a point.
func write(c draw.Canvas, s string, at vg.Point, size vg.Length, x text.XAlignment, y text.YAlignment) {
	style := textStyle(size)
	style.XAlign, style.YAlign = x, y
	c.FillText(style, at, typeset.Text(s))
}
