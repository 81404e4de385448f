package simplicial

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// bruteForce returns the levels of the complex of all subsets of the points that keep accepts.
func bruteForce(points, dim int, keep func([]int32) bool) [][]int32 {
	levels := make([][]int32, dim+1)
	for k := range levels {
		subsets(points, k+1, func(s []int32) {
			if keep(s) {
				levels[k] = append(levels[k], s...)
			}
		})
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

// bruteRadius returns the radius of the smallest enclosing ball: the smallest among the
// circumscribed balls of all subsets that hold all points.
func bruteRadius(n int, x []float64, s []int32) float64 {
	best := math.Inf(1)
	for size := 1; size <= min(len(s), n+1); size++ {
		subsets(len(s), size, func(choice []int32) {
			// The center is x0 + Σ λ_i e_i with 2 Σ_j (e_i·e_j) λ_j = e_i·e_i.
			at := func(i int32) []float64 { return x[int(s[i])*n : (int(s[i])+1)*n] }
			center := append([]float64{}, at(choice[0])...)
			if m := size - 1; m > 0 {
				edges, right := mat.NewDense(m, n, nil), mat.NewVecDense(m, nil)
				for i := range m {
					e := floats.SubTo(make([]float64, n), at(choice[i+1]), at(choice[0]))
					edges.SetRow(i, e)
					right.SetVec(i, floats.Dot(e, e)/2)
				}
				var gram mat.Dense
				gram.Mul(edges, edges.T())
				var lambda, shift mat.VecDense
				if lambda.SolveVec(&gram, right) != nil {
					return
				}
				shift.MulVec(edges.T(), &lambda)
				floats.Add(center, shift.RawVector().Data)
			}
			radius := floats.Distance(center, at(choice[0]), 2)
			for i := range s {
				if floats.Distance(center, at(int32(i)), 2) > radius*(1+1e-9) {
					return
				}
			}
			best = min(best, radius)
		})
	}
	return best
}

func TestCechAgreesWithBruteForce(t *testing.T) {
	rng := newRand(16)
	fewer := 0
	for n := 1; n <= 4; n++ {
		for range 5 {
			x := randomPoints(rng, 12, n)
			radius := 0.4 * rng.Float64() * math.Sqrt(float64(n))
			c := must(Cech(n, x, radius, 4))
			want := bruteForce(12, 4, func(s []int32) bool { return bruteRadius(n, x, s) <= radius })
			require.Equal(t, want, c.levels)
			requireComplex(t, c)
			rips := must(Rips(n, x, 2*radius, 4))
			require.Equal(t, rips.Simplices(1), c.Simplices(1))
			fewer += rips.Count(2) - c.Count(2)
		}
	}
	require.Positive(t, fewer, "no cloud tells the complexes apart")
}

// The scale of the coordinates does not matter, near overflow and underflow either.
func TestCechScales(t *testing.T) {
	x := randomPoints(newRand(24), 20, 3)
	want := must(Cech(3, x, 0.3, 3))
	require.Positive(t, want.Count(3))
	for _, scale := range []float64{0x1p-900, 0x1p1020} {
		got := must(Cech(3, floats.ScaleTo(make([]float64, len(x)), scale, x), 0.3*scale, 3))
		require.Equal(t, want.levels, got.levels)
	}
}

// requireRadius checks that balls hold the points from the radius want on.
func requireRadius(t *testing.T, n int, x []float64, points []int32, want, tol float64) {
	t.Helper()
	require.True(t, newEnclosure(n, x, want+tol).holds(points), "radius above %v, %v", want, points)
	if want > tol {
		require.False(t, newEnclosure(n, x, want-tol).holds(points), "radius below %v, %v", want, points)
	}
}

func TestEnclosingBalls(t *testing.T) {
	rng := newRand(17)
	for n := 1; n <= 6; n++ {
		for range 100 {
			x := randomPoints(rng, 7, n)
			points := count32(7)
			requireRadius(t, n, x, points, bruteRadius(n, x, points), 1e-10)
		}
	}
}

// Points in special position, where affine dependence and ties are the rule.
func TestEnclosingBallsOfSpecialPoints(t *testing.T) {
	for name, test := range map[string]struct {
		n    int
		x    []float64
		want float64
	}{
		"one":       {2, []float64{1, 2}, 0},
		"equal":     {2, []float64{1, 2, 1, 2, 1, 2}, 0},
		"repeated":  {2, []float64{0, 0, 1, 0, 0, 0, 1, 0}, 0.5},
		"line":      {3, []float64{0, 0, 0, 1, 1, 1, 3, 3, 3, 2, 2, 2}, 1.5 * math.Sqrt(3)},
		"square":    {2, []float64{0, 0, 1, 0, 1, 1, 0, 1}, math.Sqrt(0.5)},
		"cube":      {3, []float64{0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 0}, math.Sqrt(0.75)},
		"obtuse":    {2, []float64{0, 0, 4, 0, 2, 1}, 2},
		"close":     {2, []float64{0, 0, 1, 0, 1, 1e-15, 1e-14, 0}, 0.5},
		"octagonal": {2, []float64{1, 0, -1, 0, 0, 1, 0, -1, 0.6, 0.8, -0.8, 0.6}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			points := count32(len(test.x) / test.n)
			permutations(len(points), func(order []int) {
				shuffled := make([]int32, len(points))
				for i, p := range order {
					shuffled[i] = int32(p)
				}
				requireRadius(t, test.n, test.x, shuffled, test.want, 1e-11)
			})
		})
	}
}

// Points that nearly coincide or nearly lie on a line span balls of any size. The answer must not
// depend on their order all the same.
func TestEnclosingBallsOfNearlyDependentPoints(t *testing.T) {
	rng := newRand(26)
	for range 3000 {
		n, size := 2+rng.IntN(2), 3+rng.IntN(4)
		jitter := math.Pow(10, -16+10*rng.Float64())
		x := make([]float64, n*size)
		for i := range x {
			x[i] = float64(rng.IntN(3)) + jitter*rng.NormFloat64()
		}
		points := count32(size)
		low, high := 0.0, 4.0
		for high-low > 1e-9 {
			if mid := (low + high) / 2; newEnclosure(n, x, mid).holds(points) {
				high = mid
			} else {
				low = mid
			}
		}
		for range 5 {
			rng.Shuffle(size, func(i, j int) { points[i], points[j] = points[j], points[i] })
			requireRadius(t, n, x, points, high, 2e-9)
		}
	}
}

// Points on one sphere tie at its radius, and rounding breaks the ties this way and that. Radii must
// stay right, ties count as inside, and the complexes must stay complexes at the very edge of that.
func TestCechOfCosphericalPoints(t *testing.T) {
	rng := newRand(25)
	for range 100 {
		// A regular polygon in a random plane of R^4.
		const n = 4
		u, v := randomCochain(rng, n), randomCochain(rng, n)
		floats.Scale(1/floats.Norm(u, 2), u)
		floats.AddScaled(v, -floats.Dot(u, v), u)
		floats.Scale(1/floats.Norm(v, 2), v)
		var x []float64
		corners := 5 + 2*rng.IntN(2)
		for i := range corners {
			s, c := math.Sincos(2 * math.Pi * float64(i) / float64(corners))
			p := floats.ScaleTo(make([]float64, n), c, u)
			floats.AddScaled(p, s, v)
			x = append(x, p...)
		}
		requireRadius(t, n, x, count32(corners), 1, 1e-11)
		c := must(Cech(n, x, 1, corners))
		require.Equal(t, corners-1, c.Dim())
		for range 10 {
			edge := (1 + 6e-16*(rng.Float64()-0.5)) / math.Sqrt(1+2e-12)
			c := must(Cech(n, x, edge, 4))
			requireComplex(t, c)
		}
	}
}

// Rounding may accept a simplex without one of its faces, which must come with it.
func TestClosureAddsFaces(t *testing.T) {
	c := must(closed(0, nil, [][]int32{
		count32(4),
		{0, 1, 0, 2, 0, 3, 1, 2, 1, 3, 2, 3},
		{0, 1, 2, 0, 1, 3, 0, 2, 3},
		{0, 1, 2, 3},
	}))
	requireComplex(t, c)
	require.Equal(t, 4, c.Count(2))
	require.Equal(t, 1, c.Count(3))
}

func TestCliqueIsRipsOfItsEdges(t *testing.T) {
	x := randomPoints(newRand(18), 20, 2)
	graph := must(Rips(2, x, 0.4, 1))
	got := must(graph.Clique(5))
	want := must(Rips(2, x, 0.4, 5))
	require.Equal(t, want, got)
	points := must(got.Clique(0))
	require.Equal(t, 0, points.Dim())
	require.Equal(t, x, points.Coords())
}

// A distance equal to the threshold counts.
func TestThresholdIsInclusive(t *testing.T) {
	x := []float64{0, 0, 3, 0, 0, 4}
	c := must(Rips(2, x, 5, 2))
	require.Equal(t, 1, c.Count(2))
	c = must(Cech(2, x, 2.5, 2))
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

// Each edge is one to a point that fewer than so many are closer to.
func TestNearest(t *testing.T) {
	const neighbors = 3
	coords := randomPoints(newRand(1), 20, 3)
	c := must(Nearest(3, coords, neighbors, 2))
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
	clique := must(c.Clique(2))
	require.Equal(t, clique.levels, c.levels)
	same := must(Nearest(1, []float64{0, 0, 0, 0}, 1, 1))
	require.Equal(t, []int32{0, 1, 0, 2, 0, 3}, same.Simplices(1), "the first of equals")
	all := must(Nearest(3, coords[:15], 99, 4))
	require.Equal(t, 1, all.Count(4))
}
