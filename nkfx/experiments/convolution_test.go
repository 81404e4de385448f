package experiments

import (
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers/backendtest"
	"github.com/neuralkforms/nkf/layers/exterior"
)

// TestTranslated: a rotation field, moved over a path, by hand: over an edge from a to
// b about τ it is the determinant of a-τ and b-τ. Moving everything changes nothing.
func TestTranslated(t *testing.T) {
	vertices := [][]float64{{0, 0}, {1, 0}, {1, 1}, {3, 1}}
	edges, moves := [][]int32{{0, 1}, {1, 2}, {2, 3}}, [][]float64{{0.5, 0}, {1, 0.5}, {9, 9}}
	out, err := CallOnceN(backendtest.Get(t, "go"), func(g *Graph) []*Node {
		form := exterior.Formula(2, 1, func(x []*Node) []*Node { return []*Node{Neg(x[1]), x[0]} })
		x, s, to := Const(g, vertices), Const(g, edges), Const(g, moves)
		shift := Const(g, [][]float64{{4, -2}})
		moved := Translated(form, 1.2, Add(x, shift), s, Add(to, shift))
		return []*Node{Translated(form, 1.2, x, s, to), moved}
	})
	require.NoError(t, err)
	// Only the first two edges have both ends within 1.2 of the first two translations.
	want := []float64{0, 0.5, 0, 0.5, 0, 0, 0, 0, 0}
	for _, x := range out {
		require.Equal(t, []int{3, 3, 1}, x.Shape().Dimensions)
		require.InDeltaSlice(t, want, tensors.MustCopyFlatData[float64](x), 1e-14)
	}
}
