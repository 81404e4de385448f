package simplicial

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The pieces of a simplex have 1/(n+1)! of its signed volume each.
func TestSubdivisionKeepsVolume(t *testing.T) {
	rng := newRand(20)
	for n := 1; n <= 4; n++ {
		simplex := must(New(n+1, [][]int{count(n + 1)}))
		c := must(simplex.Embed(n, randomPoints(rng, n+1, n)))
		fine, sd := must2(c.Subdivide())
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
