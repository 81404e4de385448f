package simplicial

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
)

// The union of balls has one homology, by the nerves of the balls and of their parts in Voronoi cells.
func TestAlphaHasTheHomologyOfCech(t *testing.T) {
	for n := 1; n <= 3; n++ {
		for seed := range uint64(6) {
			coords := randomPoints(newRand(seed), 6+3*n, n)
			c, radii, err := Alpha(n, coords)
			require.NoError(t, err)
			require.NoError(t, c.checkFiltration(radii))
			for _, radius := range []float64{0.1, 0.3, 0.5, 0.7, 1, 1.5} {
				alpha, err := c.Sublevel(radii, radius)
				require.NoError(t, err)
				requireComplex(t, alpha)
				cech, err := Cech(n, coords, radius, n+1)
				require.NoError(t, err)
				want, got := make([]int, n), make([]int, n) // there is nothing from degree n on
				copy(want, cech.Betti())
				copy(got, alpha.Betti())
				require.Equal(t, want, got, "n=%d seed %d radius %v", n, seed, radius)
			}
		}
	}
}

// The void in a sphere is born when its triangles fill and dies at the radius 1.
func TestAlphaOfASphere(t *testing.T) {
	c, radii, err := Alpha(3, sphereOf(t, 2).Coords())
	require.NoError(t, err)
	intervals, err := c.Persistence(radii, 2)
	require.NoError(t, err)
	longest := Interval{}
	for _, x := range intervals {
		if x.Degree == 2 && x.Death-x.Birth > longest.Death-longest.Birth {
			longest = x
		}
	}
	require.InDelta(t, 1, longest.Death, 0.02)
	require.Less(t, longest.Birth, 0.2)
	last := intervals[slices.IndexFunc(intervals, func(x Interval) bool { return x.Killer < 0 })]
	require.Equal(t, 0, last.Degree)
	require.True(t, math.IsInf(last.Death, 1))
	_, err = c.Sublevel(radii, math.NaN())
	require.ErrorContains(t, err, "not a number")
	_, err = c.Sublevel(radii[1:], 1)
	require.ErrorContains(t, err, "values in 3 degrees")
	_, _, err = Alpha(2, []float64{0, 0})
	require.ErrorContains(t, err, "hyperplane")
}

// Each edge is one to a point that fewer than so many are closer to.
func TestNearest(t *testing.T) {
	const neighbors = 3
	coords := randomPoints(newRand(1), 20, 3)
	c, err := Nearest(3, coords, neighbors, 2)
	require.NoError(t, err)
	requireComplex(t, c)
	distance := func(i, j int) float64 { return floats.Distance(coords[3*i:3*i+3], coords[3*j:3*j+3], 2) }
	for i := range 20 {
		for j := range i {
			near := func(i, j int) bool {
				closer := 0
				for l := range 20 {
					if l != i && distance(i, l) < distance(i, j) {
						closer++
					}
				}
				return closer < neighbors
			}
			_, _, ok := c.Index(i, j)
			require.Equal(t, near(i, j) || near(j, i), ok, "%d %d", i, j)
		}
	}
	clique, err := c.Clique(2)
	require.NoError(t, err)
	require.Equal(t, clique.levels, c.levels)
	same, err := Nearest(1, []float64{0, 0, 0, 0}, 1, 1)
	require.NoError(t, err)
	require.Equal(t, []int32{0, 1, 0, 2, 0, 3}, same.Simplices(1), "the first of equals")
	_, err = Nearest(2, coords[:4], 0, 1)
	require.ErrorContains(t, err, "0 nearest neighbors")
	all, err := Nearest(3, coords[:15], 99, 4)
	require.NoError(t, err)
	require.Equal(t, 1, all.Count(4))
}

// Exact and rounded spheres are the same where both are good, and right where only one is.
func TestExactCircumsphere(t *testing.T) {
	for n := 1; n <= 4; n++ {
		for k := 0; k <= n; k++ {
			points := randomPoints(newRand(uint64(n*5+k)), k+1, n)
			var rows [][]float64
			for i := range k + 1 {
				rows = append(rows, points[i*n:(i+1)*n])
			}
			center, radius := circumsphere(rows)
			exact, want := exactCircumsphere(rows)
			require.InDelta(t, want, radius, 1e-8*(1+want))
			require.InDeltaSlice(t, exact, center, 1e-8*(1+want))
			for _, x := range rows {
				require.InDelta(t, want, floats.Distance(x, exact, 2), 1e-12*(1+want))
			}
		}
	}
	_, radius := circumsphere([][]float64{{0, 0}, {1, 1}, {2, 2}})
	require.True(t, math.IsInf(radius, 1))
	const height = 0x1p-40
	_, radius = circumsphere([][]float64{{-1, 0}, {1, 0}, {0, height}})
	require.InEpsilon(t, (1+height*height)/(2*height), radius, 1e-14)
}
