package simplicial

import (
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

func TestLaplacianIsSumOfProducts(t *testing.T) {
	c := randomComplex(t, newRand(10), 8, 14, 3)
	for k := 0; k <= c.Dim(); k++ {
		l := matrixOf(c, k)
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

// All Hodge Laplacians of the n-sphere on n+2 vertices below the top are n+2 times the identity:
// every eigenvalue is shared by gradients and curls, and each eigenvector must still lie in one of
// them.
func TestEigenSeparatesCoincidingParts(t *testing.T) {
	c, _ := sphere(t, 3)
	for k := 1; k < 3; k++ {
		e := must(c.Eigen(k, c.Count(k)))
		require.InDelta(t, 5, e.Values[0], 1e-13)
		require.InDelta(t, 5, e.Values[len(e.Values)-1], 1e-13)
	}
	e := must(c.Eigen(0, c.Count(0)))
	require.Equal(t, []Part{Harmonic, Curl, Curl, Curl, Curl}, e.Parts)
	require.Zero(t, e.Values[0])
	// The 3-torus has 3 harmonic 1-cochains, and its symmetry repeats most eigenvalues.
	e = must(torus(t, 3).Eigen(1, 81))
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
	e := must(c.Eigen(1, 1))
	y := mat.Col(nil, 0, e.Vectors)
	gradient, curl, harmonic := must3(c.Hodge(1, y))
	require.InDeltaSlice(t, y, harmonic, 1e-14)
	require.Less(t, floats.Norm(gradient, 2)+floats.Norm(curl, 2), 1e-13)
}
