package layers_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/backendtest"
)

// TestGramIsInvariant checks G(Q·X) = G(X) for signed permutations and
// rotations Q of the simplices of a complex, G(XR) = RᵀG(X)R, and that the
// diagonal is the squared norm.
func TestGramIsInvariant(t *testing.T) {
	const angle = 0.7
	rotation := [][]float64{
		{math.Cos(angle), -math.Sin(angle), 0}, {math.Sin(angle), math.Cos(angle), 0}, {0, 0, 1},
	}
	backendtest.Each(t, func(t *testing.T, backend compute.Backend) {
		out := compute64(t, backend, func(_ *model.Scope, g *Graph) []*Node {
			x, r := Const(g, normals(3, 4, 3)), Const(g, normals(4, 3, 3))
			complexOf := Const(g, []int32{0, 0, 0, 1})
			gram := func(x *Node) *Node { return layers.Gram(x, complexOf, 2) }
			// The first complex has rows 0 to 2, in another order and
			// orientation, then rotated.
			mixed := Gather(x, Const(g, [][]int32{{2}, {0}, {1}, {3}}))
			mixed = Mul(mixed, Const(g, [][]float64{{-1}, {1}, {-1}, {-1}}))
			rotated := Dot(Const(g, rotation), SliceAxis(x, 0, AxisRange(0, 3))).Product()
			rotated = Concatenate([]*Node{rotated, SliceAxis(x, 0, AxisElem(3))}, 0)
			changed := Einsum("cik,kj->cij", Einsum("cab,ai->cib", gram(x), r), r)
			diagonal := Const(g, [][][]float64{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}})
			return []*Node{
				gram(x), gram(mixed), gram(rotated), gram(Dot(x, r).Product()), changed,
				ReduceSum(Mul(gram(x), diagonal), 2), layers.Readout(layers.SquaredL2, x, complexOf, 2),
			}
		})
		sameValues(t, out[0], out[1], 1e-12, "signed permutation")
		sameValues(t, out[0], out[2], 1e-12, "rotation")
		sameValues(t, out[4], out[3], 1e-12, "change of forms")
		sameValues(t, out[6], out[5], 1e-12, "diagonal")
	})
	_, err := CallOnce(backendtest.Get(t, "go"), func(g *Graph) *Node {
		return layers.Gram(Const(g, []float64{1}), Const(g, []int32{0}), 1)
	})
	require.ErrorContains(t, err, "layers.Gram: integrals of shape")
}

// The forms are strangers to each other on the first complex, and opposite on
// the second: their squared norms alone are the same.
func ExampleGram() {
	backend, err := compute.NewWithConfig("go")
	if err != nil {
		panic(err)
	}
	out, err := CallOnce(backend, func(g *Graph) *Node {
		x := Const(g, [][]float64{{1, 0}, {0, 1}, {1, -1}})
		return layers.Gram(x, Const(g, []int32{0, 0, 1}), 2)
	})
	if err != nil {
		panic(err)
	}
	fmt.Println(out.Value())
	// Output: [[[1 0] [0 1]] [[1 -1] [-1 1]]]
}
