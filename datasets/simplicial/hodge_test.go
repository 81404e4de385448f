package simplicial

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/neuralkforms/nkf/datasets/internal/modular"
)

// matrixOf returns the matrix M L of the Laplacian in degree k.
func matrixOf(t testing.TB, c *Complex, k int) *mat.SymDense {
	t.Helper()
	l, err := c.newLaplacian(k, 1)
	require.NoError(t, err)
	dense, err := l.dense()
	require.NoError(t, err)
	return dense
}

func TestLaplacianIsSumOfProducts(t *testing.T) {
	c := randomComplex(t, newRand(10), 8, 14, 3)
	for k := 0; k <= c.Dim(); k++ {
		l := matrixOf(t, c, k)
		want := mat.NewDense(c.Count(k), c.Count(k), nil)
		var part mat.Dense
		if k > 0 {
			part.Mul(c.Boundary(k).T(), c.Boundary(k))
			want.Add(want, &part)
		}
		if k < c.Dim() {
			part.Reset()
			part.Mul(c.Boundary(k+1), c.Boundary(k+1).T())
			want.Add(want, &part)
		}
		require.True(t, mat.Equal(want, l), "degree %d", k) // integers
	}
}

// requireEigen checks eigenpairs: L v = λ v, orthonormal, ascending, each in its part, all parts
// counted.
func requireEigen(t *testing.T, c *Complex, k int) *Eigen {
	e, err := c.Eigen(k, c.Count(k))
	require.NoError(t, err)
	l := matrixOf(t, c, k)
	// Rounding of a symmetric eigenproblem of this size and a norm below 20.
	const tol = 1e-12
	var gram, residual, scaled mat.Dense
	gram.Mul(e.Vectors.T(), e.Vectors)
	residual.Mul(l, e.Vectors)
	scaled.Mul(e.Vectors, mat.NewDiagDense(len(e.Values), e.Values))
	residual.Sub(&residual, &scaled)
	require.Less(t, mat.Max(&residual)-mat.Min(&residual), tol)
	counts := map[Part]int{}
	for j, value := range e.Values {
		counts[e.Parts[j]]++
		if j > 0 {
			require.GreaterOrEqual(t, value, e.Values[j-1]-tol)
			if value <= e.Values[j-1]+tol {
				require.GreaterOrEqual(t, e.Parts[j], e.Parts[j-1], "gradients come first")
			}
		}
		for i := range e.Values {
			want := 0.0
			if i == j {
				want = 1
			}
			require.InDelta(t, want, gram.At(i, j), tol)
		}
		y := mat.Col(nil, j, e.Vectors)
		if e.Parts[j] != Gradient {
			require.Less(t, floats.Norm(push(c.Boundary(k), y), 2), tol)
		}
		if e.Parts[j] != Curl {
			require.Less(t, floats.Norm(pull(c.Boundary(k+1), y), 2), tol)
		}
		largest := max(floats.Max(y), -floats.Min(y))
		require.InDelta(t, largest, floats.Max(y), tol, "sign of vector %d", j)
	}
	killers, ranks := c.killers(modular.Prime, nil), []int{0, 0}
	for i := range ranks { // of ∂_k and ∂_{k+1}
		if k+i > 0 {
			for _, killer := range killers[k+i-1] {
				ranks[i] += int(min(1, killer+1))
			}
		}
	}
	require.Equal(t, ranks, []int{counts[Gradient], counts[Curl]})
	return e
}

func TestEigenOfRandomComplexes(t *testing.T) {
	rng := newRand(11)
	for range 5 {
		c := randomComplex(t, rng, 9, 14, 4)
		for k := 0; k <= c.Dim(); k++ {
			requireEigen(t, c, k)
		}
	}
}

// All Hodge Laplacians of the n-sphere on n+2 vertices below the top are n+2 times the identity:
// every eigenvalue is shared by gradients and curls, and each eigenvector must still lie in one of
// them.
func TestEigenSeparatesCoincidingParts(t *testing.T) {
	c, _ := sphere(t, 3)
	for k := 1; k < 3; k++ {
		e := requireEigen(t, c, k)
		require.InDelta(t, 5, e.Values[0], 1e-13)
		require.InDelta(t, 5, e.Values[len(e.Values)-1], 1e-13)
	}
	e := requireEigen(t, c, 0)
	require.Equal(t, []Part{Harmonic, Curl, Curl, Curl, Curl}, e.Parts)
	require.Zero(t, e.Values[0])
	// The 3-torus has 3 harmonic 1-cochains, and its symmetry repeats most eigenvalues.
	e = requireEigen(t, torus(t, 3), 1)
	require.Equal(t, []Part{Harmonic, Harmonic, Harmonic}, e.Parts[:3])
	require.NotEqual(t, Harmonic, e.Parts[3])
}

func TestFixSign(t *testing.T) {
	for _, test := range [][2][]float64{
		{{-3, 1, 2}, {3, -1, -2}},
		{{-1, 2}, {-1, 2}},
		{{0.5, -0.5 * (1 + 1e-15)}, {0.5, -0.5 * (1 + 1e-15)}}, // equal up to rounding: the first decides
	} {
		fixSign(test[0])
		require.Equal(t, test[1], test[0])
	}
}

func TestPartString(t *testing.T) {
	require.Equal(t, "Part(7)", Part(7).String())
}

func TestLaplacianErrors(t *testing.T) {
	c, _ := sphere(t, 1)
	for _, k := range []int{-1, 2} {
		_, err := c.Laplacian(k, nil)
		require.ErrorContains(t, err, "of a complex of dimension 1")
		_, err = c.Eigen(k, 1)
		require.ErrorContains(t, err, "of a complex of dimension 1")
	}
	for _, m := range []int{-1, 0, 4} {
		_, err := c.Eigen(1, m)
		require.ErrorContains(t, err, "of order 3, want 1..3")
	}
	empty, err := New(0, nil)
	require.NoError(t, err)
	_, err = empty.Eigen(0, 1)
	require.ErrorContains(t, err, "of a complex of dimension -1")
	// A star of 12,000 edges has 72 million pairs of them.
	var star [][]int
	for i := range 12000 {
		star = append(star, []int{0, i + 1})
	}
	c, err = New(12001, star)
	require.NoError(t, err)
	_, err = c.Eigen(1, 1)
	require.ErrorContains(t, err, "share a face")
	_, err = c.Laplacian(1, []float64{1})
	require.ErrorContains(t, err, "length 1 in degree 1, want 12000")
}

// Hodge parts add up, are orthogonal, and lie where they should.
func TestHodgeDecomposition(t *testing.T) {
	rng := newRand(12)
	complexes := []*Complex{torus(t, 2), torus(t, 3), kleinBottle(t)}
	for range 5 {
		complexes = append(complexes, randomComplex(t, rng, 12, 25, 4))
	}
	// Conjugate gradients stop at 1e-14 relative to the rounding; the smallest singular values here
	// are above 0.1.
	const tol = 1e-11
	for _, c := range complexes {
		for k := 0; k <= c.Dim(); k++ {
			x := randomCochain(rng, c.Count(k))
			gradient, curl, harmonic, err := c.Hodge(k, x)
			require.NoError(t, err)
			sum := floats.AddTo(make([]float64, len(x)), gradient, curl)
			floats.Add(sum, harmonic)
			require.InDeltaSlice(t, x, sum, 1e-13)
			require.InDelta(t, 0, floats.Dot(gradient, curl), tol)
			require.InDelta(t, 0, floats.Dot(gradient, harmonic), tol)
			require.InDelta(t, 0, floats.Dot(curl, harmonic), tol)
			require.Less(t, floats.Norm(pull(c.Boundary(k+1), gradient), 2), tol)
			require.Less(t, floats.Norm(pull(c.Boundary(k+1), harmonic), 2), tol)
			require.Less(t, floats.Norm(push(c.Boundary(k), curl), 2), tol)
			require.Less(t, floats.Norm(push(c.Boundary(k), harmonic), 2), tol)
		}
	}
}

// The parts are the sums over the eigenvectors of each kind.
func TestHodgeAgreesWithEigen(t *testing.T) {
	rng := newRand(13)
	c := torus(t, 2)
	x := randomCochain(rng, c.Count(1))
	e := requireEigen(t, c, 1)
	want := map[Part][]float64{}
	for part := Harmonic; part <= Curl; part++ {
		want[part] = make([]float64, len(x))
	}
	for j, part := range e.Parts {
		y := mat.Col(nil, j, e.Vectors)
		floats.AddScaled(want[part], floats.Dot(x, y), y)
	}
	gradient, curl, harmonic, err := c.Hodge(1, x)
	require.NoError(t, err)
	require.InDeltaSlice(t, want[Gradient], gradient, 1e-12)
	require.InDeltaSlice(t, want[Curl], curl, 1e-12)
	require.InDeltaSlice(t, want[Harmonic], harmonic, 1e-12)
}

func TestHodgeScales(t *testing.T) {
	c := torus(t, 2)
	x := randomCochain(newRand(14), c.Count(1))
	small, _, _, err := c.Hodge(1, x)
	require.NoError(t, err)
	for _, scale := range []float64{1e-300, 1e300} {
		large, _, _, err := c.Hodge(1, floats.ScaleTo(make([]float64, len(x)), scale, x))
		require.NoError(t, err)
		floats.Scale(1/scale, large)
		require.InDeltaSlice(t, small, large, 1e-12)
	}
	zero, _, harmonic, err := c.Hodge(1, make([]float64, len(x)))
	require.NoError(t, err)
	require.Zero(t, floats.Norm(zero, 1)+floats.Norm(harmonic, 1))
	// A purely harmonic cochain has nothing else, down to rounding.
	e, err := c.Eigen(1, 1)
	require.NoError(t, err)
	y := mat.Col(nil, 0, e.Vectors)
	gradient, curl, harmonic, err := c.Hodge(1, y)
	require.NoError(t, err)
	require.InDeltaSlice(t, y, harmonic, 1e-14)
	require.Less(t, floats.Norm(gradient, 2)+floats.Norm(curl, 2), 1e-13)
}

func TestHodgeErrors(t *testing.T) {
	c, _ := sphere(t, 1)
	_, _, _, err := c.Hodge(1, []float64{1})
	require.ErrorContains(t, err, "length 1 in degree 1, want 3")
	_, _, _, err = c.Hodge(1, []float64{1, math.NaN(), 2})
	require.ErrorContains(t, err, "entry 1 of the cochain is NaN")
}
