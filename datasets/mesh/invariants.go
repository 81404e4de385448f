package mesh

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// scales are after how many averages over neighbors the surface around a vertex is described.
var scales = [...]int{4, 16, 64}

// columns of [Mesh.Invariants].
const (
	logs       = 3 + 5*len(scales)
	Invariants = logs + 2 // columns of [Mesh.Invariants]
)

// Invariants returns numbers that describe the surface around each vertex, [V, Invariants], row after row. No
// rotation, reflection or shift of the mesh changes them, nor does the orientation of triangles.
//
// Of a surface with centroid c they are the logarithms of lengths: the distance of the vertex from c, the
// root of its area (a third of that of the triangles around it), and the mean length of its edges; then,
// after 4, 16 and 64 averages of points over neighbors, the distance of the vertex from the mean, the mean
// distance from c, and the three roots of the eigenvalues of the covariance, ascending. The last two columns
// are the mean of 1 - |cos| of the angles between triangles that meet at its edges and the logarithm of 1 +
// the number of its edges. To each length 0.003 of the root of the surface's area is added, which bounds the
// logarithms. Scaling the mesh adds a constant to the first columns.
func (m *Mesh) Invariants() []float64 {
	vertices, _ := m.Len()
	e := m.edges()
	n := m.neighbors(e)
	area, centroid := m.Area()
	x := make([]vector, vertices)
	for v := range x {
		x[v] = m.point(int32(v)).sub(centroid)
	}
	out := make([]float64, vertices*Invariants)
	column := 0
	set := func(f func(v int) float64) {
		for v := range vertices {
			out[v*Invariants+column] = f(v)
		}
		column++
	}
	least := 3e-3 * math.Sqrt(area)
	if area == 0 {
		least = 3e-3
	}
	log := func(length float64) float64 { return math.Log(length + least) }
	set(func(v int) float64 { return log(x[v].norm()) })
	areas := m.vertexAreas()
	set(func(v int) float64 { return log(math.Sqrt(areas[v])) })
	set(func(v int) float64 {
		sum := 0.0
		for _, u := range n.of(v) {
			sum += x[u].sub(x[v]).norm()
		}
		return log(sum / math.Max(1, float64(len(n.of(v)))))
	})
	moments, done := newMoments(x), 0
	for _, scale := range scales {
		for ; done < scale; done++ {
			moments.average(n)
		}
		mean, radius, spread := moments.describe()
		set(func(v int) float64 { return log(x[v].sub(mean[v]).norm()) })
		set(func(v int) float64 { return log(radius[v]) })
		for i := range 3 {
			set(func(v int) float64 { return log(spread[v][i]) })
		}
	}
	bend := m.bends(e)
	set(func(v int) float64 { return bend[v] })
	set(func(v int) float64 { return math.Log1p(float64(len(n.of(v)))) })
	return out
}

// moments are averages over parts of the surface: of points, of their distances from the origin, and of their
// products.
type moments struct{ now, next [][10]float64 }

// newMoments returns those of the points alone.
func newMoments(x []vector) *moments {
	m := &moments{now: make([][10]float64, len(x)), next: make([][10]float64, len(x))}
	for v, p := range x {
		m.now[v] = [10]float64{p[0], p[1], p[2], p.norm(), p[0] * p[0], p[0] * p[1], p[0] * p[2], p[1] * p[1],
			p[1] * p[2], p[2] * p[2]}
	}
	return m
}

// average takes means of each vertex with its neighbors.
func (m *moments) average(n neighbors) {
	for v := range m.now {
		sum := m.now[v]
		for _, u := range n.of(v) {
			for i, x := range m.now[u] {
				sum[i] += x
			}
		}
		for i := range sum {
			sum[i] /= float64(1 + len(n.of(v)))
		}
		m.next[v] = sum
	}
	m.now, m.next = m.next, m.now
}

// describe returns the mean, the mean distance and the principal deviations, ascending.
func (m *moments) describe() (mean []vector, radius []float64, spread []vector) {
	mean, radius, spread = make([]vector, len(m.now)), make([]float64, len(m.now)), make([]vector, len(m.now))
	var eigen mat.EigenSym
	covariance := mat.NewSymDense(3, nil)
	for v, x := range m.now {
		mean[v], radius[v] = vector(x[:3]), x[3]
		for i, c := 0, 4; i < 3; i++ {
			for j := i; j < 3; j++ {
				covariance.SetSym(i, j, x[c]-x[i]*x[j])
				c++
			}
		}
		if eigen.Factorize(covariance, false) {
			for i, value := range eigen.Values(nil) {
				spread[v][i] = math.Sqrt(math.Max(0, value))
			}
		}
	}
	return mean, radius, spread
}

// bends returns for each vertex the mean of 1 - |cos| of the angles between triangles that follow each other
// at an edge of it.
func (m *Mesh) bends(e *edges) []float64 {
	vertices, _ := m.Len()
	sum, count := make([]float64, vertices), make([]float64, vertices)
	for edge := range e.len() {
		sides := e.of(edge)
		for i := 1; i < len(sides); i++ {
			bend := 1 - math.Abs(m.direction(sides[i-1]/3).dot(m.direction(sides[i]/3)))
			for _, v := range e.ends[2*edge : 2*edge+2] {
				sum[v] += bend
				count[v]++
			}
		}
	}
	for v := range sum {
		sum[v] /= math.Max(1, count[v])
	}
	return sum
}

// direction returns the unit normal of a triangle, 0 for one so narrow that rounding would turn it.
func (m *Mesh) direction(t int32) vector {
	a, b, c := m.corners(int(t))
	longest := max(b.sub(a).norm(), c.sub(b).norm(), a.sub(c).norm())
	n := b.sub(a).cross(c.sub(a))
	// Coordinates that float32 had rounded turn it by about 1e-7/1e-4.
	if length := n.norm(); length > 1e-4*longest*longest {
		return n.scale(1 / length)
	}
	return vector{}
}
