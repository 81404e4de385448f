package simplicial

import (
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
)

func TestSubdivisionIsChainMap(t *testing.T) {
	rng := newRand(19)
	for range 5 {
		c := randomComplex(t, rng, 7, 6, 4)
		fine, sd, err := c.Subdivide()
		require.NoError(t, err)
		requireComplex(t, fine)
		require.Equal(t, c.Betti(), fine.Betti())
		require.Len(t, sd, c.Dim()+1)
		for k := range sd {
			if k > 0 {
				requireCommute(t, fine.Boundary(k), sd[k], sd[k-1], c.Boundary(k))
			}
			// Each simplex is cut into (k+1)! pieces, all different.
			factorial := 1
			for i := 2; i <= k+1; i++ {
				factorial *= i
			}
			for j := range c.Count(k) {
				pieces := column(sd[k], j)
				require.Equal(t, factorial, terms(pieces))
				require.Equal(t, float64(factorial), floats.Dot(pieces, pieces))
			}
		}
	}
}

// The pieces of a simplex have 1/(n+1)! of its signed volume each.
func TestSubdivisionKeepsVolume(t *testing.T) {
	rng := newRand(20)
	for n := 1; n <= 4; n++ {
		simplex, err := New(n+1, [][]int{count(n + 1)})
		require.NoError(t, err)
		c, err := simplex.Embed(n, randomPoints(rng, n+1, n))
		require.NoError(t, err)
		fine, sd, err := c.Subdivide()
		require.NoError(t, err)
		pieces := push(sd[n], []float64{1})
		want := volume(c, []float64{1})
		require.InDelta(t, want, volume(fine, pieces), 1e-14)
		for i, sign := range pieces {
			one := unit(len(pieces), i)
			one[i] = sign
			require.InDelta(t, want/float64(len(pieces)), volume(fine, one), 1e-14)
		}
	}
}

func TestSubdivisionTooLarge(t *testing.T) {
	c, _ := sphere(t, 8) // 10! flags
	_, _, err := c.Subdivide()
	require.ErrorContains(t, err, "would hold more than")
}
