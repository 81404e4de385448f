package mesh

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// scales are after how many averages over neighbors the surface around a vertex is described.
var scales = [...]int{4, 16, 64}

// turns are after how many averages over neighbors the directions of the surface are described.
var turns = [...]int{1, 4, 16}

// quantiles of the distances of the surface from a vertex that describe where it lies.
var quantiles = [...]float64{0.05, 0.25, 0.5, 0.75, 0.95, 1}

// Columns of [Mesh.Invariants].
const (
	Logarithms = 3 + 5*len(scales) + 5 + len(quantiles) // of lengths, which come first
	Invariants = Logarithms + 2 + 4*len(turns)
)

// Invariants returns numbers that describe the surface around each vertex, [V, Invariants], row after row. No
// rotation, reflection or shift of the mesh changes them, nor does the orientation of triangles.
//
// Of a surface with centroid c they are the logarithms of lengths: the distance of the vertex from c, the
// root of its area (a third of that of the triangles around it), and the mean length of its edges; then,
// after 4, 16 and 64 averages of points over neighbors, the distance of the vertex from the mean, the mean
// distance from c, and the three roots of the eigenvalues of the covariance, ascending; then, with the
// covariance C of the whole surface, the three roots of its eigenvalues, and √(xᵀCx/tr C) and |Cx|/tr C for
// the vertex x, seen from c; then the quantiles of the distances of the vertex from 256 places all over the
// surface, 5, 25, 50, 75, 95 and 100 %. Two more columns are the mean of 1 - |cos| of the angles between
// triangles that meet at its edges and the logarithm of 1 + the number of its edges. The last are of
// directions: with the mean N over the surface around the vertex of n nᵀ, where n are unit normals of
// triangles, after 1, 4 and 16 averages over neighbors the smallest and the largest eigenvalue of N,
// xᵀNx/|x|² and tr(NC)/tr C. To each length 0.003 of
// the root of the surface's area is added, which bounds the logarithms. Scaling the mesh adds a constant to
// the first columns.
func (m *Mesh) Invariants() []float64 {
	m.valid()
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
	global := m.covariance(vector(centroid))
	eigen := deviations(global)
	for i := range 3 {
		set(func(int) float64 { return log(eigen[i]) })
	}
	trace := math.Max(global[0][0]+global[1][1]+global[2][2], 1e-300)
	times := func(p vector) vector {
		return vector{global[0].dot(p), global[1].dot(p), global[2].dot(p)}.scale(1 / trace)
	}
	set(func(v int) float64 { return log(math.Sqrt(math.Max(0, x[v].dot(times(x[v]))))) })
	set(func(v int) float64 { return log(times(x[v]).norm()) })
	far := m.distances()
	for i := range quantiles {
		set(func(v int) float64 { return log(far[v][i]) })
	}
	bend := m.bends(e)
	set(func(v int) float64 { return bend[v] })
	set(func(v int) float64 { return math.Log1p(float64(len(n.of(v)))) })
	m.directions(n, x, global, trace, least, set)
	return out
}

// directions sets the columns of normals at vertices x, seen from the centroid, with the covariance of the
// whole surface and its trace.
func (m *Mesh) directions(n neighbors, x []vector, covariance [3]vector, trace, least float64,
	set func(func(v int) float64)) {
	normals, done := m.normalTensors(), 0
	for _, scale := range turns {
		for ; done < scale; done++ {
			normals.average(n)
		}
		extremes := make([][2]float64, len(x))
		for v := range extremes {
			extremes[v] = normals.extremes(v)
		}
		set(func(v int) float64 { return extremes[v][0] })
		set(func(v int) float64 { return extremes[v][1] })
		set(func(v int) float64 {
			y := normals.times(v, x[v])
			return x[v].dot(y) / math.Max(x[v].dot(x[v])+least*least, 1e-300)
		})
		set(func(v int) float64 {
			sum := 0.0
			for i := range 3 {
				sum += normals.times(v, covariance[i])[i]
			}
			return sum / trace
		})
	}
}

// tensors hold the sums of areas and of n nᵀ, weighted by area, as its upper triangle, over parts of the
// surface.
type tensors struct{ now, next [][7]float64 }

// normalTensors returns those of the triangles around each vertex.
func (m *Mesh) normalTensors() *tensors {
	vertices, _ := m.Len()
	t := &tensors{now: make([][7]float64, vertices), next: make([][7]float64, vertices)}
	for i := range len(m.Triangles) / 3 {
		n := m.areaNormal(i)
		length := n.norm()
		if length == 0 {
			continue
		}
		u := n.scale(1 / length)
		for _, v := range m.Triangles[3*i : 3*i+3] {
			for c, value := range [7]float64{u[0] * n[0], u[0] * n[1], u[0] * n[2], u[1] * n[1], u[1] * n[2],
				u[2] * n[2], length} {
				t.now[v][c] += value
			}
		}
	}
	return t
}

// average takes means of each vertex with its neighbors.
func (t *tensors) average(n neighbors) {
	for v := range t.now {
		sum := t.now[v]
		for _, u := range n.of(v) {
			for i, x := range t.now[u] {
				sum[i] += x
			}
		}
		for i := range sum {
			sum[i] /= float64(1 + len(n.of(v)))
		}
		t.next[v] = sum
	}
	t.now, t.next = t.next, t.now
}

// rows returns the mean of n nᵀ at a vertex, 0 where there is no area.
func (t *tensors) rows(v int) [3]vector {
	x, w := t.now[v], 1/math.Max(t.now[v][6], 1e-300)
	return [3]vector{vector{x[0], x[1], x[2]}.scale(w), vector{x[1], x[3], x[4]}.scale(w),
		vector{x[2], x[4], x[5]}.scale(w)}
}

func (t *tensors) times(v int, p vector) vector {
	rows := t.rows(v)
	return vector{rows[0].dot(p), rows[1].dot(p), rows[2].dot(p)}
}

// extremes returns the smallest and the largest eigenvalue.
func (t *tensors) extremes(v int) [2]float64 {
	roots := deviations(t.rows(v))
	return [2]float64{roots[0] * roots[0], roots[2] * roots[2]}
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
	var covariance [3]vector
	for v, x := range m.now {
		mean[v], radius[v] = vector(x[:3]), x[3]
		for i, c := 0, 4; i < 3; i++ {
			for j := i; j < 3; j++ {
				covariance[i][j] = x[c] - x[i]*x[j]
				covariance[j][i] = covariance[i][j]
				c++
			}
		}
		spread[v] = deviations(covariance)
	}
	return mean, radius, spread
}

// deviations returns the roots of the eigenvalues of a covariance, ascending.
func deviations(covariance [3]vector) (out vector) {
	var eigen mat.EigenSym
	rows := slices.Concat(covariance[0][:], covariance[1][:], covariance[2][:])
	if eigen.Factorize(mat.NewSymDense(3, rows), false) {
		for i, value := range eigen.Values(nil) {
			out[i] = math.Sqrt(math.Max(0, value))
		}
	}
	return out
}

// covariance returns that of the surface about a point, with the mass of each triangle at its middle.
func (m *Mesh) covariance(center vector) (c [3]vector) {
	total := 0.0
	for t, area := range m.Areas() {
		p := m.center(t).sub(center)
		total += area
		for i := range c {
			c[i] = c[i].add(p.scale(area * p[i]))
		}
	}
	for i := range c {
		c[i] = c[i].scale(1 / math.Max(total, 1e-300))
	}
	return c
}

// center returns the centroid of a triangle.
func (m *Mesh) center(t int) vector {
	a, b, c := m.corners(t)
	return a.add(b).add(c).scale(1.0 / 3)
}

// samples is how many points stand for the surface in distances.
const samples = 256

// distances returns quantiles of the distances of each vertex from the centroids of triangles that lie at
// equal steps of area in the order of the triangles.
func (m *Mesh) distances() [][len(quantiles)]float64 {
	vertices, _ := m.Len()
	out := make([][len(quantiles)]float64, vertices)
	areas := m.Areas()
	total := 0.0
	for _, area := range areas {
		total += area
	}
	var points []vector
	sum := 0.0
	for t, area := range areas {
		// A sum in another order, as after a motion, may differ in its last digits: steps are irregular.
		for sum += area; len(points) < samples && sum > total*(float64(len(points))+0.4142)/samples; {
			points = append(points, m.center(t))
		}
	}
	if len(points) == 0 {
		return out
	}
	distances := make([]float64, len(points))
	for v := range out {
		for i, p := range points {
			distances[i] = p.sub(m.point(int32(v))).norm()
		}
		slices.Sort(distances)
		for i, q := range quantiles {
			out[v][i] = distances[min(len(distances)-1, int(q*float64(len(distances))))]
		}
	}
	return out
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
