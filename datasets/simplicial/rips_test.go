package simplicial

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
)

// bruteForce returns the levels of the complex of all subsets of the points that keep accepts.
func bruteForce(points, dim int, keep func([]int32) bool) [][]int32 {
	levels := make([][]int32, dim+1)
	for k := range levels {
		for _, s := range subsets(points, k+1) {
			if keep(s) {
				levels[k] = append(levels[k], s...)
			}
		}
	}
	c := &Complex{levels: levels}
	c.trim()
	return c.levels
}

func TestRipsAgreesWithBruteForce(t *testing.T) {
	rng := newRand(15)
	for n := 1; n <= 5; n++ {
		for range 5 {
			x := randomPoints(rng, 14, n)
			threshold := 0.7 * rng.Float64() * math.Sqrt(float64(n))
			c := must(Rips(n, x, threshold, 4))
			require.Equal(t, bruteForce(14, 4, func(s []int32) bool {
				for i, v := range s {
					for _, w := range s[:i] {
						if floats.Distance(x[int(v)*n:int(v+1)*n], x[int(w)*n:int(w+1)*n], 2) > threshold {
							return false
						}
					}
				}
				return true
			}), c.levels)
			requireComplex(t, c)
		}
	}
}

// A distance equal to the threshold counts.
func TestThresholdIsInclusive(t *testing.T) {
	x := []float64{0, 0, 3, 0, 0, 4}
	c := must(Rips(2, x, 5, 2))
	require.Equal(t, 1, c.Count(2))
	c = must(Rips(2, append(x, 0, 4), 0, 2))
	require.Equal(t, []int32{2, 3}, c.Simplices(1))
}

func TestRipsAtTheLimits(t *testing.T) {
	x := []float64{0, 0, 1, 1}
	c := must(Rips(2, x, math.Inf(1), 3))
	require.Equal(t, 1, c.Count(1))
	none := must(Rips(2, nil, 1, 3))
	require.Equal(t, -1, none.Dim())
}
