package mesh

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

var (
	scales    = [...]int{4, 16, 64} // averages over neighbors after which parts of the surface are described
	turns     = [...]int{1, 4, 16}  // averages over neighbors after which directions are described
	quantiles = [...]float64{0.05, 0.25, 0.5, 0.75, 0.95, 1}
)

const (
	samples = 256    // points that stand for the surface in quantiles
	least   = 3e-3   // of the root of the area, which is added to lengths
	tiny    = 1e-300 // divides where there is no area
)

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
	area, centroid := m.Area()
	s := &surface{Mesh: m, edges: m.edges(), x: make([]vector, len(m.Vertices)/3), least: least}
	for v := range s.x {
		s.x[v] = m.point(int32(v)).sub(centroid)
	}
	if area > 0 {
		s.least *= math.Sqrt(area)
	}
	s.setCovariance(centroid)

	s.places()
	s.neighborhoods()
	s.axes()
	s.distances()
	s.bends()
	s.add(func(v int) float64 { return math.Log1p(float64(len(s.neighbors[v]))) })
	s.directions()
	out := make([]float64, 0, len(s.x)*Invariants)
	for v := range s.x {
		for _, column := range s.columns {
			out = append(out, column[v])
		}
	}
	return out
}

// surface is a mesh with its invariants so far, and what they have in common.
type surface struct {
	*Mesh
	*edges
	x          []vector // vertices, seen from the centroid
	covariance matrix   // of the whole surface
	trace      float64  // of the covariance
	least      float64  // what is added to lengths
	columns    [][]float64
}

// add appends a column, and addLog one of logarithms of lengths.
func (s *surface) add(value func(v int) float64) {
	column := make([]float64, len(s.x))
	for v := range column {
		column[v] = value(v)
	}
	s.columns = append(s.columns, column)
}

func (s *surface) addLog(length func(v int) float64) {
	s.add(func(v int) float64 { return math.Log(length(v) + s.least) })
}

// setCovariance sets the covariance of the surface, with the mass of each triangle at its middle.
func (s *surface) setCovariance(centroid vector) {
	total := 0.0
	for t, area := range s.Areas() {
		p := s.center(t).sub(centroid)
		total += area
		for i := range s.covariance {
			s.covariance[i] = s.covariance[i].add(p.scale(area * p[i]))
		}
	}
	for i := range s.covariance {
		s.covariance[i] = s.covariance[i].scale(1 / math.Max(total, tiny))
		s.trace += s.covariance[i][i]
	}
	s.trace = math.Max(s.trace, tiny)
}

// center returns the centroid of a triangle.
func (m *Mesh) center(t int) vector {
	a, b, c := m.corners(t)
	return a.add(b).add(c).scale(1.0 / 3)
}

// places adds the distance of vertices from the centroid, their size and the length of their edges.
func (s *surface) places() {
	s.addLog(func(v int) float64 { return s.x[v].norm() })
	areas := s.vertexAreas()
	s.addLog(func(v int) float64 { return math.Sqrt(areas[v]) })
	s.addLog(func(v int) float64 {
		sum := 0.0
		for _, u := range s.neighbors[v] {
			sum += s.x[u].sub(s.x[v]).norm()
		}
		return sum / math.Max(1, float64(len(s.neighbors[v])))
	})
}

// smooth replaces values, a row for each vertex, by their means over the vertex and its neighbors, a number
// of times.
func (s *surface) smooth(values [][10]float64, times int) [][10]float64 {
	for range times {
		next := make([][10]float64, len(values))
		for v, sum := range values {
			for _, u := range s.neighbors[v] {
				for i, x := range values[u] {
					sum[i] += x
				}
			}
			for i := range sum {
				next[v][i] = sum[i] / float64(1+len(s.neighbors[v]))
			}
		}
		values = next
	}
	return values
}

// neighborhoods adds the columns of the parts of the surface around vertices.
func (s *surface) neighborhoods() {
	moments, done := make([][10]float64, len(s.x)), 0 // means of points, of their lengths and of products
	for v, p := range s.x {
		moments[v] = [10]float64{p[0], p[1], p[2], p.norm(), p[0] * p[0], p[0] * p[1], p[0] * p[2],
			p[1] * p[1], p[1] * p[2], p[2] * p[2]}
	}
	for _, scale := range scales {
		moments, done = s.smooth(moments, scale-done), scale
		spread := make([]vector, len(s.x))
		for v, x := range moments {
			c := symmetric(x[4:])
			for i := range c {
				c[i] = c[i].sub(vector(x[:3]).scale(x[i]))
			}
			spread[v] = c.deviations()
		}
		s.addLog(func(v int) float64 { return s.x[v].sub(vector(moments[v][:3])).norm() })
		s.addLog(func(v int) float64 { return moments[v][3] })
		for i := range 3 {
			s.addLog(func(v int) float64 { return spread[v][i] })
		}
	}
}

// axes adds the columns of where vertices are with respect to the axes of the whole surface.
func (s *surface) axes() {
	for _, length := range s.covariance.deviations() {
		s.addLog(func(int) float64 { return length })
	}
	times := func(v int) vector { return s.covariance.times(s.x[v]).scale(1 / s.trace) }
	s.addLog(func(v int) float64 { return math.Sqrt(math.Max(0, s.x[v].dot(times(v)))) })
	s.addLog(func(v int) float64 { return times(v).norm() })
}

// distances adds quantiles of the distances of each vertex from the centroids of triangles that lie at equal
// steps of area in the order of the triangles.
func (s *surface) distances() {
	areas, total := s.Areas(), 0.0
	for _, area := range areas {
		total += area
	}
	var points []vector
	sum := 0.0
	for t, area := range areas {
		// A sum in another order, as after a motion, may differ in its last digits: steps are irregular.
		for sum += area; len(points) < samples && sum > total*(float64(len(points))+0.4142)/samples; {
			points = append(points, s.center(t))
		}
	}
	far := make([][len(quantiles)]float64, len(s.x)) // 0 where there is no area
	distances := make([]float64, len(points))
	for v := range far {
		for i, p := range points {
			distances[i] = p.sub(s.point(int32(v))).norm()
		}
		slices.Sort(distances)
		for i, q := range quantiles {
			if last := len(points) - 1; last >= 0 {
				far[v][i] = distances[min(last, int(q*float64(len(points))))]
			}
		}
	}
	for i := range quantiles {
		s.addLog(func(v int) float64 { return far[v][i] })
	}
}

// bends adds the mean of 1 - |cos| of the angles between triangles that follow each other at an edge of a
// vertex.
func (s *surface) bends() {
	sum, count := make([]float64, len(s.x)), make([]float64, len(s.x))
	direction := func(t int32) vector { // 0 of a triangle so narrow that rounding would turn it
		// Coordinates that float32 had rounded turn it by about 1e-7/1e-4.
		if s.wider(int(t), 1e-4) {
			return s.unitNormal(int(t))
		}
		return vector{}
	}
	for _, edge := range s.list {
		for i := 1; i < len(edge.sides); i++ {
			a, b := direction(edge.sides[i-1].triangle), direction(edge.sides[i].triangle)
			for _, v := range edge.ends {
				sum[v] += 1 - math.Abs(a.dot(b))
				count[v]++
			}
		}
	}
	s.add(func(v int) float64 { return sum[v] / math.Max(1, count[v]) })
}

// directions adds the columns of normals.
func (s *surface) directions() {
	sums, done := make([][10]float64, len(s.x)), 0 // of n nᵀ, weighted by area, and of areas
	for i := range len(s.Triangles) / 3 {
		n := s.areaNormal(i)
		length := n.norm()
		if length == 0 {
			continue
		}
		u := n.scale(1 / length)
		for _, v := range s.Triangles[3*i : 3*i+3] {
			for c, value := range [...]float64{u[0] * n[0], u[0] * n[1], u[0] * n[2], u[1] * n[1],
				u[1] * n[2], u[2] * n[2], length} {
				sums[v][c] += value
			}
		}
	}
	for _, scale := range turns {
		sums, done = s.smooth(sums, scale-done), scale
		tensors, roots := make([]matrix, len(s.x)), make([]vector, len(s.x))
		for v, x := range sums {
			tensors[v] = symmetric(x[:6])
			for i := range 3 {
				tensors[v][i] = tensors[v][i].scale(1 / math.Max(x[6], tiny)) // 0 where there is no area
			}
			roots[v] = tensors[v].deviations()
		}
		s.add(func(v int) float64 { return roots[v][0] * roots[v][0] })
		s.add(func(v int) float64 { return roots[v][2] * roots[v][2] })
		s.add(func(v int) float64 {
			x := s.x[v]
			return x.dot(tensors[v].times(x)) / math.Max(x.dot(x)+s.least*s.least, tiny)
		})
		s.add(func(v int) (sum float64) {
			for i := range 3 {
				sum += tensors[v].times(s.covariance[i])[i]
			}
			return sum / s.trace
		})
	}
}

// matrix holds the rows of a symmetric matrix.
type matrix [3]vector

// symmetric returns the matrix with an upper triangle, row after row.
func symmetric(x []float64) matrix {
	return matrix{{x[0], x[1], x[2]}, {x[1], x[3], x[4]}, {x[2], x[4], x[5]}}
}

func (m matrix) times(p vector) vector { return vector{m[0].dot(p), m[1].dot(p), m[2].dot(p)} }

func (m matrix) dense() *mat.SymDense {
	return mat.NewSymDense(3, slices.Concat(m[0][:], m[1][:], m[2][:]))
}

// eigenvalues returns the eigenvalues, ascending.
func (m matrix) eigenvalues() (out vector) {
	var eigen mat.EigenSym
	if eigen.Factorize(m.dense(), false) {
		eigen.Values(out[:])
	}
	return out
}

// deviations returns the roots of the eigenvalues, ascending.
func (m matrix) deviations() (out vector) {
	for i, value := range m.eigenvalues() {
		out[i] = math.Sqrt(math.Max(0, value))
	}
	return out
}
