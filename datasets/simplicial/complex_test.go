package simplicial

import (
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/stat/combin"
)

func TestClosureIsSmallest(t *testing.T) {
	c := must(New(5, [][]int{{3, 1}, {2, 0, 1}, {1, 3}, {0, 1}, {4}}))
	require.Equal(t, []int32{0, 1, 2, 3, 4}, c.Simplices(0))
	require.Equal(t, []int32{0, 1, 0, 2, 1, 2, 1, 3}, c.Simplices(1))
	require.Equal(t, []int32{0, 1, 2}, c.Simplices(2))
	require.Zero(t, c.Count(3))
	require.Zero(t, c.Count(-1))
	require.Nil(t, c.Simplices(-1))
}

// Every order of the vertices of every simplex finds the simplex, with the sign of the permutation.
func TestIndexSigns(t *testing.T) {
	c := randomComplex(t, newRand(2), 9, 10, 4)
	for k := 0; k <= c.Dim(); k++ {
		for i := range c.Count(k) {
			simplex := c.at(k, i)
			for _, order := range combin.Permutations(k+1, k+1) {
				tuple := make([]int, k+1)
				for j, p := range order {
					tuple[j] = int(simplex[p])
				}
				index, sign, ok := c.Index(tuple...)
				require.True(t, ok)
				require.Equal(t, i, index)
				require.Equal(t, parity(order), float64(sign))
			}
		}
	}
}

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

func TestPath(t *testing.T) {
	c := must(New(5, [][]int{{0, 1, 2}, {2, 3}, {3, 4}}))
	path := must(c.Path(4, 3, 2, 0))
	require.Equal(t, []float64{0, -1, 0, -1, -1}, path)
	require.Equal(t, []float64{1, 0, 0, 0, -1}, push(c.Boundary(1), path))
	require.Zero(t, terms(must(c.Path())))
	triangle := must(New(3, [][]int{{0, 1, 2}}))
	got := must(triangle.chain(2, [][]int{{1, 0, 2}, {1, 2, 0}, {2, 1, 0}}, []float64{2, 5, -1}))
	require.Equal(t, []float64{4}, got)
}
