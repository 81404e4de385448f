package simplicial

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// ⟨dω, c⟩ = ⟨ω, ∂c⟩, Stokes' theorem for cochains.
func TestCoboundaryIsAdjoint(t *testing.T) {
	rng := newRand(6)
	c := randomComplex(t, rng, 10, 20, 4)
	for k := 1; k <= c.Dim(); k++ {
		chain := Chain{Degree: k, Index: count32(c.Count(k)), Coeff: randomCochain(rng, c.Count(k))}
		cochain := randomCochain(rng, c.Count(k-1))
		d, err := c.Boundary(k).Pull(cochain)
		require.NoError(t, err)
		left, err := chain.Pair(d)
		require.NoError(t, err)
		boundary, err := c.Boundary(k).Apply(chain)
		require.NoError(t, err)
		right, err := boundary.Pair(cochain)
		require.NoError(t, err)
		require.InDelta(t, left, right, 1e-12) // sums of some hundred numbers of order 1
	}
}

func TestChainOrientation(t *testing.T) {
	c, err := New(3, [][]int{{0, 1, 2}})
	require.NoError(t, err)
	got, err := c.Chain(2, [][]int{{1, 0, 2}, {1, 2, 0}, {2, 1, 0}}, []float64{2, 5, -1})
	require.NoError(t, err)
	require.Equal(t, Chain{2, []int32{0}, []float64{4}}, got)
	got, err = c.Chain(1, [][]int{{0, 1}, {1, 0}}, nil)
	require.NoError(t, err)
	require.Empty(t, got.Index)
}

func TestPath(t *testing.T) {
	c, err := New(5, [][]int{{0, 1, 2}, {2, 3}, {3, 4}})
	require.NoError(t, err)
	path, err := c.Path(4, 3, 2, 0)
	require.NoError(t, err)
	require.Equal(t, Chain{1, []int32{1, 3, 4}, []float64{-1, -1, -1}}, path)
	ends, err := c.Boundary(1).Apply(path)
	require.NoError(t, err)
	require.Equal(t, Chain{0, []int32{0, 4}, []float64{1, -1}}, ends)
	loop, err := c.Path(0, 1, 2, 0)
	require.NoError(t, err)
	ends, err = c.Boundary(1).Apply(loop)
	require.NoError(t, err)
	require.Empty(t, ends.Index)
	none, err := c.Path()
	require.NoError(t, err)
	require.Empty(t, none.Index)
	_, err = c.Path(0, 3)
	require.ErrorContains(t, err, "[0 3] is not in the complex")
}

func TestChainErrors(t *testing.T) {
	c, err := New(4, [][]int{{0, 1, 2}})
	require.NoError(t, err)
	for _, test := range []struct {
		k         int
		simplices [][]int
		coeffs    []float64
		want      string
	}{
		{1, [][]int{{0, 1}, {0, 3}}, nil, "simplex 1: [0 3] is not in the complex"},
		{1, [][]int{{0, 0}}, nil, "is not in the complex"},
		{1, [][]int{{0, 1, 2}}, nil, "[0 1 2] has 3 vertices, want 2 in degree 1"},
		{-1, [][]int{{}}, nil, "is not in the complex"},
		{1, [][]int{{0, 1}}, []float64{1, 2}, "2 coefficients for 1 simplices"},
		{1, [][]int{{0, 1}}, []float64{math.NaN()}, "coefficient 0 is NaN"},
		{1, [][]int{{0, 1}}, []float64{math.Inf(1)}, "coefficient 0 is +Inf"},
	} {
		_, err := c.Chain(test.k, test.simplices, test.coeffs)
		require.ErrorContains(t, err, test.want)
	}
	_, err = Chain{1, []int32{0}, nil}.Pair([]float64{1})
	require.ErrorContains(t, err, "1 indices and 0 coefficients")
	_, err = Chain{1, []int32{-1}, []float64{1}}.Pair([]float64{1})
	require.ErrorContains(t, err, "simplex -1")
	_, err = Chain{1, []int32{0}, []float64{1}}.Pair(nil)
	require.ErrorContains(t, err, "simplex 0")
}
