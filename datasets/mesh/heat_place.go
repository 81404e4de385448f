package mesh

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

const (
	axes = 4 // functions of the covariance
	// placeIntegrals is the number of columns that whole.place returns.
	placeIntegrals = 3*axes - 1 + 5 + 3
)

// whole has the moments of a surface of area 1 about its centroid, which say where a point is in it.
type whole struct {
	axes   [axes]matrix // functions of the covariance C
	roots  vector       // of the eigenvalues of C, ascending
	c      matrix       // C
	trace  float64      // of C
	third  [3]matrix    // ∫ x x xᵀ
	skew   vector       // ∫ |x|² x
	fourth float64      // ∫ |x|⁴
}

// whole returns the moments of the surface, with the mass of each vertex there.
func (m *Mesh) whole(mass []float64) *whole {
	w := &whole{}
	for v, mass := range mass {
		x := m.point(int32(v))
		square := x.dot(x)
		w.fourth += mass * square * square
		w.skew = w.skew.add(x.scale(mass * square))
		for i := range x {
			w.c[i] = w.c[i].add(x.scale(mass * x[i]))
			for j := range x {
				w.third[i][j] = w.third[i][j].add(x.scale(mass * x[i] * x[j]))
			}
		}
	}
	w.roots, w.trace = w.c.deviations(), w.c[0][0]+w.c[1][1]+w.c[2][2]
	least, most := w.roots[0]*w.roots[0], w.roots[2]*w.roots[2]
	for i, f := range [axes]func(x float64) float64{
		func(float64) float64 { return 1 },
		func(x float64) float64 { return x / w.trace },
		func(x float64) float64 { return math.Pow(x/most, 4) },
		func(x float64) float64 { return math.Pow((least+flat*w.trace)/(x+flat*w.trace), 2) },
	} {
		w.axes[i] = w.c.function(f)
	}
	return w
}

// flat is added, in parts of the trace, to the variances of a surface in its directions: a plane has 0.
const flat = 1e-3

// place returns the columns of a point x, around which the mean of n nᵀ is normal.
func (w *whole) place(x vector, normal matrix) []float64 {
	out := make([]float64, 0, placeIntegrals)
	add := func(degree, value float64) { // as a length
		out = append(out, math.Copysign(math.Pow(math.Abs(value), 1/degree), value))
	}
	for i, axis := range w.axes {
		y := axis.times(x)
		add(2, x.dot(y))
		add(2, y.dot(normal.times(y)))
		if i > 0 {
			add(2, axis.product(normal))
		}
	}
	square := x.dot(x)
	add(3, x.dot(w.skew))
	add(6, w.skew.dot(normal.times(w.skew)))
	var cubic, mixed float64
	for i, t := range w.third {
		cubic += x[i] * x.dot(t.times(x))
		mixed += x[i] * t.product(normal)
	}
	add(3, cubic)
	add(3, mixed)
	add(4, square*square+4*x.dot(w.c.times(x))+2*square*w.trace+w.fourth-4*x.dot(w.skew)) // ∫ |x - y|⁴
	return append(out, w.roots[:]...)
}

// product returns the sum of the products of the entries.
func (m matrix) product(other matrix) (sum float64) {
	for i := range m {
		sum += m[i].dot(other[i])
	}
	return sum
}

// function returns f(m).
func (m matrix) function(f func(x float64) float64) (out matrix) {
	var eigen mat.EigenSym
	if !eigen.Factorize(m.dense(), true) {
		return out
	}
	var vectors mat.Dense
	eigen.VectorsTo(&vectors)
	for k, value := range eigen.Values(nil) {
		v := vector{vectors.At(0, k), vectors.At(1, k), vectors.At(2, k)}
		for i := range out {
			out[i] = out[i].add(v.scale(f(value) * v[i]))
		}
	}
	return out
}
