package mesh

import "math"

type vector [3]float64

func (a vector) sub(b vector) vector { return vector{a[0] - b[0], a[1] - b[1], a[2] - b[2]} }
func (a vector) add(b vector) vector { return vector{a[0] + b[0], a[1] + b[1], a[2] + b[2]} }

func (a vector) scale(s float64) vector { return vector{s * a[0], s * a[1], s * a[2]} }

func (a vector) dot(b vector) float64 { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }

func (a vector) norm() float64 { return math.Sqrt(a.dot(a)) }

func (a vector) cross(b vector) vector {
	return vector{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
}

// point returns the coordinates of a vertex.
func (m *Mesh) point(v int32) vector { return vector(m.Vertices[3*v : 3*v+3]) }

// corners returns the corners of triangle t.
func (m *Mesh) corners(t int) (a, b, c vector) {
	i := m.Triangles[3*t : 3*t+3]
	return m.point(i[0]), m.point(i[1]), m.point(i[2])
}

// areaNormal returns the normal of triangle t whose length is twice the area.
func (m *Mesh) areaNormal(t int) vector {
	a, b, c := m.corners(t)
	return b.sub(a).cross(c.sub(a))
}

// unitNormal returns the normal of triangle t, 0 if its area is.
func (m *Mesh) unitNormal(t int) vector {
	n := m.areaNormal(t)
	if length := n.norm(); length > 0 {
		return n.scale(1 / length)
	}
	return vector{}
}

// wider reports whether triangle t is wider than a share of its longest side.
func (m *Mesh) wider(t int, share float64) bool {
	a, b, c := m.corners(t)
	longest := max(b.sub(a).norm(), c.sub(b).norm(), a.sub(c).norm())
	return m.areaNormal(t).norm() > share*longest*longest
}

// Areas returns the area of each triangle.
func (m *Mesh) Areas() []float64 {
	areas := make([]float64, len(m.Triangles)/3)
	for t := range areas {
		areas[t] = m.areaNormal(t).norm() / 2
	}
	return areas
}

// Area returns the area of the surface, where repeated triangles count repeatedly, and its centroid; without
// area, the mean of the vertices.
func (m *Mesh) Area() (area float64, centroid [3]float64) {
	return m.integrate(func(t int, _, _, _ vector) (share, third float64) {
		twice := m.areaNormal(t).norm()
		return twice / 2, twice / 6
	})
}

// Volume returns the volume inside of a closed surface and its centroid by the theorem of Stokes, as
// integrals over the surface: of the form (x dy∧dz + y dz∧dx + z dx∧dy)/3, whose derivative is the volume
// form, and of x²/2 dy∧dz and so on. A surface oriented inwards has a negative volume. If the surface is not
// closed, see [Report], the numbers have no meaning. If the volume is 0, the centroid is the mean of the
// vertices.
func (m *Mesh) Volume() (volume float64, centroid [3]float64) {
	return m.integrate(func(_ int, a, b, c vector) (share, fourth float64) {
		six := a.dot(b.cross(c)) // times the volume of the simplex with the origin
		return six / 6, six / 24
	})
}

// integrate returns a sum over the triangles and the centroid of what is summed up. A function returns the
// share of a triangle with corners a, b, c seen from the mean of the vertices, and the weight of each corner.
// From an origin far away the terms of volumes would cancel.
func (m *Mesh) integrate(term func(t int, a, b, c vector) (share, weight float64)) (float64, [3]float64) {
	var origin, moment vector
	vertices, triangles := m.Len()
	for v := range vertices {
		origin = origin.add(m.point(int32(v)))
	}
	origin = origin.scale(1 / math.Max(1, float64(vertices)))
	sum := 0.0
	for t := range triangles {
		a, b, c := m.corners(t)
		a, b, c = a.sub(origin), b.sub(origin), c.sub(origin)
		share, weight := term(t, a, b, c)
		sum += share
		moment = moment.add(a.add(b).add(c).scale(weight))
	}
	if sum == 0 {
		return 0, origin
	}
	return sum, origin.add(moment.scale(1 / sum))
}
