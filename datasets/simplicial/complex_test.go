package simplicial

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat/combin"
)

func TestIndexOfStrangers(t *testing.T) {
	c := must(New(4, [][]int{{0, 1, 2}}))
	for _, s := range [][]int{
		{}, {4}, {-1}, {0, 3}, {1, 1}, {0, 1, 1}, {0, 1, 2, 3}, {1 << 40, 0}, {1<<32 + 1, 0},
	} {
		_, _, ok := c.Index(s...)
		require.False(t, ok, "%v", s)
	}
}

func count(n int) []int {
	s := make([]int, n)
	for i := range s {
		s[i] = i
	}
	return s
}

func TestEmbed(t *testing.T) {
	c := must(New(2, [][]int{{0, 1}}))
	coords := []float64{1, 2, 3, 4, 5, 6}
	e := must(c.Embed(3, coords))
	coords[0] = 7
	require.Equal(t, []float64{1, 2, 3, 4, 5, 6}, e.Coords())
	require.Equal(t, 3, e.Ambient())
	require.Zero(t, c.Ambient())
	require.Equal(t, c.Simplices(1), e.Simplices(1))
}

// failure returns the last of the results of a call.
func failure(results ...any) any { return results[len(results)-1] }

// What is wrong with arguments is an error that says so.
func TestErrors(t *testing.T) {
	all, long := count(22*9000), count(30)
	many := slices.Collect(slices.Chunk(all, 22)) // simplices without common faces
	nan := math.NaN()
	empty, segment := must(New(0, nil)), must(New(2, [][]int{{0, 1}}))
	circle, _ := sphere(t, 1)
	triangle := must(New(3, [][]int{{0, 1, 2}}))
	at := func(n int, coords ...float64) *Complex { return must(triangle.Embed(n, coords)) }
	flat, obtuse := at(2, 0, 0, 1, 1, 3, 3), at(2, 0, 0, 1, 0.1, 2, 0)
	solid := must(New(4, [][]int{{0, 1, 2, 3}}))
	huge := must(solid.Embed(3, []float64{0, 0, 0, 1e100, 0, 0, 0, 1e100, 0, 0, 0, 1e100}))
	x := []float64{0, 0, 1, 1}
	for _, test := range []struct {
		want string
		got  any
	}{
		{"-1 vertices", failure(New(-1, nil))}, {"vertices, want between", failure(New(maxSize+1, nil))},
		{"simplex 1: no vertices", failure(New(3, [][]int{{0}, {}}))},
		{"simplex 0: [0 3] has vertex 3, but there are 3 vertices", failure(New(3, [][]int{{0, 3}}))},
		{"[0 -1] has vertex -1, but there are 3 vertices", failure(New(3, [][]int{{0, -1}}))},
		{"simplex 1: [2 0 2] repeats vertex 2", failure(New(3, [][]int{{0, 1}, {2, 0, 2}}))},
		{"more than", failure(New(30, [][]int{long}))}, {"more than", failure(New(len(all), many))},

		{"not points in R^-1", failure(segment.Embed(-1, nil))},
		{"not points in R^0", failure(segment.Embed(0, []float64{1}))},
		{"not points in R^3", failure(segment.Embed(3, []float64{1, 2, 3, 4}))},
		{"2 coordinates for 2 vertices in R^2, want 4", failure(segment.Embed(2, []float64{1, 2}))},
		{"coordinate 0 of point 1 is NaN", failure(segment.Embed(1, []float64{1, nan}))},
		{"coordinate 1 of point 0 is -Inf", failure(segment.Embed(2, []float64{1, math.Inf(-1), 2, 3}))},

		{"no edge joins the vertices [1 3]", failure(triangle.Path(0, 1, 3))},
		{"length 1 in degree 0, want 3", failure(obtuse.Coboundary(0, []float64{1}))},

		{"points in R^0", failure(Rips(0, nil, 1, 1))},
		{"4 coordinates are not points in R^3", failure(Rips(3, x, 1, 1))},
		{"-1, want 0 or more", failure(Rips(2, x, -1, 1))},
		{"NaN, want 0 or more", failure(Rips(2, x, nan, 1))},
		{"more than 67108864 vertex numbers", failure(Rips(1, make([]float64, 200), 1, 20))},
		{"more than 67108864 vertex numbers", failure(Rips(1, make([]float64, 9000), 1, 1))},

		{"0 cells along axis 1", failure(Grid(3, 0))}, {"would hold more than", failure(Grid(1<<62, 1<<62))},
		{"would hold more than", failure(Grid(slices.Repeat([]int{1}, 26)...))}, // 2^26 vertices

		{"of a complex of dimension 1", failure(circle.Eigen(-1, 1))},
		{"of a complex of dimension -1", failure(empty.Eigen(0, 1))},
		{"of order 3, want 1..3", failure(circle.Eigen(1, 0))},
		{"of order 3, want 1..3", failure(circle.Eigen(1, 4))},
		{"length 1 in degree 1, want 3", failure(circle.Laplacian(1, []float64{1}))},
		{"length 1 in degree 1, want 3", failure(circle.Hodge(1, []float64{1}))},
		{"entry 1 of the cochain is NaN", failure(circle.Hodge(1, []float64{1, nan, 2}))},

		{"without coordinates", failure(triangle.WithMetric())},
		{"without coordinates", failure(triangle.Volumes(1))},
		{"[0 1 2]", failure(flat.WithMetric())},
		{"a mass of degree 2 is 0", failure(huge.WithMetric())},
		{"takes a complex with a metric", failure(obtuse.Flat(make([]float64, 2)))},
		{"length 3 on 1 simplices", failure(weighted(obtuse).Flat(make([]float64, 3)))},
	} {
		err, _ := test.got.(error)
		require.ErrorContains(t, err, test.want)
	}
}

func TestRipsAgreesWithBruteForce(t *testing.T) {
	rng := newRand(15)
	for n := 1; n <= 5; n++ {
		for range 5 {
			x := randomPoints(rng, 14, n)
			threshold := 0.7 * rng.Float64() * math.Sqrt(float64(n))
			c := must(Rips(n, x, threshold, 4))
			for k := range 5 {
				var want []int32
				for _, s := range combin.Combinations(14, k+1) {
					if !slices.ContainsFunc(combin.Combinations(k+1, min(k+1, 2)), func(ends []int) bool {
						v, w := s[ends[0]], s[ends[len(ends)-1]]
						return floats.Distance(x[v*n:(v+1)*n], x[w*n:(w+1)*n], 2) > threshold
					}) {
						for _, v := range s {
							want = append(want, int32(v))
						}
					}
				}
				require.Equal(t, want, c.Simplices(k))
			}
			requireComplex(t, c)
		}
	}
}

// A distance equal to the threshold counts, 0 and infinity are thresholds, and no points are a complex.
func TestRipsAtTheLimits(t *testing.T) {
	x := []float64{0, 0, 3, 0, 0, 4, 0, 4}
	require.Equal(t, 4, must(Rips(2, x, 5, 2)).Count(2))
	require.Equal(t, []int32{2, 3}, must(Rips(2, x, 0, 2)).Simplices(1))
	require.Equal(t, 6, must(Rips(2, x, math.Inf(1), 3)).Count(1))
	require.Equal(t, -1, must(Rips(2, nil, 1, 3)).Dim())
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
		faces := 0 // of the sides: inside, those of neighbors cancel
		for _, m := range cells {
			faces += 2 * boxes / m * factorial / n
		}
		require.Equal(t, faces, terms(push(c.Boundary(n), top)))
		betti := make([]int, n+1)
		betti[0] = 1
		require.Equal(t, betti, c.Betti())
	}
}

// tuples cuts bytes into lists of small numbers, from -1 up, at each 255. Lists of more than 8 are
// dropped: the number of their faces only takes time.
func tuples(data []byte) [][]int {
	var list [][]int
	for _, part := range bytes.Split(data, []byte{255}) {
		if len(part) > 8 || len(list) > 100 {
			continue
		}
		tuple := []int{}
		for _, b := range part {
			tuple = append(tuple, int(b)-1)
		}
		list = append(list, tuple)
	}
	return list
}

func FuzzNew(f *testing.F) {
	f.Add(4, []byte{1, 2, 3, 255, 4})
	f.Add(5, []byte{5, 4, 3, 2, 1})
	f.Add(0, []byte{})
	f.Add(-1, []byte{1, 1})
	f.Fuzz(func(t *testing.T, vertices int, data []byte) {
		simplices := tuples(data)
		c, err := New(vertices, simplices)
		if err != nil || vertices > 1000 {
			return
		}
		requireComplex(t, c)
		for _, s := range simplices {
			_, _, ok := c.Index(s...)
			require.True(t, ok)
		}
		euler := 0
		for k, b := range c.Betti() {
			require.GreaterOrEqual(t, b, 0)
			euler += (1 - 2*(k%2)) * (c.Count(k) - b)
			if k > 0 {
				outer, inner := c.Boundary(k-1), c.Boundary(k)
				for j := range c.Count(k) {
					require.Zero(t, terms(push(outer, column(inner, j))))
				}
			}
		}
		require.Zero(t, euler)
	})
}

// Whatever the coordinates, there is an error or a metric that is positive.
func FuzzWithMetric(f *testing.F) {
	f.Add(2, []byte{1, 2, 3, 255, 4},
		[]byte("0123456789abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
	f.Add(3, []byte{1, 2, 3, 4}, make([]byte, 96))
	f.Fuzz(func(t *testing.T, n int, simplices, data []byte) {
		coords := make([]float64, min(len(data)/8, 24))
		for i := range coords {
			coords[i] = math.Float64frombits(binary.LittleEndian.Uint64(data[8*i:]))
		}
		c, err := New(len(coords)/max(n, 1), tuples(simplices))
		if err != nil {
			return
		}
		if c, err = c.Embed(n, coords); err != nil {
			return
		}
		if weighted, err := c.WithMetric(); err == nil {
			for k := 0; k <= c.Dim(); k++ {
				mass := weighted.Mass(k)
				for i := range c.Count(k) {
					require.Positive(t, mass.At(i, i))
				}
				_, _ = weighted.Laplacian(k, make([]float64, c.Count(k)))
			}
		}
	})
}
