package simplicial

import (
	"math"
	"slices"
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
	c, err := c.WithMetric(m)
	require.NoError(t, err)
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
	c, _, err := Grid(cells...)
	require.NoError(t, err)
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
	c, err = c.Embed(dim+1, coords)
	require.NoError(t, err)
	return c
}

// random returns the complex with random coordinates.
func embedded(t testing.TB, c *Complex, n int, seed uint64) *Complex {
	t.Helper()
	c, err := c.Embed(n, randomPoints(newRand(seed), c.Count(0), n))
	require.NoError(t, err)
	return c
}

func TestVolumesAgreeWithDeterminants(t *testing.T) {
	for n := 1; n <= 5; n++ {
		c := embedded(t, randomComplex(t, newRand(1), 9, 14, min(n, 4)), n, 2)
		for k := 0; k <= min(n, c.Dim()); k++ {
			volumes, err := c.Volumes(k)
			require.NoError(t, err)
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
		volumes, err := c.Volumes(2)
		require.NoError(t, err)
		require.InEpsilon(t, floats.Sum(volumes), mat.Sum(masses), 1e-12, "%v: the whole area", m)
	}
}

// ⟨dy, x⟩ = ⟨y, δx⟩ and δδ = 0, with every metric in every degree.
func TestCodifferentialIsAdjoint(t *testing.T) {
	for dim := 1; dim <= 3; dim++ {
		for _, m := range metrics {
			c := with(t, bent(t, dim), m)
			for k := 0; k <= dim; k++ {
				x, y := randomCochain(newRand(3), c.Count(k)), randomCochain(newRand(4), c.Count(k-1))
				delta, err := c.Codifferential(k, x)
				require.NoError(t, err)
				require.Len(t, delta, c.Count(k-1))
				if k == 0 {
					continue
				}
				d, err := c.Coboundary(k-1, y)
				require.NoError(t, err)
				left := mat.Inner(mat.NewVecDense(len(d), d), c.Mass(k), mat.NewVecDense(len(x), x))
				right := mat.Inner(mat.NewVecDense(len(y), y), c.Mass(k-1),
					mat.NewVecDense(len(delta), delta))
				require.InDelta(t, left, right, 1e-10*(1+math.Abs(left)), "%v, degree %d", m, k)
				twice, err := c.Codifferential(k-1, delta)
				require.NoError(t, err)
				require.Less(t, floats.Norm(twice, math.Inf(1)), 1e-10*(1+floats.Norm(delta, math.Inf(1))))
			}
		}
	}
}

// The Laplacian is ⟨δx, δx⟩ + ⟨dx, dx⟩.
func TestLaplacianIsTheEnergy(t *testing.T) {
	for dim := 1; dim <= 3; dim++ {
		for _, m := range metrics {
			c := with(t, bent(t, dim), m)
			for k := 0; k <= dim; k++ {
				x := randomCochain(newRand(5), c.Count(k))
				lx, err := c.Laplacian(k, x)
				require.NoError(t, err)
				down, err := c.Codifferential(k, x)
				require.NoError(t, err)
				up, err := c.Coboundary(k, x)
				require.NoError(t, err)
				want := floats.Dot(down, c.flat(k-1, down)) + floats.Dot(up, c.flat(k+1, up))
				require.InEpsilon(t, want, floats.Dot(lx, c.flat(k, x)), 1e-12, "%v, dimension %d, degree %d",
					m, dim, k)
				// That of Eigen is the same.
				v := mat.NewVecDense(len(x), x)
				require.InEpsilon(t, want, mat.Inner(v, matrixOf(t, c, k), v), 1e-12, "%v, dimension %d, "+
					"degree %d", m, dim, k)
			}
		}
	}
}

// requireMetricEigen checks eigenpairs K v = λ M v: orthonormal, ascending, each in its part.
func requireMetricEigen(t *testing.T, c *Complex, k, m int, tol float64) *Eigen {
	t.Helper()
	e, err := c.Eigen(k, m)
	require.NoError(t, err)
	l := matrixOf(t, c, k)
	require.True(t, slices.IsSortedFunc(e.Values, func(a, b float64) int {
		return int(math.Round((a - b) / (tol * (1 + math.Abs(a)))))
	}))
	var left, right, gram mat.Dense
	left.Mul(l, e.Vectors)
	right.Mul(c.Mass(k), e.Vectors)
	gram.Mul(e.Vectors.T(), &right)
	right.Mul(&right, mat.NewDiagDense(m, e.Values))
	left.Sub(&left, &right)
	require.Less(t, mat.Norm(&left, 2), tol*mat.Norm(l, 2))
	gram.Apply(func(i, j int, v float64) float64 {
		if i == j {
			v--
		}
		return v
	}, &gram)
	require.Less(t, mat.Norm(&gram, 2), tol*float64(m))
	harmonic := 0
	for j, part := range e.Parts {
		x := mat.Col(nil, j, e.Vectors)
		dx, chain := pull(c.Boundary(k+1), x), push(c.Boundary(k), c.flat(k, x))
		if part != Curl {
			require.Less(t, floats.Dot(dx, c.flat(k+1, dx)), tol*(1+e.Values[j]), "d of %v %d", part, j)
		}
		if part != Gradient {
			delta, err := c.sharp(k-1, chain)
			require.NoError(t, err)
			require.Less(t, floats.Dot(chain, delta), tol*(1+e.Values[j]), "δ of %v %d", part, j)
		}
		if part == Harmonic {
			harmonic++
		}
	}
	require.Equal(t, min(m, c.Betti()[k]), harmonic)
	return e
}

func TestEigenWithMetrics(t *testing.T) {
	for dim := 1; dim <= 3; dim++ {
		for _, m := range metrics {
			c := with(t, bent(t, dim), m)
			for k := 0; k <= dim; k++ {
				dense := requireMetricEigen(t, c, k, c.Count(k), 1e-10)
				pairs, err := c.sparsePairs(k, min(6, c.Count(k)))
				require.NoError(t, err)
				for j := range min(6, c.Count(k)) {
					require.InDelta(t, dense.Values[j], pairsSorted(pairs)[j].value, 1e-9*(1+dense.Values[j]))
				}
			}
		}
	}
	// Those of the metric are other ones, also where the sparse solver takes over.
	for _, m := range metrics {
		requireMetricEigen(t, with(t, sphereOf(t, 3), m), 1, 12, 1e-8)
	}
}

func pairsSorted(pairs []pair) []pair {
	sortPairs(pairs)
	return pairs
}

// Parts add up, are orthogonal in the metric, and are the sums over the eigenvectors of each kind.
func TestHodgeWithMetrics(t *testing.T) {
	for _, m := range metrics {
		complexes := []*Complex{with(t, bent(t, 2), m), with(t, bent(t, 3), m)}
		if m != Circumcentric { // the halves of a rectangle have theirs on the diagonal
			complexes = append(complexes, with(t, torusOf(t, 8, 12), m))
		}
		for _, c := range complexes {
			x := randomCochain(newRand(6), c.Count(1))
			e, err := c.Eigen(1, c.Count(1))
			require.NoError(t, err)
			gradient, curl, harmonic, err := c.Hodge(1, x)
			require.NoError(t, err)
			want := make([][]float64, 3)
			for part := range want {
				want[part] = make([]float64, len(x))
			}
			weighted := c.flat(1, x)
			for j, part := range e.Parts {
				y := mat.Col(nil, j, e.Vectors)
				floats.AddScaled(want[part], floats.Dot(weighted, y), y)
			}
			require.InDeltaSlice(t, want[Gradient], gradient, 1e-9, m.String())
			require.InDeltaSlice(t, want[Curl], curl, 1e-9, m.String())
			require.InDeltaSlice(t, want[Harmonic], harmonic, 1e-9, m.String())
		}
	}
}

// Thin triangles keep their metric: of a height of 1e-12 the gradient of its coordinate is 1e12.
func TestMetricOfThinTriangles(t *testing.T) {
	const height = 0x1p-40
	c, err := New(3, [][]int{{0, 1, 2}})
	require.NoError(t, err)
	c, err = c.Embed(2, []float64{0, 0, 1, 0, 0.25, height})
	require.NoError(t, err)
	l := matrixOf(t, with(t, c, Galerkin), 0)
	// The cotangents at the base are 1/4h and 3/4h.
	require.InEpsilon(t, -3/(8*height), l.At(0, 2), 1e-12)
	require.InEpsilon(t, -1/(8*height), l.At(1, 2), 1e-12)
	require.InEpsilon(t, 2/height, with(t, c, Galerkin).Mass(2).At(0, 0), 1e-12) // 1/area
	// Angles of triangles without height are 0 and π, but not where corners coincide.
	c, err = c.Embed(2, []float64{0, 0, 1, 0, 0.25, 0})
	require.NoError(t, err)
	defects, err := c.AngleDefects()
	require.NoError(t, err)
	require.InDeltaSlice(t, []float64{math.Pi, math.Pi, 0}, defects, 1e-15)
}

func TestMetricErrors(t *testing.T) {
	c, err := New(3, [][]int{{0, 1, 2}})
	require.NoError(t, err)
	_, err = c.WithMetric(Galerkin)
	require.ErrorContains(t, err, "without coordinates")
	_, err = c.Volumes(1)
	require.ErrorContains(t, err, "without coordinates")
	_, err = c.AngleDefects()
	require.ErrorContains(t, err, "without coordinates")
	_, err = c.WithMetric(7)
	require.ErrorContains(t, err, "no metric of number 7")
	flat, err := c.Embed(2, []float64{0, 0, 1, 1, 3, 3})
	require.NoError(t, err)
	for _, m := range metrics[1:] {
		_, err = flat.WithMetric(m)
		require.ErrorContains(t, err, "[0 1 2]", m.String())
	}
	solid, err := New(4, [][]int{{0, 1, 2, 3}})
	require.NoError(t, err)
	solid, err = solid.Embed(3, []float64{0, 0, 0, 1e100, 0, 0, 0, 1e100, 0, 0, 0, 1e100})
	require.NoError(t, err)
	_, err = solid.WithMetric(Galerkin)
	require.ErrorContains(t, err, "a mass of degree 2 is 0")
	point, err := c.Embed(2, []float64{0, 0, 1, 1, 1, 1})
	require.NoError(t, err)
	_, err = point.AngleDefects()
	require.ErrorContains(t, err, "[0 1 2] has corners that coincide")
	obtuse, err := c.Embed(2, []float64{0, 0, 1, 0.1, 2, 0})
	require.NoError(t, err)
	_, err = obtuse.WithMetric(Circumcentric)
	require.ErrorContains(t, err, "and its dual -")
	with(t, obtuse, Barycentric)
	_, err = with(t, obtuse, Barycentric).Flat(make([]float64, 2))
	require.ErrorContains(t, err, "takes the metric galerkin")
	_, err = with(t, obtuse, Galerkin).Flat(make([]float64, 3))
	require.ErrorContains(t, err, "length 3 on 1 simplices")
	_, err = obtuse.Whitney(3, nil, nil)
	require.ErrorContains(t, err, "Whitney forms of degree 3")
	line, err := c.Embed(1, []float64{0, 1, 3})
	require.NoError(t, err)
	_, err = line.Whitney(2, []float64{1}, []float64{1, 0, 0})
	require.ErrorContains(t, err, "[0 1 2] is degenerate")
	wide, err := c.Embed(20000, make([]float64, 60000))
	require.NoError(t, err)
	_, err = wide.Whitney(2, []float64{1}, []float64{1, 0, 0}) // 2e8 components
	require.ErrorContains(t, err, "want at most 67108864")
	_, err = obtuse.Coboundary(0, []float64{1})
	require.ErrorContains(t, err, "length 1 in degree 0, want 3")
	simplex, err := New(10, [][]int{{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}})
	require.NoError(t, err)
	_, err = embedded(t, simplex, 9, 1).WithMetric(Barycentric)
	require.ErrorContains(t, err, "dimension 9, want at most 8")
	require.Equal(t, "Metric(9)", Metric(9).String())
	// Isolated vertices and edges that stick out have metrics of their own, and nothing has one.
	mixed, err := New(5, [][]int{{0, 1, 2}, {2, 3}})
	require.NoError(t, err)
	for _, m := range metrics {
		requireMetricEigen(t, with(t, embedded(t, mixed, 2, 1), Galerkin), 0, 5, 1e-10)
		empty, err := New(0, nil)
		require.NoError(t, err)
		with(t, empty, m)
	}
	// Another embedding has the combinatorial metric again.
	again, err := with(t, obtuse, Galerkin).Embed(2, obtuse.Coords())
	require.NoError(t, err)
	require.Equal(t, obtuse.Mass(1), again.Mass(1))
}
