package figures

import (
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// View is a direction to look from, at infinite distance: an orthographic
// projection with the third axis up.
type View struct {
	Azimuth   float64 // of the eye around the third axis, from the first towards the second; radians
	Elevation float64 // of the eye above the plane of the first two; radians
}

// Usual is a view from the front, somewhat above.
var Usual = View{Azimuth: -math.Pi / 3, Elevation: math.Pi / 5}

// Diagonal is the view along (1, 1, 1), the direction that a softmax of three
// numbers does not see: classes part like the sectors of a disc.
var Diagonal = View{Azimuth: math.Pi / 4, Elevation: math.Atan(math.Sqrt2 / 2)}

// Project returns where a point is seen, and how near it is to the eye.
func (v View) Project(x, y, z float64) (right, up, near float64) {
	sa, ca := math.Sincos(v.Azimuth)
	se, ce := math.Sincos(v.Elevation)
	forward := x*ca + y*sa
	return -x*sa + y*ca, z*ce - forward*se, forward*ce + z*se
}

// Flatten projects points [P, 3] to [P, 2].
func (v View) Flatten(points []float64) []float64 {
	out := make([]float64, 0, len(points)/3*2)
	for i := 0; i+2 < len(points); i += 3 {
		right, up, _ := v.Project(points[i], points[i+1], points[i+2])
		out = append(out, right, up)
	}
	return out
}

// Mesh draws a triangulated surface in space: triangles coloured by a value,
// shaded by a light beside the eye, and painted from back to front.
type Mesh struct {
	Vertices  []float64 // [V, 3]
	Triangles []int32   // [T, 3]
	Values    []float64 // [T]
	Scale     *Scale
	View      View
}

// Plot draws the layer.
func (m *Mesh) Plot(c draw.Canvas, plt *plot.Plot) {
	at := place(c, plt)
	order := make([]int, len(m.Triangles)/3)
	depth := make([]float64, len(order))
	for t := range order {
		order[t] = t
		for _, v := range m.Triangles[3*t : 3*t+3] {
			_, _, near := m.View.Project(m.Vertices[3*v], m.Vertices[3*v+1], m.Vertices[3*v+2])
			depth[t] += near
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case depth[a] < depth[b]:
			return -1
		case depth[a] > depth[b]:
			return 1
		}
		return 0
	})
	flat := m.View.Flatten(m.Vertices)
	for _, t := range order {
		var ring []vg.Point
		for _, v := range m.Triangles[3*t : 3*t+3] {
			ring = append(ring, at(flat[2*v], flat[2*v+1]))
		}
		light := m.light(m.Triangles[3*t : 3*t+3])
		col := mix(Ink, m.Scale.At(m.Values[t]), 0.6+0.4*light)
		fill(c, ring, col)
		line(c, append(ring, ring[0]), mix(col, Ink, 0.35), 0.4*lineWidth)
	}
}

// light returns how directly the light falls on a triangle, from 0 to 1. It
// stands to the left of the eye and above it; both sides are lit.
func (m *Mesh) light(triangle []int32) float64 {
	var e [2][3]float64
	for i := range e {
		for j := range 3 {
			e[i][j] = m.Vertices[3*triangle[i+1]+int32(j)] - m.Vertices[3*triangle[0]+int32(j)]
		}
	}
	n := [3]float64{
		e[0][1]*e[1][2] - e[0][2]*e[1][1],
		e[0][2]*e[1][0] - e[0][0]*e[1][2],
		e[0][0]*e[1][1] - e[0][1]*e[1][0],
	}
	sa, ca := math.Sincos(m.View.Azimuth - 0.6)
	se, ce := math.Sincos(m.View.Elevation + 0.5)
	length := math.Sqrt(n[0]*n[0] + n[1]*n[1] + n[2]*n[2])
	if length == 0 {
		return 0
	}
	return math.Abs(n[0]*ca*ce+n[1]*sa*ce+n[2]*se) / length
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

// Plot draws the layer.
func (b *Box) Plot(c draw.Canvas, plt *plot.Plot) {
	at := place(c, plt)
	corner := func(bits int) [3]float64 {
		p := b.Low
		for i := range 3 {
			if bits>>i&1 == 1 {
				p[i] = b.High[i]
			}
		}
		return p
	}
	put := func(p [3]float64) vg.Point {
		x, y, _ := b.View.Project(p[0], p[1], p[2])
		return at(x, y)
	}
	for from := range 8 {
		for axis := range 3 {
			if to := from | 1<<axis; to != from {
				line(c, []vg.Point{put(corner(from)), put(corner(to))}, Faint, 0.6*lineWidth)
			}
		}
	}
	// The edges that stand for the axes are those at the outline of the box:
	// two at the bottom, towards the eye, and the upright one at the left.
	front, side := 0, 0 // the corners with y, and with x, towards the eye
	if math.Sin(b.View.Azimuth) > 0 {
		front = 2
	}
	if math.Cos(b.View.Azimuth) > 0 {
		side = 1
	}
	left := front>>1 | (2 - 2*side) // x as far as y of front, y opposite to x of side
	for axis, from := range [3]int{front, side, left} {
		low, high := corner(from), corner(from|1<<axis)
		line(c, []vg.Point{put(low), put(high)}, Grey, 0.6*lineWidth)
		var at [3]float64 // outside the middle of the edge
		for i := range 3 {
			middle := (b.Low[i] + b.High[i]) / 2
			at[i] = (low[i] + high[i]) / 2
			if i < 2 {
				at[i] += 0.22 * (at[i] - middle)
			}
		}
		write(c, b.Labels[axis], put(at), textSize-1, text.XCenter, text.YCenter)
	}
}

// DataRange returns the range of what is seen, with room for the labels.
func (b *Box) DataRange() (xmin, xmax, ymin, ymax float64) {
	var corners []float64
	for bits := range 8 {
		for i := range 3 {
			if bits>>i&1 == 1 {
				corners = append(corners, b.High[i])
			} else {
				corners = append(corners, b.Low[i])
			}
		}
	}
	flat := b.View.Flatten(corners)
	xmin, xmax, _, _ = boundsOf(0, flat)
	return boundsOf(0.08*(xmax-xmin), flat)
}
