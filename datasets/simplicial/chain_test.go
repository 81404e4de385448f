package simplicial

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestChainOrientation(t *testing.T) {
	c := must(New(3, [][]int{{0, 1, 2}}))
	got := must(c.Chain(2, [][]int{{1, 0, 2}, {1, 2, 0}, {2, 1, 0}}, []float64{2, 5, -1}))
	require.Equal(t, []float64{4}, got)
	got = must(c.Chain(1, [][]int{{0, 1}, {1, 0}}, nil))
	require.Equal(t, []float64{0, 0, 0}, got)
}

func TestPath(t *testing.T) {
	c := must(New(5, [][]int{{0, 1, 2}, {2, 3}, {3, 4}}))
	path := must(c.Path(4, 3, 2, 0))
	require.Equal(t, []float64{0, -1, 0, -1, -1}, path)
	require.Equal(t, []float64{1, 0, 0, 0, -1}, push(c.Boundary(1), path))
	loop := must(c.Path(0, 1, 2, 0))
	require.Equal(t, 3, terms(loop))
	require.Zero(t, terms(push(c.Boundary(1), loop)))
	none := must(c.Path())
	require.Zero(t, terms(none))
	_, err := c.Path(0, 3)
	require.ErrorContains(t, err, "[0 3] is not in the complex")
}
