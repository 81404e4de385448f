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
	s := m.surface()
	out := make([]float64, len(s.x)*Invariants)
	column := 0
	set := func(f func(v int) float64) {
		for v := range s.x {
			out[v*Invariants+column] = f(v)
		}
		column++
	}
	s.places(set)
	s.neighborhoods(set)
	s.axes(set)
	s.distances(set)
	bend := s.bends()
	set(func(v int) float64 { return bend[v] })
	set(func(v int) float64 { return math.Log1p(float64(len(s.of(v)))) })
	s.directions(set)
	return out
}

// surface is a mesh with what invariants have in common.
type surface struct {
	*Mesh
	*edges
	neighbors
	x          []vector // vertices, seen from the centroid
	covariance matrix   // of the whole surface
	trace      float64  // of the covariance
	least      float64  // what is added to lengths
}

func (m *Mesh) surface() *surface {
	vertices, _ := m.Len()
	e := m.edges()
	area, centroid := m.Area()
	s := &surface{Mesh: m, edges: e, neighbors: m.neighbors(e), x: make([]vector, vertices), least: 3e-3}
	for v := range s.x {
		s.x[v] = m.point(int32(v)).sub(centroid)
	}
	if area > 0 {
		s.least *= math.Sqrt(area)
	}
	s.covariance = m.covariance(centroid)
	s.trace = math.Max(s.covariance[0][0]+s.covariance[1][1]+s.covariance[2][2], 1e-300)
	return s
}

// of returns the neighbors of a vertex.
func (s *surface) of(v int) []int32 { return s.neighbors.of(v) }

func (s *surface) log(length float64) float64 { return math.Log(length + s.least) }

// places sets the distance of vertices from the centroid, their size and the length of their edges.
func (s *surface) places(set func(func(v int) float64)) {
	set(func(v int) float64 { return s.log(s.x[v].norm()) })
	areas := s.vertexAreas()
	set(func(v int) float64 { return s.log(math.Sqrt(areas[v])) })
	set(func(v int) float64 {
		sum := 0.0
		for _, u := range s.of(v) {
			sum += s.x[u].sub(s.x[v]).norm()
		}
		return s.log(sum / math.Max(1, float64(len(s.of(v)))))
	})
}

// smooth replaces values, a row for each vertex, by their means over the vertex and its neighbors, until that
// has been done a number of times.
func (n neighbors) smooth(values [][10]float64, done *int, times int) [][10]float64 {
	for ; *done < times; *done++ {
		next := make([][10]float64, len(values))
		for v, sum := range values {
			for _, u := range n.of(v) {
				for i, x := range values[u] {
					sum[i] += x
				}
			}
			for i := range sum {
				next[v][i] = sum[i] / float64(1+len(n.of(v)))
			}
		}
		values = next
	}
	return values
}

// neighborhoods sets the columns of the parts of the surface around vertices.
func (s *surface) neighborhoods(set func(func(v int) float64)) {
	moments, done := make([][10]float64, len(s.x)), 0 // means of points, of their lengths and of products
	for v, p := range s.x {
		moments[v] = [10]float64{p[0], p[1], p[2], p.norm(), p[0] * p[0], p[0] * p[1], p[0] * p[2],
			p[1] * p[1], p[1] * p[2], p[2] * p[2]}
	}
	for _, scale := range scales {
		moments = s.smooth(moments, &done, scale)
		spread := make([]vector, len(s.x))
		for v, x := range moments {
			c := symmetric(x[4:])
			for i := range c {
				c[i] = c[i].sub(vector(x[:3]).scale(x[i]))
			}
			spread[v] = deviations(c)
		}
		set(func(v int) float64 { return s.log(s.x[v].sub(vector(moments[v][:3])).norm()) })
		set(func(v int) float64 { return s.log(moments[v][3]) })
		for i := range 3 {
			set(func(v int) float64 { return s.log(spread[v][i]) })
		}
	}
}

// axes sets the columns of where vertices are with respect to the axes of the whole surface.
func (s *surface) axes(set func(func(v int) float64)) {
	eigen := deviations(s.covariance)
	for i := range 3 {
		set(func(int) float64 { return s.log(eigen[i]) })
	}
	times := func(v int) vector { return s.covariance.times(s.x[v]).scale(1 / s.trace) }
	set(func(v int) float64 { return s.log(math.Sqrt(math.Max(0, s.x[v].dot(times(v))))) })
	set(func(v int) float64 { return s.log(times(v).norm()) })
}

// directions sets the columns of normals.
func (s *surface) directions(set func(func(v int) float64)) {
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
		sums = s.smooth(sums, &done, scale)
		tensors, roots := make([]matrix, len(s.x)), make([]vector, len(s.x))
		for v, x := range sums {
			tensors[v] = symmetric(x[:6])
			for i := range 3 {
				tensors[v][i] = tensors[v][i].scale(1 / math.Max(x[6], 1e-300)) // 0 where there is no area
			}
			roots[v] = deviations(tensors[v])
		}
		set(func(v int) float64 { return roots[v][0] * roots[v][0] })
		set(func(v int) float64 { return roots[v][2] * roots[v][2] })
		set(func(v int) float64 {
			x := s.x[v]
			return x.dot(tensors[v].times(x)) / math.Max(x.dot(x)+s.least*s.least, 1e-300)
		})
		set(func(v int) float64 {
			sum := 0.0
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

// deviations returns the roots of the eigenvalues of a covariance, ascending.
func deviations(covariance matrix) (out vector) {
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
func (m *Mesh) covariance(center vector) (c matrix) {
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

// distances sets quantiles of the distances of each vertex from the centroids of triangles that lie at equal
// steps of area in the order of the triangles.
func (s *surface) distances(set func(func(v int) float64)) {
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
		set(func(v int) float64 { return s.log(far[v][i]) })
	}
}

// bends returns for each vertex the mean of 1 - |cos| of the angles between triangles that follow each other
// at an edge of it.
func (s *surface) bends() []float64 {
	sum, count := make([]float64, len(s.x)), make([]float64, len(s.x))
	for edge := range s.edges.len() {
		sides := s.edges.of(edge)
		for i := 1; i < len(sides); i++ {
			bend := 1 - math.Abs(s.direction(sides[i-1]/3).dot(s.direction(sides[i]/3)))
			for _, v := range s.ends[2*edge : 2*edge+2] {
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
	// Coordinates that float32 had rounded turn it by about 1e-7/1e-4.
	if m.wider(t, 1e-4) {
		return m.unitNormal(int(t))
	}
	return vector{}
}

// wider reports whether a triangle is wider than a share of its longest side.
func (m *Mesh) wider(t int32, share float64) bool {
	a, b, c := m.corners(int(t))
	longest := max(b.sub(a).norm(), c.sub(b).norm(), a.sub(c).norm())
	return m.areaNormal(int(t)).norm() > share*longest*longest
}
