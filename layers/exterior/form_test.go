package exterior

import (
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers/backendtest"
	"github.com/neuralkforms/nkf/layers/quadrature"
)

// TestOperationsKeepIntegrals: sums and linear combinations of forms integrate
// by their Integral, and so do their derivatives.
func TestOperationsKeepIntegrals(t *testing.T) {
	calls := 0
	counted := RandomNetwork(1, 3, 1, 2, 0, "tanh", 3)
	form := Neural(3, 1, 2, func(x *Node) MLP { return counted(x.Graph()) })
	fast := form.integral
	form.Coefficients = nil
	form.Integral = func(corners []*Node, nodes *quadrature.Nodes) *Node {
		calls++
		return fast(corners, nodes)
	}
	out := run(t, backendtest.Get(t, "go"), func(g *Graph) []*Node {
		vertices := Const(g, [][]float64{{0, 0, 1}, {1, 0, 2}, {0, 3, 1}})
		edges, triangle := Const(g, [][]int32{{0, 1}}), Const(g, [][]int32{{0, 1, 2}})
		r := Const(g, [][]float64{{1, 2, 0}, {0, 1, -1}})
		x := Integrate(form, vertices, edges)
		return []*Node{
			Add(Dot(x, r).Product(), MulScalar(Dot(x, r).Product(), 2)),
			Integrate(form.Combine(r).Add(form.Scale(2).Combine(r)), vertices, edges),
			MulScalar(Integrate(form.D(), vertices, triangle), 3),
			Integrate(form.Scale(3).D(), vertices, triangle),
		}
	})
	require.Equal(t, 3, calls)
	for i := 0; i < len(out); i += 2 {
		closeTo(t, flat(t, out[i]), flat(t, out[i+1]), 1e-14, "linear in the forms")
	}
}
