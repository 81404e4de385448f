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
			c, radii := must2(Alpha(n, coords))
			require.NoError(t, c.checkFiltration(radii))
			for _, radius := range []float64{0.1, 0.3, 0.5, 0.7, 1, 1.5} {
				alpha := must(c.Sublevel(radii, radius))
				requireComplex(t, alpha)
				cech := must(Cech(n, coords, radius, n+1))
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
	c, radii := must2(Alpha(3, sphereOf(t, 2).Coords()))
	intervals := must(c.Persistence(radii, 2))
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
			rounded, ok := circumsphere(rows)
			require.True(t, ok)
			exact := exactCircumsphere(rows)
			tol := 1e-8 * (1 + exact.radius)
			require.InDelta(t, exact.radius, rounded.radius, tol)
			require.InDeltaSlice(t, exact.center, rounded.center, tol)
			require.InDeltaSlice(t, exact.weights, rounded.weights, tol)
			for _, x := range rows {
				require.InDelta(t, exact.radius, floats.Distance(x, exact.center, 2), 1e-4*tol)
			}
		}
	}
	flat := [][]float64{{0, 0}, {1, 1}, {2, 2}}
	_, ok := circumsphere(flat)
	require.False(t, ok)
	require.True(t, math.IsInf(exactCircumsphere(flat).radius, 1))
	const height = 0x1p-40
	thin := exactCircumsphere([][]float64{{-1, 0}, {1, 0}, {0, height}})
	require.InEpsilon(t, (1+height*height)/(2*height), thin.radius, 1e-14)
}

// lattice returns the points of a grid with so many points along each side.
func lattice(sides ...int) []float64 {
	c, _, err := Grid(sides...)
	if err != nil {
		panic(err)
	}
	return c.Coords()
}

// regular returns the corners of a regular polygon.
func regular(corners int) []float64 {
	var coords []float64
	for i := range corners {
		angle := 2*math.Pi*float64(i)/float64(corners) + 0.1
		coords = append(coords, math.Cos(angle), math.Sin(angle))
	}
	return coords
}

// turned returns points of R³ after two rotations, which leave those of planes and spheres near them.
func turned(coords []float64) []float64 {
	out := slices.Clone(coords)
	for i := 0; i < len(out); i += 3 {
		for _, plane := range [][2]int{{0, 1}, {1, 2}} {
			x, y := &out[i+plane[0]], &out[i+plane[1]]
			*x, *y = 0.8*(*x)-0.6*(*y), 0.6*(*x)+0.8*(*y)
		}
	}
	return out
}

// Cospherical points have the homology of their cells: whatever the triangulation of a square, a cube or a
// polygon, each encloses one class, also where coordinates are rounded. Numbers of intervals follow: one
// component stays of N points; of a grid of a×b×c cubes with their V-1 merging edges each further edge opens
// a loop, each square beyond those that close loops opens a void, and each cube closes one.
func TestAlphaOfCosphericalPoints(t *testing.T) {
	for _, test := range []struct {
		name   string
		n      int
		coords []float64
		want   []int
	}{
		{"square", 2, lattice(1, 1), []int{4, 1}},
		{"triangle", 2, regular(3), []int{3, 1}},
		{"hexagon", 2, regular(6), []int{6, 1}},
		{"polygon of 17", 2, regular(17), []int{17, 1}},
		{"polygon of 100", 2, regular(100), []int{100, 1}},
		{"grid of 5×4", 2, lattice(5, 4), []int{30, 20}},
		{"grid of 20×20", 2, lattice(20, 20), []int{441, 400}},
		{"cube", 3, lattice(1, 1, 1), []int{8, 5, 1}},
		{"turned cube", 3, turned(lattice(1, 1, 1)), []int{8, 5, 1}},
		{"grid of 3×2×2", 3, lattice(3, 2, 2), []int{36, 40, 12}},
		{"turned grid of 3×2×2", 3, turned(lattice(3, 2, 2)), []int{36, 40, 12}},
		{"sphere", 3, sphereOf(t, 2).Coords(), nil},
		{"torus", 3, torusOf(t, 8, 12).Coords(), nil},
		{"octahedron", 3, []float64{1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1}, []int{6, 7, 1}},
		{"hypercube", 4, lattice(1, 1, 1, 1), []int{16, 17, 7, 1}},
	} {
		for _, shift := range []float64{0, 1, -1e7} {
			for _, scale := range []float64{1, 1e-3, 3e100, 1e-200} {
				moved := slices.Clone(test.coords)
				for i := range moved {
					moved[i] = scale * (moved[i] + shift)
				}
				c, radii := must2(Alpha(test.n, moved))
				require.NoError(t, c.checkFiltration(radii))
				intervals := must(c.Persistence(radii, 2))
				got := make([]int, test.n)
				for _, x := range intervals {
					got[x.Degree]++
					require.Greater(t, x.Death-x.Birth, 1e-3*scale, "%s at %v by %v", test.name, shift, scale)
				}
				if test.want != nil {
					require.Equal(t, test.want, got, "%s at %v by %v", test.name, shift, scale)
				}
			}
		}
	}
}

// Radii of points in general position are those of their own spheres: nothing is made equal that is not.
func TestAlphaKeepsDifferentRadii(t *testing.T) {
	for n := 2; n <= 4; n++ {
		c, radii := must2(Alpha(n, randomPoints(newRand(uint64(n)), 40, n)))
		for i, radius := range radii[n] {
			require.InEpsilon(t, exactCircumsphere(c.points(c.at(n, i))).radius, radius, 1e-9)
		}
		// A facet is equal to the one simplex that it is attached to, and to no other.
		faces, _ := c.Faces(n)
		equal := make([]int, c.Count(n-1))
		for at, face := range faces {
			if radii[n][at/(n+1)] == radii[n-1][face] {
				equal[face]++
			}
		}
		require.LessOrEqual(t, slices.Max(equal), 1)
	}
}
