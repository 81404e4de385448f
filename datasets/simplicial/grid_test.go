package simplicial

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestGridOfRectangle(t *testing.T) {
	c, top := must2(Grid(2, 1))
	require.Equal(t, []float64{0, 0, 0, 1, 1, 0, 1, 1, 2, 0, 2, 1}, c.Coords())
	require.Equal(t, []int32{0, 1, 3, 0, 2, 3, 2, 3, 5, 2, 4, 5}, c.Simplices(2))
	require.Equal(t, []float64{-1, 1, -1, 1}, top)
}

// A grid of cubes in R^n has n! simplices of volume 1/n! for each, alike oriented, and a boundary
// on its sides.
func TestGridFillsBox(t *testing.T) {
	for _, cells := range [][]int{{}, {3}, {3, 2}, {1, 4}, {2, 1, 3}, {1, 2, 1, 2}, {1, 1, 1, 1, 1}} {
		c, top := must2(Grid(cells...))
		requireComplex(t, c)
		n := len(cells)
		boxes, factorial := 1, 1
		for a, m := range cells {
			boxes *= m
			factorial *= a + 1
		}
		require.Equal(t, boxes*factorial, c.Count(n))
		if n == 0 {
			require.Equal(t, []float64{1}, top)
			continue
		}
		require.InDelta(t, boxes, volume(c, top), 1e-12*float64(boxes))
		for i, sign := range top {
			one := unit(len(top), i)
			one[i] = sign
			require.InDelta(t, 1/float64(factorial), volume(c, one), 1e-14)
		}
		boundary := push(c.Boundary(n), top)
		faces := 0
		for _, m := range cells {
			faces += 2 * boxes / m * factorial / n
		}
		require.Equal(t, faces, terms(boundary))
		for j, v := range boundary {
			require.True(t, v == 0 || onSide(c, cells, c.at(n-1, j)))
		}
		betti := make([]int, n+1)
		betti[0] = 1
		require.Equal(t, betti, c.Betti())
	}
}

// onSide reports whether a simplex lies in a side of the box.
func onSide(c *Complex, cells []int, simplex []int32) bool {
	for a, m := range cells {
		low, high := true, true
		for _, v := range simplex {
			x := c.coords[int(v)*len(cells)+a]
			low, high = low && x == 0, high && x == float64(m)
		}
		if low || high {
			return true
		}
	}
	return false
}
