package layers_test

import (
	"fmt"
	"testing"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/backendtest"
	"github.com/neuralkforms/nkf/layers/exterior"
	"github.com/neuralkforms/nkf/layers/quadrature"
)

// TestDecomposableFormsAreAll: with as many terms as components and the
// coordinates dx_I as covectors, decomposable forms are the general ones, and
// so are their gradients.
func TestDecomposableFormsAreAll(t *testing.T) {
	backendtest.Each(t, func(t *testing.T, backend compute.Backend) {
		dimensions := []int{1, 2, 3, 4, 5}
		if backend.Name() == "xla" {
			dimensions = dimensions[2:3]
		}
		for _, n := range dimensions {
			for k := 1; k <= n; k++ {
				rank := exterior.Components(n, k)
				out := compute64(t, backend, func(scope *model.Scope, g *Graph) []*Node {
					vertices, simplices := Const(g, normals(1, 7, n)), Const(g, cycle(7, k))
					frame := make([][]float64, n)
					for i := range frame {
						frame[i] = make([]float64, rank*k)
					}
					for r, multi := range exterior.MultiIndices(n, k) {
						for a, i := range multi {
							frame[i][r*k+a] = 1
						}
					}
					// The weights are those of the scope, which all share; only the frame is given.
					scope.In("forms").At("frame").VariableWithValue("weights", frame)
					forms := func(rank int) exterior.Form {
						return layers.KForm(scope.Shared("forms"), n, k, 2).Hidden(6).Activation(Tanh).
							Rank(rank).Quadrature(quadrature.Gauss(2)).Done()
					}
					full := exterior.Integrate(forms(0), vertices, simplices)
					parts := exterior.Integrate(forms(rank), vertices, simplices)
					points := Const(g, normals(2, 3, n))
					return []*Node{
						full, parts, forms(0).At(points), forms(rank).At(points),
						Gradient(ReduceAllSum(Square(full)), vertices)[0],
						Gradient(ReduceAllSum(Square(parts)), vertices)[0],
					}
				})
				for i := 0; i < len(out); i += 2 {
					sameValues(t, out[i], out[i+1], 1e-11, fmt.Sprintf("n=%d k=%d output %d", n, k, i))
				}
			}
		}
	})
}
