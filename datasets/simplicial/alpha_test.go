package simplicial

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/combin"
)

// enclosing returns the radius of the smallest ball that holds points: the smallest among those of the
// spheres through some of them that hold all.
func enclosing(n int, coords []float64, points []int32) float64 {
	p := &predicates{n: n, coords: coords}
	best := math.Inf(1)
	for size := 1; size <= min(len(points), n+1); size++ {
		for _, choice := range subsets(len(points), size) {
			for j, i := range choice {
				choice[j] = points[i]
			}
			if !slices.ContainsFunc(points, func(v int32) bool {
				return !slices.Contains(choice, v) && !p.encloses(choice, v)
			}) {
				best = min(best, p.radius(choice))
			}
		}
	}
	return best
}

// The union of balls has one homology, by the nerves of the balls, the Čech complex, and of their parts in
// Voronoi cells.
func TestAlphaHasTheHomologyOfCech(t *testing.T) {
	for n := 1; n <= 3; n++ {
		for seed := range uint64(2) {
			count := 5 + 2*n
			coords := randomPoints(newRand(seed), count, n)
			cech := must(New(count, combin.Combinations(count, n+2)))
			values := make([][]float64, cech.Dim()+1)
			for k := range values {
				for i := range cech.Count(k) {
					values[k] = append(values[k], enclosing(n, coords, cech.at(k, i)))
				}
			}
			c, radii := must2(Alpha(n, coords))
			requireComplex(t, c)
			want, got := must(cech.Persistence(values, 2)), must(c.Persistence(radii, 2))
			// There is nothing from degree n on, but for the cut at dimension n+1.
			want = slices.DeleteFunc(want, func(x Interval) bool { return x.Degree >= n })
			require.Len(t, got, len(want), "n=%d seed %d", n, seed)
			for i, x := range want {
				require.Equal(t, x.Degree, got[i].Degree)
				require.InDelta(t, x.Birth, got[i].Birth, 1e-11)
				if x.Killer >= 0 {
					require.InDelta(t, x.Death, got[i].Death, 1e-11)
				}
			}
		}
	}
}

// Radii are those of the circumcenter, the point of the affine hull as far from all corners, also of thin
// simplices.
func TestRadius(t *testing.T) {
	for n := 1; n <= 4; n++ {
		for k := 1; k <= n; k++ {
			p := &predicates{n: n, coords: randomPoints(newRand(uint64(n*5+k)), k+1, n)}
			var points [][]float64
			for i := range int32(k + 1) {
				points = append(points, p.point(i))
			}
			d := edges(points)
			gram, half, y := mat.NewDense(k, k, nil), mat.NewVecDense(k, nil), new(mat.VecDense)
			for i := range d {
				for j := range d {
					gram.Set(i, j, floats.Dot(d[i], d[j]))
				}
				half.SetVec(i, gram.At(i, i)/2)
			}
			require.NoError(t, y.SolveVec(gram, half))
			require.InEpsilon(t, math.Sqrt(mat.Dot(y, half)), p.radius(count32(k+1)), 1e-9)
		}
	}
	const height = 0x1p-40
	thin := &predicates{n: 2, coords: []float64{-1, 0, 1, 0, 0, height}}
	require.InEpsilon(t, (1+height*height)/(2*height), thin.radius(count32(3)), 1e-14)
	require.True(t, thin.encloses([]int32{0, 1}, 2))
	require.False(t, thin.encloses([]int32{0, 2}, 1))
	on := &predicates{n: 2, coords: []float64{-1, 0, 1, 0, 0, 1}}
	require.False(t, on.encloses([]int32{0, 1}, 2))
	flat := &predicates{n: 2, coords: []float64{0, 0, 1, 1, 2, 2}}
	require.True(t, math.IsInf(flat.radius(count32(3)), 1))
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
		{"grid of 10×10", 2, lattice(10, 10), []int{121, 100}},
		{"cube", 3, lattice(1, 1, 1), []int{8, 5, 1}},
		{"turned cube", 3, turned(lattice(1, 1, 1)), []int{8, 5, 1}},
		{"grid of 3×2×2", 3, lattice(3, 2, 2), []int{36, 40, 12}},
		{"turned grid of 3×2×2", 3, turned(lattice(3, 2, 2)), []int{36, 40, 12}},
		{"sphere", 3, sphereOf(t, 1).Coords(), nil},
		{"torus", 3, torusOf(t, 8, 12).Coords(), nil},
		{"octahedron", 3, []float64{1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1}, []int{6, 7, 1}},
		{"hypercube", 4, lattice(1, 1, 1, 1), []int{16, 17, 7, 1}},
	} {
		for shift, scale := range map[float64]float64{0: 1, 1: 3e100, -1e7: 1e-3, 2: 1e-200} {
			moved := slices.Clone(test.coords)
			for i := range moved {
				moved[i] = scale * (moved[i] + shift)
			}
			c, radii := must2(Alpha(test.n, moved))
			require.NoError(t, c.checkFiltration(radii))
			got := make([]int, test.n)
			for _, x := range must(c.Persistence(radii, 2)) {
				got[x.Degree]++
				require.Greater(t, x.Death-x.Birth, 1e-3*scale, "%s at %v by %v", test.name, shift, scale)
			}
			if test.want != nil {
				require.Equal(t, test.want, got, "%s at %v by %v", test.name, shift, scale)
			}
		}
	}
}

// Radii of points in general position are those of their own spheres: nothing is made equal that is not.
func TestAlphaKeepsDifferentRadii(t *testing.T) {
	for n := 2; n <= 4; n++ {
		c, radii := must2(Alpha(n, randomPoints(newRand(uint64(n)), 40, n)))
		p := &predicates{n: n, coords: c.Coords()}
		for i, radius := range radii[n] {
			require.InEpsilon(t, p.radius(c.at(n, i)), radius, 1e-9)
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
