package simplicial

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// matrixOf returns the matrix M L of the Laplacian in degree k.
func matrixOf(c *Complex, k int) *mat.Dense {
	l := mat.NewDense(c.Count(k), c.Count(k), nil)
	for j := range c.Count(k) {
		l.SetCol(j, c.flat(k, must(c.Laplacian(k, unit(c.Count(k), j)))))
	}
	return l
}

// Entries that are equal up to rounding do not decide the sign, but the first of them.
func TestFixSign(t *testing.T) {
	x := []float64{0.5, -0.5 * (1 + 1e-15)}
	fixSign(x)
	require.Positive(t, x[0])
}

func TestHodgeScales(t *testing.T) {
	c := torus(t, 2)
	x := randomCochain(newRand(14), c.Count(1))
	small, _, _ := must3(c.Hodge(1, x))
	for _, scale := range []float64{1e-300, 1e300} {
		large, _, _ := must3(c.Hodge(1, floats.ScaleTo(make([]float64, len(x)), scale, x)))
		floats.Scale(1/scale, large)
		require.InDeltaSlice(t, small, large, 1e-12)
	}
	zero, _, harmonic := must3(c.Hodge(1, make([]float64, len(x))))
	require.Zero(t, floats.Norm(zero, 1)+floats.Norm(harmonic, 1))
	// A purely harmonic cochain has nothing else, down to rounding.
	y := mat.Col(nil, 0, must(c.Eigen(1, 1)).Vectors)
	gradient, curl, harmonic := must3(c.Hodge(1, y))
	require.InDeltaSlice(t, y, harmonic, 1e-14)
	require.Less(t, floats.Norm(gradient, 2)+floats.Norm(curl, 2), 1e-13)
}

// spectrum returns the eigenvalues of L_1 of a torus of n² vertices, six triangles at each, in each part,
// ascending. By Fourier transform gradients have those of the vertices, 6 - 2 cos a - 2 cos b - 2 cos(a+b),
// and curls those of the triangles, 3 ± |1 + e^ia + e^ib|, without 0.
func spectrum(n int) (gradients, curls []float64) {
	for i := range n {
		for j := range n {
			if i+j == 0 {
				curls = append(curls, 6)
				continue
			}
			a, b := 2*math.Pi*float64(i)/float64(n), 2*math.Pi*float64(j)/float64(n)
			gradients = append(gradients, 6-2*math.Cos(a)-2*math.Cos(b)-2*math.Cos(a+b))
			r := math.Hypot(1+math.Cos(a)+math.Cos(b), math.Sin(a)+math.Sin(b))
			curls = append(curls, 3-r, 3+r)
		}
	}
	slices.Sort(gradients)
	slices.Sort(curls)
	return gradients, curls
}

// The known spectrum of tori, where eigenvalues are repeated 2, 6 and 12 times and parts coincide. The dense
// matrix of 4,800 edges would take minutes.
func TestEigenOfTorus(t *testing.T) {
	for n, m := range map[int]int{16: 80, 40: 12} {
		c := torusOf(n, n)
		e := must(c.Eigen(1, m))
		requireEigen(t, c, 1, e, 1e-11) // projections onto a part are divided by eigenvalues of 4e-3
		gradients, curls := spectrum(n)
		found := map[Part][]float64{}
		for j, part := range e.Parts {
			found[part] = append(found[part], e.Values[j])
		}
		require.Len(t, found[Harmonic], 2)
		require.InDeltaSlice(t, gradients[:len(found[Gradient])], found[Gradient], 1e-12)
		require.InDeltaSlice(t, curls[:len(found[Curl])], found[Curl], 1e-12)
		// None of either part is missing.
		last := e.Values[m-1] - 1e-9
		require.Less(t, last, gradients[len(found[Gradient])])
		require.Less(t, last, curls[len(found[Curl])])
	}
}

// weighted returns the complex with its metric.
func weighted(c *Complex) *Complex { return must(c.WithMetric()) }

// bent returns a pure complex of a dimension, all simplices of which contain their circumcenters up to 3,
// in a space of one dimension more; above 3 they contain them no longer.
func bent(dim int) *Complex {
	cells := make([]int, dim)
	for i := range cells {
		cells[i] = 2 - dim/4 // of a cube in R⁴ the 24 simplices are enough
	}
	c, _ := must2(Grid(cells...))
	// Of the cubic lattice sheared to the lattice A* the triangulation is Delaunay and well centered.
	var coords []float64
	for i := range c.Count(0) {
		x := c.Coords()[i*dim : (i+1)*dim]
		mean := floats.Sum(x) / float64(dim+1)
		shift := (1 - 1/math.Sqrt(float64(dim+1))) * floats.Sum(x) / float64(dim)
		height := 0.0
		for _, v := range x {
			coords = append(coords, v-shift)
			height += 0.02 * math.Sin(2*v+mean)
		}
		coords = append(coords, height)
	}
	return must(c.Embed(dim+1, coords))
}

// random returns the complex with random coordinates.
func embedded(c *Complex, n int, seed uint64) *Complex {
	return must(c.Embed(n, randomPoints(newRand(seed), c.Count(0), n)))
}

// Thin triangles keep their metric: of a height of 1e-12 the gradient of its coordinate is 1e12.
func TestMetricOfThinTriangles(t *testing.T) {
	const height = 0x1p-40
	c := must(must(New(3, [][]int{{0, 1, 2}})).Embed(2, []float64{0, 0, 1, 0, 0.25, height}))
	l := must(weighted(c).stiffness(0))
	// The cotangents at the base are 1/4h and 3/4h.
	require.InEpsilon(t, -3/(8*height), l.At(0, 2), 1e-12)
	require.InEpsilon(t, -1/(8*height), l.At(1, 2), 1e-12)
	require.InEpsilon(t, 2/height, weighted(c).Mass(2).At(0, 0), 1e-12) // 1/area
}
