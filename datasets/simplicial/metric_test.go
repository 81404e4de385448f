package simplicial

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/combin"
)

var metrics = []Metric{Combinatorial, Barycentric, Circumcentric, Galerkin}

// with returns the complex with a metric.
func with(t testing.TB, c *Complex, m Metric) *Complex {
	t.Helper()
	c = must(c.WithMetric(m))
	return c
}

// bent returns a pure complex of a dimension, all simplices of which contain their circumcenters up to 3,
// in a space of one dimension more; above 3 they contain them no longer.
func bent(t testing.TB, dim int) *Complex {
	t.Helper()
	cells := make([]int, dim)
	for i := range cells {
		cells[i] = 2
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

func TestVolumesAgreeWithDeterminants(t *testing.T) {
	for n := 1; n <= 5; n++ {
		c := embedded(t, randomComplex(t, newRand(1), 9, 14, min(n, 4)), n, 2)
		for k := 0; k <= min(n, c.Dim()); k++ {
			volumes := must(c.Volumes(k))
			for i, v := range volumes {
				want := 1.0
				if k > 0 {
					d := edges(c.points(c.at(k, i)))
					gram := mat.NewDense(k, k, nil)
					for a := range k {
						for b := range k {
							gram.Set(a, b, floats.Dot(d[a], d[b]))
						}
					}
					want = math.Sqrt(mat.Det(gram)) / math.Gamma(float64(k)+1)
				}
				// Determinants are sums of squares that cancel where simplices are thin.
				require.InEpsilon(t, want, v, 1e-8, "n=%d k=%d", n, k)
			}
		}
	}
}

// A simplex is cut into the joins of its faces and their circumcentric duals, which are orthogonal:
// Σ |σ| |⋆σ| = C(n,k) |T|. Barycentric cells of vertices and whole simplices are parts of the volume.
func TestDualCellsFillTheSimplex(t *testing.T) {
	for n := 1; n <= 5; n++ {
		points := randomPoints(newRand(uint64(n)), n+1, n+1)
		var rows [][]float64
		for i := range n + 1 {
			rows = append(rows, points[i*(n+1):(i+1)*(n+1)])
		}
		whole := volumeOf(rows)
		for _, circumcentric := range []bool{false, true} {
			d, ok := newDuals(rows, circumcentric)
			require.True(t, ok)
			for k := range n + 1 {
				if !circumcentric && k > 0 && k < n {
					continue
				}
				sum := 0.0
				for _, subset := range combin.Combinations(n+1, k+1) {
					face := 0
					var corners [][]float64
					for _, corner := range subset {
						face |= 1 << corner
						corners = append(corners, rows[corner])
					}
					sum += volumeOf(corners) * d.volume(face)
				}
				require.InEpsilon(t, float64(combin.Binomial(n, k))*whole, sum, 1e-6, "n=%d k=%d", n, k)
			}
		}
	}
}

// Linear functions have the same energy in all metrics: both stars are the cotangent Laplacian on surfaces.
func TestMetricsAgreeOnFunctions(t *testing.T) {
	c := bent(t, 2)
	dual, whitney := matrixOf(t, with(t, c, Circumcentric), 0), matrixOf(t, with(t, c, Galerkin), 0)
	require.True(t, mat.EqualApprox(dual, whitney, 1e-13))
	require.Equal(t, with(t, c, Barycentric).Mass(2), with(t, c, Circumcentric).Mass(2))
	for _, m := range metrics[1:] {
		masses := with(t, c, m).Mass(0)
		volumes := must(c.Volumes(2))
		require.InEpsilon(t, floats.Sum(volumes), mat.Sum(masses), 1e-12, "%v: the whole area", m)
	}
}

// Thin triangles keep their metric: of a height of 1e-12 the gradient of its coordinate is 1e12.
func TestMetricOfThinTriangles(t *testing.T) {
	const height = 0x1p-40
	c := must(New(3, [][]int{{0, 1, 2}}))
	c = must(c.Embed(2, []float64{0, 0, 1, 0, 0.25, height}))
	l := matrixOf(t, with(t, c, Galerkin), 0)
	// The cotangents at the base are 1/4h and 3/4h.
	require.InEpsilon(t, -3/(8*height), l.At(0, 2), 1e-12)
	require.InEpsilon(t, -1/(8*height), l.At(1, 2), 1e-12)
	require.InEpsilon(t, 2/height, with(t, c, Galerkin).Mass(2).At(0, 0), 1e-12) // 1/area
	// Angles of triangles without height are 0 and π, but not where corners coincide.
	c = must(c.Embed(2, []float64{0, 0, 1, 0, 0.25, 0}))
	defects := must(c.AngleDefects())
	require.InDeltaSlice(t, []float64{math.Pi, math.Pi, 0}, defects, 1e-15)
}

func TestMetricsOfMixedDegrees(t *testing.T) {
	require.Equal(t, "Metric(9)", Metric(9).String())
	require.Equal(t, "Part(7)", Part(7).String())
	// Isolated vertices and edges that stick out have metrics of their own, and nothing has one.
	mixed := must(New(5, [][]int{{0, 1, 2}, {2, 3}}))
	for _, m := range metrics {
		sticking := with(t, embedded(t, mixed, 2, 1), Galerkin)
		requireEigen(t, sticking, 0, must(sticking.Eigen(0, 5)), 1e-10)
		empty := must(New(0, nil))
		with(t, empty, m)
	}
	// Another embedding has the combinatorial metric again.
	again := must(with(t, bent(t, 2), Galerkin).Embed(3, bent(t, 2).Coords()))
	require.Equal(t, bent(t, 2).Mass(1), again.Mass(1))
}
