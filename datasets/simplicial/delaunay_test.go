package simplicial

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
)

// requireDelaunay checks that spheres are empty, exactly, that simplices fill a ball of the volume, if
// that is known, and that every point is a vertex of one.
func requireDelaunay(t *testing.T, n int, coords []float64, volume float64) *Complex {
	t.Helper()
	c := must(delaunay(n, coords))
	require.Equal(t, n, c.Dim())
	p := &predicates{n: n, coords: coords}
	seen := make([]bool, c.Count(0))
	for i := range c.Count(n) {
		simplex := slices.Clone(c.at(n, i))
		if p.orientation(simplex) < 0 {
			simplex[0], simplex[1] = simplex[1], simplex[0]
		}
		require.Equal(t, 1, p.orientation(simplex), "simplex %v is flat", simplex)
		for v := range int32(c.Count(0)) {
			if slices.Contains(simplex, v) {
				seen[v] = true
			} else {
				require.LessOrEqual(t, p.inSphere(append(slices.Clone(simplex), v)), 0,
					"%d in %v", v, simplex)
			}
		}
	}
	require.NotContains(t, seen, false)
	ball := make([]int, n+1)
	ball[0] = 1
	require.Equal(t, ball, c.Betti())
	faces, _ := c.Faces(n)
	cofaces := make([]int, c.Count(n-1))
	for _, face := range faces {
		cofaces[face]++
		require.LessOrEqual(t, cofaces[face], 2)
	}
	require.NotContains(t, cofaces, 0)
	volumes := must(c.Volumes(n))
	if volume > 0 {
		require.InEpsilon(t, volume, floats.Sum(volumes), 1e-12)
	}
	return c
}

func TestDelaunay(t *testing.T) {
	for n := 1; n <= maxDelaunay; n++ {
		for seed := range uint64(8) {
			rng := rand.New(rand.NewPCG(seed, uint64(n)))
			var coords []float64
			for range 5 + 10*seed/uint64(n) {
				for range n {
					coords = append(coords, rng.NormFloat64())
				}
			}
			t.Run(fmt.Sprintf("n=%d/%d", n, seed), func(t *testing.T) { requireDelaunay(t, n, coords, 0) })
		}
	}
}

// Grids, cubes of corners and points on spheres have many points on one sphere, and rounding on every side
// of it.
func TestDelaunayOfDegeneratePoints(t *testing.T) {
	for n := 1; n <= 3; n++ {
		grid, _ := must2(Grid([]int{4, 3, 2}[:n]...))
		requireDelaunay(t, n, grid.Coords(), []float64{4, 12, 24}[n-1])
		tilted := make([]float64, len(grid.Coords())) // 0.1 is no binary fraction
		for i, x := range grid.Coords() {
			tilted[i] = 0.1*x + 0.3
		}
		requireDelaunay(t, n, tilted, 0)
	}
	var circle, mixed []float64
	for i := range 24 {
		angle := 2 * math.Pi * float64(i) / 24
		circle = append(circle, math.Cos(angle), math.Sin(angle))
	}
	requireDelaunay(t, 2, circle, 0)
	requireDelaunay(t, 3, sphereOf(t, 1).Coords(), 0)
	for i := range 12 { // extremes of size
		mixed = append(mixed, math.Ldexp(1, 80*(i%5)), math.Ldexp(float64(i*i), -300))
	}
	requireDelaunay(t, 2, append(mixed, 0, 0, 1, 1), 0)
	requireDelaunay(t, 2, []float64{0, 0, 1, 0, 2, 0, 3, 0, 1, 1}, 1.5)
}
