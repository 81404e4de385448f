package figures

import (
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// View is a direction to look from, at infinite distance: an orthographic projection with the third
// axis up.
type View struct {
	Azimuth   float64 // of the eye around the third axis, from the first towards the second; radians
	Elevation float64 // of the eye above the plane of the first two; radians
}

// Front is a view from the front, somewhat above.
var Front = View{Azimuth: -math.Pi / 3, Elevation: math.Pi / 5}

// Diagonal is the view along (1, 1, 1), the direction in which a softmax of three numbers is constant:
// classes appear as sectors of a disc.
var Diagonal = View{Azimuth: math.Pi / 4, Elevation: math.Atan(math.Sqrt2 / 2)}

// project returns the position of a point in the picture, and its depth towards the viewer.
func (v View) project(x, y, z float64) (right, up, near float64) {
	sa, ca := math.Sincos(v.Azimuth)
	se, ce := math.Sincos(v.Elevation)
	forward := x*ca + y*sa
	return -x*sa + y*ca, z*ce - forward*se, forward*ce + z*se
}

// Flatten projects points [P, 3] to [P, 2].
func (v View) Flatten(points []float64) (out []float64) {
	for p := range slices.Chunk(points, 3) {
		right, up, _ := v.project(p[0], p[1], p[2])
		out = append(out, right, up)
	}
	return out
}

// Mesh draws a triangulated surface in space, colored by a value and shaded by a light near the viewer, and
// the arrows of a field on it. Nearer triangles hide those behind.
type Mesh struct {
	Vertices  []float64 // [V, 3]
	Triangles []int32   // [T, 3]
	Values    []float64 // [T], or [V] if Smooth; or one for all; nil: all have the full color
	Scale     *Scale    // nil: from the least value to the greatest
	View      View
	// Smooth says that values are those of the vertices: they are interpolated, with a line at every tenth of
	// the scale, and light falls on the surface as if it were smooth where edges are blunt.
	Smooth bool

	// Field is a vector for each triangle, [T, 3], drawn as an arrow at its barycenter, or nil. The
	// longest that is drawn has length Longest, in units of space; color and length show the strength
	// as in [Arrows].
	Field    []float64
	Strength *Scale // nil: from 0 to the longest
	Longest  float64
}

// facets are triangles that are painted alike.
type facets struct {
	corners []r3.Triangle
	normals [][3]r3.Vec // of the corners, for the light; nil for arrows, which are not shaded
	values  [][3]float64
	scale   *Scale
	lines   bool    // at every tenth of the scale
	seam    float64 // how dark the edges are, from 0 to 1
	lift    float64 // how much nearer to the eye they are taken to be than they are
}

// parts returns the surface, and its arrows if it has a field.
func (m *Mesh) parts() []facets {
	surface := facets{normals: m.normals(), scale: scaled(m.Scale, m.Values), lines: m.Smooth}
	all := m.Values
	if len(all) == 0 {
		all = []float64{surface.scale.High}
	}
	count := len(m.Triangles) / 3
	if !m.Smooth { // dark edges would hide the colors of small triangles
		surface.seam = 0.35 * min(1, 600/max(1, float64(count)))
	}
	// The lift keeps the triangles that arrows lie on from hiding them.
	arrows := facets{scale: m.strength(), lift: 0.1 * m.Longest}
	for t := range count {
		surface.corners = append(surface.corners, m.triangle(t))
		var values [3]float64
		for i, v := range m.Triangles[3*t : 3*t+3] {
			switch {
			case len(all) == 1:
				values[i] = all[0]
			case m.Smooth:
				values[i] = all[v]
			default:
				values[i] = all[t]
			}
		}
		surface.values = append(surface.values, values)
		if m.Field != nil {
			arrow, strength := m.arrow(t, arrows.scale)
			arrows.corners = append(arrows.corners, arrow...)
			for range arrow {
				arrows.values = append(arrows.values, [3]float64{strength, strength, strength})
			}
		}
	}
	if m.Field == nil {
		return []facets{surface}
	}
	return []facets{surface, arrows}
}

// normals returns those of the corners of all triangles. On a smooth surface the normal of a corner is the
// sum of those of the triangles there, with their areas as weights, but for those beyond an edge of 60°. They
// are oriented alike there, however the triangles are.
func (m *Mesh) normals() [][3]r3.Vec {
	const blunt = 0.5 // cosine
	around := make([][]r3.Vec, len(m.Vertices)/3)
	out := make([][3]r3.Vec, len(m.Triangles)/3)
	for t := range out {
		normal := m.triangle(t).Normal()
		out[t] = [3]r3.Vec{normal, normal, normal}
		for _, v := range m.Triangles[3*t : 3*t+3] {
			around[v] = append(around[v], normal)
		}
	}
	for t := range out {
		for i, own := range out[t] {
			if m.Smooth && own != (r3.Vec{}) {
				var sum r3.Vec
				for _, n := range around[m.Triangles[3*t+i]] {
					if cos := r3.Dot(n, own) / (r3.Norm(n)*r3.Norm(own) + 1e-300); math.Abs(cos) > blunt {
						sum = r3.Add(sum, r3.Scale(math.Copysign(1, cos), n))
					}
				}
				out[t][i] = sum
			}
			if out[t][i] != (r3.Vec{}) {
				out[t][i] = r3.Unit(out[t][i])
			}
		}
	}
	return out
}

// strength returns the scale of the arrows.
func (m *Mesh) strength() *Scale {
	if m.Strength != nil {
		return m.Strength
	}
	longest := 0.0
	for v := range slices.Chunk(m.Field, 3) {
		longest = max(longest, r3.Norm(r3.Vec{X: v[0], Y: v[1], Z: v[2]}))
	}
	return Strength(longest)
}

// arrow returns the triangles of the arrow on a triangle, flat on it, two of the shaft and the head, and its
// strength.
func (m *Mesh) arrow(t int, scale *Scale) ([]r3.Triangle, float64) {
	way := r3.Vec{X: m.Field[3*t], Y: m.Field[3*t+1], Z: m.Field[3*t+2]}
	strength := r3.Norm(way)
	length := m.Longest * math.Sqrt(scale.share(strength))
	on := m.triangle(t)
	side := r3.Cross(on.Normal(), way)
	if !(length > 0) || r3.Norm(side) == 0 {
		return nil, 0
	}
	way, side = r3.Unit(way), r3.Scale(0.16*length, r3.Unit(side))
	at := func(along, across float64) r3.Vec {
		return r3.Add(on.Centroid(), r3.Add(r3.Scale(along*length, way), r3.Scale(across, side)))
	}
	return []r3.Triangle{
		{at(-0.5, -0.3), at(0.1, -0.3), at(0.1, 0.3)},
		{at(-0.5, -0.3), at(0.1, 0.3), at(-0.5, 0.3)},
		{at(0.1, -1), at(0.5, 0), at(0.1, 1)},
	}, strength
}

// Plot draws the layer.
func (m *Mesh) Plot(c draw.Canvas, plt *plot.Plot) {
	at := place(c, plt)
	const density = 4 // pixels per point; a figure has two, each of which is a mean
	size := c.Rectangle.Size()
	r := newRaster(int(density*size.X), int(density*size.Y))
	for _, part := range m.parts() {
		for t, corners := range part.corners {
			var screen [3]r3.Vec
			for i, p := range corners {
				right, up, near := m.View.project(p.X, p.Y, p.Z)
				q := at(right, up)
				screen[i] = r3.Vec{X: density * float64(q.X-c.Min.X), Y: density * float64(c.Max.Y-q.Y),
					Z: near + part.lift}
			}
			r.triangle(screen, func(w, dx, dy r3.Vec) color.NRGBA { return part.color(m.View, t, w, dx, dy) })
		}
	}
	c.DrawImage(c.Rectangle, r.half())
}

// color returns the color of triangle t at a point with barycentric coordinates w, which change by dx and dy
// from a pixel to the next.
func (f *facets) color(view View, t int, w, dx, dy r3.Vec) color.NRGBA {
	values := r3.Vec{X: f.values[t][0], Y: f.values[t][1], Z: f.values[t][2]}
	// Few colors and few shades make small files.
	const tints, shades = 128, 32
	value := r3.Dot(w, values)
	if share := f.scale.share(value); !math.IsNaN(value) {
		value = f.scale.Low + (f.scale.High-f.scale.Low)*math.Round(share*tints)/tints
	}
	col := f.scale.At(value)
	if f.normals == nil {
		return col
	}
	levels := 10 / (f.scale.High - f.scale.Low)
	level := levels * (r3.Dot(w, values) - f.scale.Low)
	slope := levels * math.Hypot(r3.Dot(dx, values), r3.Dot(dy, values))
	if f.lines && slope > 1e-9 && math.Abs(level-math.Round(level)) < slope { // not all of a level triangle
		col = mix(col, Ink, 0.35)
	}
	n := f.normals[t]
	normal := r3.Add(r3.Scale(w.X, n[0]), r3.Add(r3.Scale(w.Y, n[1]), r3.Scale(w.Z, n[2])))
	col = mix(Ink, col, 0.6+0.4*math.Round(shades*view.light(normal))/shades)
	if min(w.X/math.Hypot(dx.X, dy.X), w.Y/math.Hypot(dx.Y, dy.Y), w.Z/math.Hypot(dx.Z, dy.Z)) < 1 {
		col = mix(col, Ink, f.seam)
	}
	return col
}

// triangle returns the corners of a triangle.
func (m *Mesh) triangle(t int) (out r3.Triangle) {
	for i, v := range m.Triangles[3*t : 3*t+3] {
		out[i] = r3.Vec{X: m.Vertices[3*v], Y: m.Vertices[3*v+1], Z: m.Vertices[3*v+2]}
	}
	return out
}

// light returns how directly the light falls on a surface with that normal, from 0 to 1. It stands to the
// left of the eye and above it; both sides are lit.
func (v View) light(normal r3.Vec) float64 {
	sa, ca := math.Sincos(v.Azimuth - 0.6)
	se, ce := math.Sincos(v.Elevation + 0.5)
	if normal == (r3.Vec{}) {
		return 0
	}
	return math.Abs(r3.Cos(normal, r3.Vec{X: ca * ce, Y: sa * ce, Z: se}))
}

// DataRange returns the range of what is seen.
func (m *Mesh) DataRange() (xmin, xmax, ymin, ymax float64) {
	return boundsOf(0, m.View.Flatten(m.Vertices))
}

// Box draws the edges of a box in space, with labels for the three axes.
type Box struct {
	Low, High [3]float64
	Labels    [3]string
	View      View
}

// corner returns the corner that is high along the axes whose bits are set.
func (b *Box) corner(bits int) []float64 {
	p := b.Low
	for i := range 3 {
		if bits>>i&1 == 1 {
			p[i] = b.High[i]
		}
	}
	return p[:]
}

// Plot draws the layer. The labeled edges are on the outline of the box: the two lowest ones and the leftmost
// vertical one.
func (b *Box) Plot(c draw.Canvas, plt *plot.Plot) {
	at := place(c, plt)
	var center [3]float64
	for i := range center {
		center[i] = (b.Low[i] + b.High[i]) / 2
	}
	middle := b.View.Flatten(center[:])
	for axis, label := range b.Labels {
		var outline []float64 // the edge, and how far it is from the outline
		for from := range 8 {
			if from>>axis&1 == 1 {
				continue
			}
			edge := b.View.Flatten(append(b.corner(from), b.corner(from|1<<axis)...))
			line(c, []vg.Point{at(edge[0], edge[1]), at(edge[2], edge[3])}, Faint, 0.6*lineWidth)
			if edge = append(edge, edge[1]+edge[3]); axis == 2 {
				edge[4] = edge[0]
			}
			if outline == nil || edge[4] < outline[4] {
				outline = edge
			}
		}
		line(c, []vg.Point{at(outline[0], outline[1]), at(outline[2], outline[3])}, Gray, 0.6*lineWidth)
		x, y := (outline[0]+outline[2])/2, (outline[1]+outline[3])/2
		outside := at(x+0.22*(x-middle[0]), y+0.22*(y-middle[1]))
		write(c, label, outside, textSize-1, text.XCenter, text.YCenter)
	}
}

// DataRange returns the visible range, with space for the labels.
func (b *Box) DataRange() (xmin, xmax, ymin, ymax float64) {
	var corners []float64
	for bits := range 8 {
		corners = append(corners, b.corner(bits)...)
	}
	flat := b.View.Flatten(corners)
	xmin, xmax, _, _ = boundsOf(0, flat)
	return boundsOf(0.08*(xmax-xmin), flat)
}
