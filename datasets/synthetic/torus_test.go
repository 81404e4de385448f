package synthetic

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTorus: Betti numbers 1, 2, 1; points at the radius of the tube from the
// ring.
func TestTorus(t *testing.T) {
	c := must(Torus(7, 0.3))
	require.Equal(t, []int{1, 2, 1}, c.Betti())
	require.Equal(t, []int{49, 147, 98}, []int{c.Count(0), c.Count(1), c.Count(2)})
	for at := c.Coords(); len(at) > 0; at = at[3:] {
		// float64 rounding of a few operations on numbers of size one.
		require.InDelta(t, 0.3, math.Hypot(math.Hypot(at[0], at[1])-1, at[2]), 1e-15)
	}
	for _, tube := range []float64{0, 1, -1, math.NaN(), math.Inf(1)} {
		_, err := Torus(7, tube)
		require.ErrorContains(t, err, "a radius between 0 and 1")
	}
	_, err := Torus(2, 0.5)
	require.ErrorContains(t, err, "use 3 or more")
}
