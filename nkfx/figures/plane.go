package figures

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/neuralkforms/nkf/datasets"
)

// Arrows draws a vector field at points of the plane. Arrows are centered at their points; color shows
// the strength linearly and length its square root, so that weak parts stay visible.
type Arrows struct {
	Points  []float64 // [P, 2]
	Vectors []float64 // [P, 2]
	Scale   *Scale    // of strengths; nil: from 0 to the longest
	Longest float64   // length of an arrow with strength Scale.High, in units of the plane
}

// FieldsOf returns 1-forms on the plane as vector fields on one scale, given their coefficients
// [P, 2, forms] at points [P, 2], as those of package layers return them. No arrow is longer than
// longest. It panics if the numbers of points and coefficients do not fit.
func FieldsOf[F float32 | float64](points []float64, coefficients []F, forms int, longest float64) []*Arrows {
	fit("FieldsOf: coordinates of points", len(points), len(points)/2*2)
	fit("FieldsOf: coefficients", len(coefficients), len(points)*forms)
	out := make([]*Arrows, forms)
	var strengths []float64
	for j := range out {
		out[j] = &Arrows{Points: points, Longest: longest}
		for i := 0; i < len(points); i += 2 {
			u, v := coefficients[i*forms+j], coefficients[(i+1)*forms+j]
			out[j].Vectors = append(out[j].Vectors, float64(u), float64(v))
		}
		strengths = append(strengths, out[j].strengths()...)
	}
	scale := Strength(Typical(strengths))
	for _, a := range out {
		a.Scale = scale
	}
	return out
}

// fit panics unless there are as many of something as there should be.
func fit(what string, got, want int) {
	if got != want {
		panic(fmt.Sprintf("figures.%s: %d, want %d", what, got, want))
	}
}

// strengths returns the lengths of the vectors.
func (a *Arrows) strengths() (out []float64) {
	for v := range slices.Chunk(a.Vectors, 2) {
		out = append(out, math.Hypot(v[0], v[1]))
	}
	return out
}

// Plot draws the layer.
func (a *Arrows) Plot(c draw.Canvas, plt *plot.Plot) {
	at := place(c, plt)
	strengths, scale := a.strengths(), a.Scale
	if scale == nil {
		scale = Strength(slices.Max(append(strengths, 0)))
	}
	for i, strength := range strengths {
		length := a.Longest * math.Sqrt(scale.share(strength))
		if length == 0 || strength == 0 || math.IsNaN(length) {
			continue
		}
		dx, dy := a.Vectors[2*i]/strength*length/2, a.Vectors[2*i+1]/strength*length/2
		tail, tip := at(a.Points[2*i]-dx, a.Points[2*i+1]-dy), at(a.Points[2*i]+dx, a.Points[2*i+1]+dy)
		way := tip.Sub(tail)
		size := min(4.5, 0.5*norm(way))
		neck := tip.Sub(way.Scale(0.8 * size / norm(way)))
		line(c, []vg.Point{tail, neck}, scale.At(strength), lineWidth)
		head(c, tip, way, size, scale.At(strength))
	}
}

// DataRange returns the range of the points.
func (a *Arrows) DataRange() (xmin, xmax, ymin, ymax float64) { return boundsOf(a.Longest/2, a.Points) }

// Routes draws oriented paths in the plane, with arrowheads at their ends.
type Routes struct {
	Paths [][]float64 // each [P, 2]
	Color color.NRGBA // [Blue] if it is not set
}

// PathsOf returns the first paths of a class in its color, at most count.
func PathsOf(c *datasets.Collection, class, count int) *Routes {
	routes := &Routes{Color: Class(class)}
	for g, label := range c.Labels {
		if int(label) == class && len(routes.Paths) < count {
			routes.Paths = append(routes.Paths, c.Points(g))
		}
	}
	return routes
}

// Plot draws the layer.
func (r *Routes) Plot(c draw.Canvas, plt *plot.Plot) {
	at, ink := place(c, plt), cmp.Or(r.Color, Blue)
	lines := make([][]vg.Point, len(r.Paths))
	for i, path := range r.Paths {
		for p := range slices.Chunk(path, 2) {
			lines[i] = append(lines[i], at(p[0], p[1]))
		}
		halo(c, lines[i], 1.2*lineWidth) // below all paths, so that none is cut
	}
	for _, points := range lines {
		line(c, points, ink, 1.2*lineWidth)
		// The last edges are short and noisy: the direction is from some way back.
		last := len(points) - 1
		for back := last - 1; back >= 0; back-- {
			way := points[last].Sub(points[back])
			if norm(way) > 6 || back == 0 {
				head(c, points[last], way, 6, ink)
				break
			}
		}
	}
}

// DataRange returns the range of the points, with room for arrowheads.
func (r *Routes) DataRange() (xmin, xmax, ymin, ymax float64) { return withHeads(r.Paths...) }

// withHeads returns the range of points in the plane, each [P, 2], with room for arrowheads.
func withHeads(points ...[]float64) (xmin, xmax, ymin, ymax float64) {
	xmin, xmax, ymin, ymax = boundsOf(0, points...)
	return boundsOf(0.02*max(xmax-xmin, ymax-ymin), points...)
}

// Complex draws a complex in the plane: triangles filled, edges, and points.
type Complex struct {
	Points    []float64   // [V, 2]
	Edges     []int32     // [E, 2]
	Triangles []int32     // [T, 3]
	Color     color.NRGBA // [Blue] if it is not set
	Heads     bool        // show the orientation of the edges
	Numbered  bool        // write σ₁, σ₂, … to the right of the edges, as they are oriented

	values []float64 // of the edges, which color them and stand beside them, if there are any
	scale  *Scale
}

// Plot draws the layer.
func (x *Complex) Plot(c draw.Canvas, plt *plot.Plot) {
	at, ink := place(c, plt), cmp.Or(x.Color, Blue)
	simplex := func(vertices []int32) (out []vg.Point) {
		for _, v := range vertices {
			out = append(out, at(x.Points[2*v], x.Points[2*v+1]))
		}
		return out
	}
	for t := range slices.Chunk(x.Triangles, 3) {
		fill(c, simplex(t), alpha(ink, 0.05))
	}
	for e := range slices.Chunk(x.Edges, 2) {
		if x.Heads && x.values == nil {
			halo(c, simplex(e), lineWidth)
		}
	}
	for i := 0; i < len(x.Edges); i += 2 {
		edge := simplex(x.Edges[i : i+2])
		way := edge[1].Sub(edge[0])
		label := "σ" + subscript(i/2)
		switch {
		case x.values != nil:
			label = fmt.Sprintf("%+.1f", x.values[i/2])
			col, tip := x.scale.At(x.values[i/2]), edge[0].Add(way.Scale(0.68))
			// A pale color would be lost on the card.
			line(c, edge, Gray, 3.4*lineWidth)
			line(c, edge, col, 2.6*lineWidth)
			head(c, tip, way, 11, Gray)
			head(c, tip.Sub(way.Scale(1/norm(way))), way, 9, col)
		case x.Heads:
			line(c, edge, ink, lineWidth)
			head(c, edge[0].Add(way.Scale(0.65)), way, 4, ink)
		default:
			line(c, edge, alpha(ink, 0.3), 0.4*lineWidth)
		}
		if x.Numbered {
			away := 1.2 * titleSize / max(norm(way), 1e-9) // the name of a loop stands on its vertex
			middle := edge[0].Add(way.Scale(0.5)).Add(vg.Point{X: away * way.Y, Y: -away * way.X})
			half := textStyle(textSize).Width(label)/2 + 2
			paint(sub(c, middle.X-half, middle.Y-textSize/2, 2*half, textSize), alpha(White, 0.85))
			write(c, label, middle, textSize, text.XCenter, text.YCenter)
		}
	}
	if !x.Heads {
		Points(x.Points, 1.6, nil).Plot(c, plt)
	}
}

// DataRange returns the range of the points, with room for arrowheads if there are any.
func (x *Complex) DataRange() (xmin, xmax, ymin, ymax float64) {
	if x.Heads || x.values != nil {
		return withHeads(x.Points)
	}
	return boundsOf(0, x.Points)
}

// Discs returns discs of a radius around points [P, 2], the cover whose Čech complex one builds, and
// the points.
func Discs(points []float64, radius float64, col color.NRGBA) (layers []plot.Plotter) {
	for p := range slices.Chunk(points, 2) {
		const sides = 48
		ring := make(plotter.XYs, sides)
		for j := range ring {
			sin, cos := math.Sincos(2 * math.Pi * float64(j) / sides)
			ring[j] = plotter.XY{X: p[0] + radius*cos, Y: p[1] + radius*sin}
		}
		layers = append(layers, &plotter.Polygon{
			XYs: []plotter.XYs{ring}, Color: alpha(col, 0.1),
			LineStyle: draw.LineStyle{Color: alpha(col, 0.35), Width: 0.5 * lineWidth},
		})
	}
	return append(layers, Points(points, 1.6, nil))
}

// Points returns a scatter of points [P, 2] as dots of a radius in colors, ink if these are nil.
func Points(at []float64, radius vg.Length, of func(point int) color.NRGBA) *plotter.Scatter {
	s := &plotter.Scatter{XYs: xys(at)}
	s.GlyphStyle = draw.GlyphStyle{Color: Ink, Radius: radius, Shape: draw.CircleGlyph{}}
	if of != nil {
		s.GlyphStyleFunc = func(i int) draw.GlyphStyle {
			style := s.GlyphStyle
			style.Color = of(i)
			return style
		}
	}
	return s
}

// Rings returns the same with rings in place of dots.
func Rings(at []float64, radius vg.Length, of func(point int) color.NRGBA) *plotter.Scatter {
	s := Points(at, radius, of)
	s.Shape = draw.RingGlyph{}
	return s
}

// Curve returns a line through points [P, 2], such as a loss over epochs.
func Curve(points []float64, col color.NRGBA) *plotter.Line {
	return &plotter.Line{XYs: xys(points), LineStyle: draw.LineStyle{Color: col, Width: 1.5 * lineWidth}}
}

// Heat draws a function on a grid, or a matrix, as colored cells.
type Heat struct {
	Rows, Columns          int
	Values                 []float64 // [Rows, Columns], rows from below
	XMin, XMax, YMin, YMax float64   // what the cells cover
	Scale                  *Scale    // nil: from the least value to the greatest
	Smooth                 bool      // values are those of a function at the centers of cells

	zoom int // pixels of a cell along each axis
}

// Dims returns the number of columns and rows of pixels; with X, Y and Z it makes a Heat a plotter.GridXYZ.
func (h *Heat) Dims() (columns, rows int) { return h.zoom * h.Columns, h.zoom * h.Rows }

// X returns the center of a column of pixels.
func (h *Heat) X(column int) float64 {
	return h.XMin + (h.XMax-h.XMin)*(float64(column)+0.5)/float64(h.zoom*h.Columns)
}

// Y returns the center of a row of pixels.
func (h *Heat) Y(row int) float64 {
	return h.YMin + (h.YMax-h.YMin)*(float64(row)+0.5)/float64(h.zoom*h.Rows)
}

// Z returns the value of a pixel.
func (h *Heat) Z(column, row int) float64 { return h.Values[row/h.zoom*h.Columns+column/h.zoom] }

// Plot draws the layer. Viewers interpolate between pixels, which is right for functions; several of
// them for a cell keep those of a matrix apart.
func (h *Heat) Plot(c draw.Canvas, plt *plot.Plot) {
	if len(h.Values) == 0 {
		return
	}
	raster := *h
	if raster.zoom = 1; !h.Smooth {
		raster.zoom = max(1, 300/max(h.Rows, h.Columns))
	}
	scale := scaled(h.Scale, h.Values)
	(&plotter.HeatMap{
		GridXYZ: &raster, Palette: scale, Min: scale.Low, Max: scale.High, NaN: Gray, Rasterized: true,
		Underflow: scale.At(scale.Low), Overflow: scale.At(scale.High),
	}).Plot(c, plt)
}

// DataRange returns the range of the cells.
func (h *Heat) DataRange() (xmin, xmax, ymin, ymax float64) { return h.XMin, h.XMax, h.YMin, h.YMax }
