package figures

import (
	"image"
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Arrows draws a vector field at points of the plane. Arrows are centred at
// their points; colour shows the strength linearly and length its square
// root, so that weak parts stay visible.
type Arrows struct {
	Points  []float64 // [P, 2]
	Vectors []float64 // [P, 2]
	Scale   *Scale    // of strengths
	Longest float64   // length of an arrow with strength Scale.High, in units of the plane
}

// FieldsOf returns 1-forms on the plane as vector fields on one scale, given
// their coefficients [P, 2, forms] at points [P, 2], as those of package layers
// return them. No arrow is longer than longest.
func FieldsOf(points, coefficients []float64, forms int, longest float64) []*Arrows {
	out := make([]*Arrows, forms)
	var strengths []float64
	for j := range out {
		out[j] = &Arrows{Points: points, Longest: longest}
		for i := 0; i < len(points); i += 2 {
			u, v := coefficients[i*forms+j], coefficients[(i+1)*forms+j]
			out[j].Vectors = append(out[j].Vectors, u, v)
			strengths = append(strengths, math.Hypot(u, v))
		}
	}
	scale := Strength(Typical(strengths))
	for _, a := range out {
		a.Scale = scale
	}
	return out
}

// Plot draws the layer.
func (a *Arrows) Plot(c draw.Canvas, plt *plot.Plot) {
	at := place(c, plt)
	for i := 0; i+1 < len(a.Points); i += 2 {
		u, v := a.Vectors[i], a.Vectors[i+1]
		strength := math.Hypot(u, v)
		length := a.Longest * math.Sqrt(a.Scale.share(strength))
		if length == 0 || strength == 0 || math.IsNaN(length) {
			continue
		}
		dx, dy := u/strength*length/2, v/strength*length/2
		tail, tip := at(a.Points[i]-dx, a.Points[i+1]-dy), at(a.Points[i]+dx, a.Points[i+1]+dy)
		col := a.Scale.At(strength)
		x, y := float64(tip.X-tail.X), float64(tip.Y-tail.Y)
		size := vg.Length(math.Min(4.5, 0.5*math.Hypot(x, y)))
		n := vg.Length(math.Hypot(x, y))
		neck := vg.Point{X: tip.X - vg.Length(x)*0.8*size/n, Y: tip.Y - vg.Length(y)*0.8*size/n}
		line(c, []vg.Point{tail, neck}, col, lineWidth)
		head(c, tip, x, y, size, col)
	}
}

// DataRange returns the range of the points.
func (a *Arrows) DataRange() (xmin, xmax, ymin, ymax float64) { return boundsOf(a.Longest/2, a.Points) }

// Routes draws oriented paths in the plane, with arrowheads at their ends.
type Routes struct {
	Paths [][]float64 // each [P, 2]
	Color color.NRGBA
}

// Plot draws the layer.
func (r *Routes) Plot(c draw.Canvas, plt *plot.Plot) {
	at := place(c, plt)
	for _, p := range r.Paths {
		points := make([]vg.Point, len(p)/2)
		for i := range points {
			points[i] = at(p[2*i], p[2*i+1])
		}
		halo(c, points, 1.2*lineWidth)
		line(c, points, r.Color, 1.2*lineWidth)
		// The last edges are short and noisy: the direction is from some
		// way back.
		last := len(points) - 1
		for back := last - 1; back >= 0; back-- {
			x, y := float64(points[last].X-points[back].X), float64(points[last].Y-points[back].Y)
			if math.Hypot(x, y) > 6 || back == 0 {
				head(c, points[last], x, y, 6, r.Color)
				break
			}
		}
	}
}

// DataRange returns the range of the points.
func (r *Routes) DataRange() (xmin, xmax, ymin, ymax float64) { return boundsOf(0, r.Paths...) }

// Complex draws a complex in the plane: triangles filled, edges, and points.
type Complex struct {
	Points    []float64 // [V, 2]
	Edges     []int32   // [E, 2]
	Triangles []int32   // [T, 3]
	Color     color.NRGBA
	Heads     bool // show the orientation of the edges
	Numbered  bool // write σ₁, σ₂, … to the right of the edges, as they are oriented
}

// Plot draws the layer.
func (x *Complex) Plot(c draw.Canvas, plt *plot.Plot) {
	at := place(c, plt)
	corner := func(v int32) vg.Point { return at(x.Points[2*v], x.Points[2*v+1]) }
	for i := 0; i+2 < len(x.Triangles); i += 3 {
		t := x.Triangles[i : i+3]
		fill(c, []vg.Point{corner(t[0]), corner(t[1]), corner(t[2])}, alpha(x.Color, 0.05))
	}
	for i := 0; x.Heads && i+1 < len(x.Edges); i += 2 {
		halo(c, []vg.Point{corner(x.Edges[i]), corner(x.Edges[i+1])}, lineWidth)
	}
	for i := 0; i+1 < len(x.Edges); i += 2 {
		p, q := corner(x.Edges[i]), corner(x.Edges[i+1])
		if x.Heads {
			line(c, []vg.Point{p, q}, x.Color, lineWidth)
			middle := vg.Point{X: p.X + 0.65*(q.X-p.X), Y: p.Y + 0.65*(q.Y-p.Y)}
			head(c, middle, float64(q.X-p.X), float64(q.Y-p.Y), 4, x.Color)
			continue
		}
		line(c, []vg.Point{p, q}, alpha(x.Color, 0.3), 0.4*lineWidth)
	}
	for i := 0; x.Numbered && i+1 < len(x.Edges); i += 2 {
		p, q := corner(x.Edges[i]), corner(x.Edges[i+1])
		dx, dy := q.X-p.X, q.Y-p.Y
		away := titleSize / vg.Length(math.Max(1, math.Hypot(float64(dx), float64(dy))))
		at := vg.Point{X: (p.X+q.X)/2 + away*dy, Y: (p.Y+q.Y)/2 - away*dx}
		write(c, "σ"+subscript(i/2), at, textSize, text.XCenter, text.YCenter)
	}
	if !x.Heads {
		dots(c, at, x.Points, func(int) color.NRGBA { return Ink }, 1.6, false)
	}
}

// DataRange returns the range of the points.
func (x *Complex) DataRange() (xmin, xmax, ymin, ymax float64) { return boundsOf(0, x.Points) }

// Discs draws discs around points: the cover whose Čech complex one builds.
type Discs struct {
	Points []float64 // [P, 2]
	Radius float64
	Color  color.NRGBA
}

// Plot draws the layer.
func (d *Discs) Plot(c draw.Canvas, plt *plot.Plot) {
	at := place(c, plt)
	const corners = 48
	for i := 0; i+1 < len(d.Points); i += 2 {
		ring := make([]vg.Point, corners+1)
		for j := range ring {
			sin, cos := math.Sincos(2 * math.Pi * float64(j) / corners)
			ring[j] = at(d.Points[i]+d.Radius*cos, d.Points[i+1]+d.Radius*sin)
		}
		fill(c, ring[:corners], alpha(d.Color, 0.1))
		line(c, ring, alpha(d.Color, 0.35), 0.5*lineWidth)
	}
	dots(c, at, d.Points, func(int) color.NRGBA { return Ink }, 1.6, false)
}

// DataRange returns the range of the discs.
func (d *Discs) DataRange() (xmin, xmax, ymin, ymax float64) { return boundsOf(d.Radius, d.Points) }

// Points draws a scatter of points.
type Points struct {
	At     []float64                   // [P, 2]
	Color  func(point int) color.NRGBA // ink where it is nil
	Hollow bool                        // rings instead of dots
	Size   vg.Length                   // radius; 0 for the usual
}

// Plot draws the layer.
func (p *Points) Plot(c draw.Canvas, plt *plot.Plot) {
	col, size := p.Color, p.Size
	if col == nil {
		col = func(int) color.NRGBA { return Ink }
	}
	if size == 0 {
		size = 2
	}
	dots(c, place(c, plt), p.At, col, size, p.Hollow)
}

// DataRange returns the range of the points, with room for the dots.
func (p *Points) DataRange() (xmin, xmax, ymin, ymax float64) {
	xmin, xmax, ymin, ymax = boundsOf(0, p.At)
	return boundsOf(0.05*max(xmax-xmin, ymax-ymin), p.At)
}

// dots draws points within the canvas.
func dots(c draw.Canvas, at func(x, y float64) vg.Point, points []float64, col func(int) color.NRGBA,
	size vg.Length, hollow bool) {
	for i := range len(points) / 2 {
		p := at(points[2*i], points[2*i+1])
		if !c.Contains(p) {
			continue
		}
		style := draw.GlyphStyle{Color: col(i), Radius: size, Shape: draw.CircleGlyph{}}
		if hollow {
			style.Shape = draw.RingGlyph{}
		}
		c.DrawGlyph(style, p)
	}
}

// Heat draws a function on a grid, or a matrix, as coloured cells.
type Heat struct {
	Rows, Columns          int
	Values                 []float64 // [Rows, Columns], rows from below
	XMin, XMax, YMin, YMax float64   // what the cells cover
	Scale                  *Scale
	Smooth                 bool // values are those of a function at the centres of cells
}

// Plot draws the layer.
func (h *Heat) Plot(c draw.Canvas, plt *plot.Plot) {
	if len(h.Values) < h.Rows*h.Columns || h.Rows < 1 || h.Columns < 1 {
		return
	}
	at := place(c, plt)
	// Several pixels for a cell keep viewers from blurring them.
	zoom := max(1, 300/max(h.Rows, h.Columns))
	img := image.NewNRGBA(image.Rect(0, 0, h.Columns*zoom, h.Rows*zoom))
	for y := range h.Rows * zoom {
		for x := range h.Columns * zoom {
			v := h.Values[y/zoom*h.Columns+x/zoom]
			if h.Smooth {
				v = h.between((float64(x)+0.5)/float64(zoom)-0.5, (float64(y)+0.5)/float64(zoom)-0.5)
			}
			img.SetNRGBA(x, h.Rows*zoom-1-y, h.Scale.At(v))
		}
	}
	c.DrawImage(vg.Rectangle{Min: at(h.XMin, h.YMin), Max: at(h.XMax, h.YMax)}, img)
}

// between interpolates the values bilinearly at a place that is counted in
// cells from the centre of the first, and goes on as at the border beyond it.
func (h *Heat) between(x, y float64) float64 {
	x, y = math.Max(0, math.Min(x, float64(h.Columns-1))), math.Max(0, math.Min(y, float64(h.Rows-1)))
	left, below := int(x), int(y)
	right, above := min(left+1, h.Columns-1), min(below+1, h.Rows-1)
	s, t := x-float64(left), y-float64(below)
	at := func(row, column int) float64 { return h.Values[row*h.Columns+column] }
	return (1-t)*((1-s)*at(below, left)+s*at(below, right)) + t*((1-s)*at(above, left)+s*at(above, right))
}

// DataRange returns what the cells cover.
func (h *Heat) DataRange() (xmin, xmax, ymin, ymax float64) { return h.XMin, h.XMax, h.YMin, h.YMax }

// Curves draws lines in the plane, such as a loss over epochs.
type Curves struct {
	Lines  [][]float64 // each [P, 2]
	Colors []color.NRGBA
}

// Plot draws the layer.
func (l *Curves) Plot(c draw.Canvas, plt *plot.Plot) {
	at := place(c, plt)
	for i, p := range l.Lines {
		points := make([]vg.Point, len(p)/2)
		for j := range points {
			points[j] = at(p[2*j], p[2*j+1])
		}
		col := l.Colors[i%len(l.Colors)]
		line(c, points, col, 1.5*lineWidth)
		if len(points) == 1 {
			dots(c, at, p, func(int) color.NRGBA { return col }, 2, false)
		}
	}
}

// DataRange returns the range of the lines.
func (l *Curves) DataRange() (xmin, xmax, ymin, ymax float64) { return boundsOf(0, l.Lines...) }
