package simplicial

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// hexTorus returns the torus of n² vertices with six triangles at each.
func hexTorus(t testing.TB, n int) *Complex {
	var triangles [][]int
	at := func(i, j int) int { return i%n*n + j%n }
	for i := range n {
		for j := range n {
			triangles = append(triangles,
				[]int{at(i, j), at(i+1, j), at(i+1, j+1)}, []int{at(i, j), at(i, j+1), at(i+1, j+1)})
		}
	}
	c, err := New(n*n, triangles)
	require.NoError(t, err)
	return c
}

// spectrum returns the eigenvalues of L_1 of hexTorus in each part, ascending. By Fourier transform
// gradients have those of the vertices, 6 - 2 cos a - 2 cos b - 2 cos(a+b), and curls those of the
// triangles, 3 ± |1 + e^ia + e^ib|, without 0.
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

// requirePairs checks eigenpairs: L x = λ x, orthonormal, ascending, each in its part, with gradients
// first where eigenvalues agree. The tolerance is for residuals of unit vectors.
func requirePairs(t testing.TB, c *Complex, k int, e *Eigen, tol float64) {
	t.Helper()
	for j, value := range e.Values {
		x := mat.Col(nil, j, e.Vectors)
		y, err := c.Laplacian(k, x)
		require.NoError(t, err)
		floats.AddScaled(y, -value, x)
		require.LessOrEqual(t, floats.Norm(y, 2), tol, "residual %d", j)
		if e.Parts[j] != Gradient {
			require.LessOrEqual(t, floats.Norm(push(c.Boundary(k), x), 2), tol)
		}
		if e.Parts[j] != Curl {
			require.LessOrEqual(t, floats.Norm(pull(c.Boundary(k+1), x), 2), tol)
		}
		if e.Parts[j] == Harmonic {
			require.Zero(t, value)
		}
		if j > 0 {
			require.GreaterOrEqual(t, value, e.Values[j-1]-tol)
			if value <= e.Values[j-1]+tol {
				require.GreaterOrEqual(t, e.Parts[j], e.Parts[j-1])
			}
		}
	}
	var gram mat.Dense
	gram.Mul(e.Vectors.T(), e.Vectors)
	for i := range e.Values {
		gram.Set(i, i, gram.At(i, i)-1)
	}
	require.LessOrEqual(t, max(mat.Max(&gram), -mat.Min(&gram)), tol)
}

// requireSparse checks the sparse solver against the dense one.
func requireSparse(t testing.TB, c *Complex, k, m int) {
	t.Helper()
	all, err := c.densePairs(k)
	require.NoError(t, err)
	sortPairs(all)
	some, err := c.sparsePairs(k, m)
	require.NoError(t, err)
	sortPairs(some)
	require.GreaterOrEqual(t, len(some), m)
	e := &Eigen{Vectors: mat.NewDense(c.Count(k), m, nil)}
	// Eigenvalues are below 100 and have the rounding of some hundred terms.
	const tol = 1e-11
	for j, p := range some[:m] {
		require.InDelta(t, all[j].value, p.value, tol)
		require.Equal(t, all[j].part, p.part, "%d of eigenvalue %v", j, p.value)
		e.Values, e.Parts = append(e.Values, p.value), append(e.Parts, p.part)
		e.Vectors.SetCol(j, p.vector)
	}
	requirePairs(t, c, k, e, tol)
}

func TestSparseAgreesWithDense(t *testing.T) {
	rng := newRand(20)
	torus3 := torus(t, 3)
	ball, _ := sphere(t, 6) // all eigenvalues are 8
	box, _, err := Grid(3, 3, 3)
	require.NoError(t, err)
	points, err := New(40, nil) // every cochain is harmonic
	require.NoError(t, err)
	edges, err := New(60, [][]int{{0, 1}, {2, 3}, {4, 5}, {6, 7, 8}, {9, 10, 11}, {12, 13, 14, 15}})
	require.NoError(t, err)
	complexes := []*Complex{torus3, ball, box, points, edges, kleinBottle(t), hexTorus(t, 7)}
	for range 4 {
		complexes = append(complexes, randomComplex(t, rng, 14, 60, 3))
	}
	for _, c := range complexes {
		for k := 0; k <= c.Dim(); k++ {
			for _, m := range []int{1, 5, 20, c.Count(k)} {
				requireSparse(t, c, k, min(m, c.Count(k)))
			}
		}
	}
}

// The known spectrum of a torus with 1,728 edges, where eigenvalues are repeated 2, 6 and 12 times and
// parts coincide.
func TestEigenOfTorus(t *testing.T) {
	c := hexTorus(t, 24)
	require.Equal(t, 1728, c.Count(1))
	const m = 150
	e, err := c.Eigen(1, m)
	require.NoError(t, err)
	requirePairs(t, c, 1, e, 1e-12)
	gradients, curls := spectrum(24)
	found := map[Part][]float64{}
	for j, part := range e.Parts {
		found[part] = append(found[part], e.Values[j])
	}
	require.Len(t, found[Harmonic], 2)
	require.NotEmpty(t, found[Gradient])
	require.InDeltaSlice(t, gradients[:len(found[Gradient])], found[Gradient], 1e-12)
	require.InDeltaSlice(t, curls[:len(found[Curl])], found[Curl], 1e-12)
	// None of either part is missing.
	last := e.Values[m-1] - 1e-9
	require.Less(t, last, gradients[len(found[Gradient])])
	require.Less(t, last, curls[len(found[Curl])])
}

// 10,092 edges take about a second on a core that has nothing else to do; the dense solver would take
// hours.
func TestEigenOfTenThousandEdges(t *testing.T) {
	c := hexTorus(t, 58)
	begin := time.Now()
	e, err := c.Eigen(1, 20)
	require.NoError(t, err)
	t.Logf("%d edges: %v", c.Count(1), time.Since(begin))
	require.Less(t, time.Since(begin), time.Minute)
	// Projections onto a part are divided by eigenvalues of 4e-3.
	requirePairs(t, c, 1, e, 1e-11)
	gradients, curls := spectrum(58)
	all := slices.Sorted(slices.Values(slices.Concat([]float64{0, 0}, gradients, curls)))
	require.InDeltaSlice(t, all[:20], e.Values, 1e-12)
}

// A few of very many equal eigenvalues: gradients come first, as there are enough.
func TestEigenOfOneEigenspace(t *testing.T) {
	c, _ := sphere(t, 8)
	require.Equal(t, 252, c.Count(4))
	e, err := c.Eigen(4, 10)
	require.NoError(t, err)
	requirePairs(t, c, 4, e, 1e-12)
	require.Equal(t, slices.Repeat([]Part{Gradient}, 10), e.Parts)
	require.InDeltaSlice(t, slices.Repeat([]float64{10}, 10), e.Values, 1e-12)
}

// Two hundred triangles without a common vertex have as many components, and equal eigenvalues.
func TestEigenOfManyComponents(t *testing.T) {
	var triangles [][]int
	for i := range 200 {
		triangles = append(triangles, []int{3 * i, 3*i + 1, 3*i + 2})
	}
	c, err := New(600, triangles)
	require.NoError(t, err)
	for _, m := range []int{1, 30, 110} {
		e, err := c.Eigen(0, m)
		require.NoError(t, err)
		requirePairs(t, c, 0, e, 1e-12)
		require.Equal(t, slices.Repeat([]Part{Harmonic}, m), e.Parts)
		e, err = c.Eigen(1, m)
		require.NoError(t, err)
		requirePairs(t, c, 1, e, 1e-12)
		require.InDelta(t, 3, e.Values[m-1], 1e-12)
		require.Equal(t, slices.Repeat([]Part{Gradient}, m), e.Parts)
	}
}

func TestEigenIsDeterministic(t *testing.T) {
	c := hexTorus(t, 12)
	first, err := c.Eigen(1, 10)
	require.NoError(t, err)
	again, err := c.Eigen(1, 10)
	require.NoError(t, err)
	require.Equal(t, first, again)
}
