package layers_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/stretchr/testify/require"

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

// BenchmarkDecomposable times forward and gradient of 2-forms in dimension
// 256, where general forms have 32,640 components, over 64 triangles. Both
// report ns/op; x_faster is that of the general forms over that of the
// decomposable ones with 8 terms, measured in the same run: 20 is the least
// to expect.
func BenchmarkDecomposable(b *testing.B) {
	backend := backendtest.Get(b, "xla:cpu")
	const n, k, count, simplices = 256, 2, 4, 64
	// step returns a step that is compiled and has run once.
	step := func(b *testing.B, rank int) func() {
		store := model.NewStore()
		exec, err := model.NewExec(backend, store, func(scope *model.Scope, vertices *Node) []*Node {
			g := vertices.Graph()
			forms := layers.KForm(scope.In("forms"), n, k, count).Hidden(16).
				Activation(Tanh).Rank(rank).Done()
			loss := ReduceAllSum(Square(exterior.Integrate(forms, vertices, Const(g, cycle(simplices, k)))))
			var weights []*Node
			for v := range store.IterVariables() {
				if v.Trainable && v.DType().IsFloat() {
					weights = append(weights, v.NodeValue(g))
				}
			}
			return append([]*Node{loss}, Gradient(loss, weights...)...)
		})
		require.NoError(b, err)
		points, err := CallOnce(backend, func(g *Graph) *Node {
			return ConvertDType(Const(g, normals(1, simplices, n)), dtypes.Float32)
		})
		require.NoError(b, err)
		run := func() {
			out, err := exec.Call(points)
			require.NoError(b, err)
			tensors.MustCopyFlatData[float32](out[0])
			for _, x := range out {
				x.MustFinalizeAll()
			}
		}
		run()
		return run
	}
	var general time.Duration
	b.Run("general", func(b *testing.B) {
		run := step(b, 0)
		for b.Loop() {
			run()
		}
		general = b.Elapsed() / time.Duration(b.N)
	})
	b.Run("decomposable", func(b *testing.B) {
		run := step(b, 8)
		for b.Loop() {
			run()
		}
		// Zero where only this one was asked for.
		b.ReportMetric(float64(general*time.Duration(b.N))/float64(b.Elapsed()), "x_faster")
	})
}
