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
