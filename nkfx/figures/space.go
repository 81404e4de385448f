package figures

import (
	"cmp"
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

// Diagonal is the view along (1, 1, 1), the direction that a softmax of three numbers does not see:
// classes part like the sectors of a disc.
var Diagonal = View{Azimuth: math.Pi / 4, Elevation: math.Atan(math.Sqrt2 / 2)}

// Project returns where a point is seen, and how near it is to the eye.
func (v View) Project(x, y, z float64) (right, up, near float64) {
	sa, ca := math.Sincos(v.Azimuth)
	se, ce := math.Sincos(v.Elevation)
	forward := x*ca + y*sa
	return -x*sa + y*ca, z*ce - forward*se, forward*ce + z*se
}

// Flatten projects points [P, 3] to [P, 2].
func (v View) Flatten(points []float64) (out []float64) {
	for p := range slices.Chunk(points, 3) {
		right, up, _ := v.Project(p[0], p[1], p[2])
		out = append(out, right, up)
	}
	return out
}

// Mesh draws a triangulated surface in space: triangles colored by a value, shaded by a light beside
// the eye, and painted from back to front, and the arrows of a field on it.
type Mesh struct {
	Vertices  []float64 // [V, 3]
	Triangles []int32   // [T, 3]
	Values    []float64 // [T], or [V] if Smooth
	Scale     *Scale
	View      View
	Smooth    bool // values are those of the vertices; a triangle has the color of their mean

	// Field is a vector for each triangle, [T, 3], drawn as an arrow at its barycenter, or nil. The
	// longest that is drawn has length Longest, in units of space; color and length show the strength
	// as in [Arrows].
	Field    []float64
	Strength *Scale
	Longest  float64
}

// face is a triangle to be painted.
type face struct {
	corners r3.Triangle
	color   color.NRGBA
	arrow   bool // part of one, which is neither shaded nor outlined
}

// faces returns the triangles of the surface, and after them those of its arrows.
func (m *Mesh) faces() (out []face) {
	count := len(m.Triangles) / 3
	for t := range count {
		value := 0.0
		switch {
		case m.Smooth:
			for _, v := range m.Triangles[3*t : 3*t+3] {
				value += m.Values[v] / 3
			}
		default:
			value = m.Values[t]
		}
		out = append(out, face{corners: m.triangle(t), color: m.Scale.At(value)})
	}
	if m.Field == nil {
		return out
	}
	for t := range count {
		out = append(out, m.arrow(t)...)
	}
	return out
}

// arrow returns the triangles of the arrow on a triangle, flat on it: two of the shaft, and the head.
func (m *Mesh) arrow(t int) []face {
	way := r3.Vec{X: m.Field[3*t], Y: m.Field[3*t+1], Z: m.Field[3*t+2]}
	strength := r3.Norm(way)
	length := m.Longest * math.Sqrt(m.Strength.share(strength))
	on := m.triangle(t)
	side := r3.Cross(on.Normal(), way)
	if !(length > 0) || r3.Norm(side) == 0 {
		return nil
	}
	way, side = r3.Unit(way), r3.Scale(0.16*length, r3.Unit(side))
	at := func(along, across float64) r3.Vec {
		return r3.Add(on.Centroid(), r3.Add(r3.Scale(along*length, way), r3.Scale(across, side)))
	}
	color := m.Strength.At(strength)
	return []face{
		{r3.Triangle{at(-0.5, -0.3), at(0.1, -0.3), at(0.1, 0.3)}, color, true},
		{r3.Triangle{at(-0.5, -0.3), at(0.1, 0.3), at(-0.5, 0.3)}, color, true},
		{r3.Triangle{at(0.1, -1), at(0.5, 0), at(0.1, 1)}, color, true},
	}
}

// lift is how much nearer to the eye arrows are taken to be than they are, so that the triangles which
// they lie on do not hide them.
func (m *Mesh) lift() float64 { return 1.5 * m.Longest }

// seam returns how dark the edges of triangles are, from 0 to 1: they would hide the colors of small ones.
func (m *Mesh) seam() float64 {
	const few = 600
	if m.Smooth {
		return 0
	}
	return 0.35 * min(1, 3*few/max(1, float64(len(m.Triangles))))
}

// Plot draws the layer.
func (m *Mesh) Plot(c draw.Canvas, plt *plot.Plot) {
	at := place(c, plt)
	faces := m.faces()
	order := make([]int, len(faces))
	depth := make([]float64, len(faces))
	for t, f := range faces {
		order[t] = t
		for _, p := range f.corners {
			_, _, near := m.View.Project(p.X, p.Y, p.Z)
			depth[t] += near / 3
		}
		if f.arrow {
			depth[t] += m.lift()
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(depth[a], depth[b]) })
	for _, t := range order {
		var ring []vg.Point
		for _, p := range faces[t].corners {
			right, up, _ := m.View.Project(p.X, p.Y, p.Z)
			ring = append(ring, at(right, up))
		}
		col, edge := faces[t].color, faces[t].color
		if !faces[t].arrow {
			col = mix(Ink, col, 0.6+0.4*m.View.light(faces[t].corners))
			edge = mix(col, Ink, m.seam())
		}
		fill(c, ring, col)
		line(c, append(ring, ring[0]), edge, 0.4*lineWidth)
	}
}

// triangle returns the corners of a triangle.
func (m *Mesh) triangle(t int) (out r3.Triangle) {
	for i, v := range m.Triangles[3*t : 3*t+3] {
		out[i] = r3.Vec{X: m.Vertices[3*v], Y: m.Vertices[3*v+1], Z: m.Vertices[3*v+2]}
	}
	return out
}

// light returns how directly the light falls on a triangle, from 0 to 1. It stands to the left of the
// eye and above it; both sides are lit.
func (v View) light(on r3.Triangle) float64 {
	sa, ca := math.Sincos(v.Azimuth - 0.6)
	se, ce := math.Sincos(v.Elevation + 0.5)
	normal := on.Normal()
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

// Plot draws the layer. The edges that stand for the axes are those at the outline of the box: the two
// seen lowest and the upright one seen farthest left.
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

// DataRange returns the range of what is seen, with room for the labels.
func (b *Box) DataRange() (xmin, xmax, ymin, ymax float64) {
	var corners []float64
	for bits := range 8 {
		corners = append(corners, b.corner(bits)...)
	}
	flat := b.View.Flatten(corners)
	xmin, xmax, _, _ = boundsOf(0, flat)
	return boundsOf(0.08*(xmax-xmin), flat)
}
