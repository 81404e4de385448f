package figures

import (
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// fill fills a polygon, cut to the canvas.
func fill(c draw.Canvas, polygon []vg.Point, col color.NRGBA) {
	c.FillPolygon(col, c.ClipPolygonXY(polygon))
}

// line draws a line through points, cut to the canvas.
func line(c draw.Canvas, points []vg.Point, col color.NRGBA, width vg.Length) {
	style := draw.LineStyle{Color: col, Width: width}
	c.StrokeLines(style, c.ClipLinesXY(points)...)
}

// halo draws a pale seam below a line, which sets it off from what is beneath.
func halo(c draw.Canvas, points []vg.Point, width vg.Length) {
	line(c, points, alpha(White, 0.85), width+2)
}

// head draws an arrowhead of that length with its tip at a point, pointing
// along (dx, dy).
func head(c draw.Canvas, tip vg.Point, dx, dy float64, length vg.Length, col color.NRGBA) {
	norm := math.Hypot(dx, dy)
	if norm == 0 || !c.Contains(tip) {
		return
	}
	x, y := vg.Length(dx/norm)*length, vg.Length(dy/norm)*length
	const half = 0.4 // of the width, as a share of the length
	fill(c, []vg.Point{tip, {X: tip.X - x - half*y, Y: tip.Y - y + half*x},
		{X: tip.X - x + half*y, Y: tip.Y - y - half*x}}, col)
}

// textStyle returns the style of text of that size.
func textStyle(size vg.Length) text.Style {
	return text.Style{Color: Ink, Font: face(size), Handler: plot.DefaultTextHandler}
}

// write writes a line of text at a point.
func write(c draw.Canvas, s string, at vg.Point, size vg.Length, x text.XAlignment, y text.YAlignment) {
	style := textStyle(size)
	style.XAlign, style.YAlign = x, y
	c.FillText(style, at, typeset(s))
}

// bounds collects the range of points in the plane, [P, 2].
type bounds struct{ xmin, xmax, ymin, ymax float64 }

// boundsOf returns the range of points, grown by a margin.
func boundsOf(margin float64, points ...[]float64) (xmin, xmax, ymin, ymax float64) {
	b := bounds{math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)}
	for _, p := range points {
		for i := 0; i+1 < len(p); i += 2 {
			b.xmin, b.xmax = math.Min(b.xmin, p[i]), math.Max(b.xmax, p[i])
			b.ymin, b.ymax = math.Min(b.ymin, p[i+1]), math.Max(b.ymax, p[i+1])
		}
	}
	if b.xmin > b.xmax {
		return 0, 1, 0, 1
	}
	return b.xmin - margin, b.xmax + margin, b.ymin - margin, b.ymax + margin
}

// place returns the function that maps data to the canvas.
func place(c draw.Canvas, plt *plot.Plot) func(x, y float64) vg.Point {
	tx, ty := plt.Transforms(&c)
	return func(x, y float64) vg.Point { return vg.Point{X: tx(x), Y: ty(y)} }
}
