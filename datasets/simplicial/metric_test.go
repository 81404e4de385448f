package simplicial

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
)

// weighted returns the complex with its metric.
func weighted(c *Complex) *Complex { return must(c.WithMetric()) }

// bent returns a pure complex of a dimension, all simplices of which contain their circumcenters up to 3,
// in a space of one dimension more; above 3 they contain them no longer.
func bent(t testing.TB, dim int) *Complex {
	t.Helper()
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
	c = must(c.Embed(dim+1, coords))
	return c
}

// random returns the complex with random coordinates.
func embedded(t testing.TB, c *Complex, n int, seed uint64) *Complex {
	t.Helper()
	c = must(c.Embed(n, randomPoints(newRand(seed), c.Count(0), n)))
	return c
}

// Thin triangles keep their metric: of a height of 1e-12 the gradient of its coordinate is 1e12.
func TestMetricOfThinTriangles(t *testing.T) {
	const height = 0x1p-40
	c := must(New(3, [][]int{{0, 1, 2}}))
	c = must(c.Embed(2, []float64{0, 0, 1, 0, 0.25, height}))
	l := must(weighted(c).stiffness(0))
	// The cotangents at the base are 1/4h and 3/4h.
	require.InEpsilon(t, -3/(8*height), l.At(0, 2), 1e-12)
	require.InEpsilon(t, -1/(8*height), l.At(1, 2), 1e-12)
	require.InEpsilon(t, 2/height, weighted(c).Mass(2).At(0, 0), 1e-12) // 1/area
}
