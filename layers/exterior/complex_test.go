package exterior_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers/backendtest"
	"github.com/neuralkforms/nkf/layers/exterior"
	"github.com/neuralkforms/nkf/layers/quadrature"
)

// TestSumsOfNothing: without entries, chains or forms there are zeros or
// nothing, on every backend.
func TestSumsOfNothing(t *testing.T) {
	backendtest.Each(t, func(t *testing.T, backend compute.Backend) {
		out := run(t, backend, func(g *Graph) []*Node {
			ones := func(dims ...int) *Node { return Ones(g, shapes.Make(dtypes.Float64, dims...)) }
			none, some := Zeros(g, shapes.Make(dtypes.Int32, 0)), Const(g, []int32{0, 0, 1})
			return []*Node{
				exterior.SegmentSum(ones(0, 2), none, 3, true),
				exterior.SegmentSum(ones(3, 0), some, 2, true),
				exterior.SegmentSum(ones(3, 2), some, 0, true),
				exterior.Chains(ones(5, 2), none, none, ones(0), 3),
			}
		})
		for i, dims := range [][]int{{3, 2}, {2, 0}, {0, 2}, {3, 2}} {
			require.Equal(t, dims, out[i].Shape().Dimensions)
			require.Len(t, flat(out[i]), dims[0]*dims[1])
			for _, sum := range flat(out[i]) {
				require.Zero(t, sum)
			}
		}
		lost := run(t, backend, func(g *Graph) []*Node {
			rows := Const(g, []float64{1, 2, math.NaN()})
			return []*Node{exterior.SegmentSum(rows, Const(g, []int64{-1, 1, 2}), 2, true)}
		})
		require.Equal(t, []float64{0, 2}, flat(lost[0]), "without rows of segments that do not exist")
	})
}

// TestDerivativeOfFunctions: the integral of df over an edge is the difference of
// the values at its ends, exactly and by any rule, and that of its coefficients converges to it.
func TestDerivativeOfFunctions(t *testing.T) {
	backendtest.Each(t, func(t *testing.T, backend compute.Backend) {
		f := neural(3, 2, 0, "tanh")
		out := run(t, backend, func(g *Graph) []*Node {
			x := Const(g, [][]float64{{0.1, 0.2}, {0.4, 0.3}, {-0.3, 0.1}})
			edges := Const(g, [][]int32{{0, 1}, {1, 2}, {2, 0}, {1, 1}})
			at := func(ends []int32) *Node {
				return Squeeze(Gather(f.At(x), ExpandAxes(Const(g, ends), -1)), 1)
			}
			df := f.D()
			return []*Node{
				Sub(at([]int32{1, 2, 0, 1}), at([]int32{0, 1, 2, 1})),
				exterior.Integrate(by(quadrature.Gauss(1), df), x, edges),
				exterior.Integrate(by(quadrature.Gauss(1), plain(f).D()), x, edges),
				exterior.Integrate(by(quadrature.Gauss(9), plain(df)), x, edges),
				DivScalar(exterior.Integrate(by(quadrature.Gauss(1), df.Scale(3).Add(df)), x, edges), 4),
			}
		})
		want := flat(out[0])
		// A few ulps of the values, whose differences these are.
		closeTo(t, want, flat(out[1]), 1e-14, "of a network")
		closeTo(t, want, flat(out[2]), 1e-14, "of coefficients")
		require.Equal(t, []float64{0, 0}, flat(out[1])[6:], "an edge whose ends coincide")
		// Nine Gauss points are exact to degree 17: rounding.
		closeTo(t, want, flat(out[3]), 1e-12, "by quadrature")
		closeTo(t, want, flat(out[4]), 1e-14, "sums and multiples keep the integral")
	})
}

// TestDerivativeTrains compares the gradient of Σ(∫dω)² by the weights of a
// network with finite differences, through both ways to integrate.
func TestDerivativeTrains(t *testing.T) {
	backendtest.All(t, func(t *testing.T, backend compute.Backend) {
		activations := []string{"tanh", "silu", "relu"}
		if backend.Name() == "xla" {
			activations = activations[1:2]
		}
		for _, activation := range activations {
			for _, direct := range []bool{false, true} {
				loss := func(g *Graph, w *Node) *Node {
					net := randomNetwork(5, 3, 1, activation, 4)
					layers, _ := net.layers(g, dtypes.Float64)
					layers[0].W = w
					form := net.with(layers)
					if direct {
						form = plain(form)
					}
					rng := rand.New(rand.NewPCG(9, 9))
					vertices := Reshape(Const(g, normals(rng, 12)), 4, 3)
					triangles := Const(g, [][]int32{{0, 1, 2}, {1, 3, 2}})
					x := exterior.Integrate(by(quadrature.Gauss(2), form.D()), vertices, triangles)
					return ReduceAllSum(Square(x))
				}
				name := fmt.Sprintf("%s/plain=%v", activation, direct)
				t.Run(name, func(t *testing.T) { checkGradient(t, backend, 12, []int{3, 4}, loss) })
			}
		}
	})
}

// checkGradient compares the gradient of a loss at a random point with
// central differences. With steps of 1e-5 their error is about 1e-10 from
// the step and 1e-11 from rounding, relative to the loss and its third
// derivative; 1e-6 leaves room for both.
func checkGradient(t *testing.T, backend compute.Backend, size int, dims []int,
	loss func(g *Graph, w *Node) *Node) {
	t.Helper()
	const step = 1e-5
	x := normals(rand.New(rand.NewPCG(2, 3)), size)
	exec, err := NewExec(backend, func(w *Node) *Node { return loss(w.Graph(), Reshape(w, dims...)) })
	require.NoError(t, err)
	defer exec.Finalize()
	at := func(x []float64) float64 {
		out, err := exec.Call(x)
		require.NoError(t, err)
		return out[0].Value().(float64)
	}
	var differences []float64
	for i := range x {
		keep := x[i]
		x[i] = keep + step
		above := at(x)
		x[i] = keep - step
		differences = append(differences, (above-at(x))/(2*step))
		x[i] = keep
	}
	out := run(t, backend, func(g *Graph) []*Node {
		w := Reshape(ConstAsDType(g, dtypes.Float64, x), dims...)
		return Gradient(loss(g, w), w)
	})
	closeTo(t, differences, flat(out[0]), 1e-6, "gradient")
}
