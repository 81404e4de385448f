package layers

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/layers/activation"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers/backendtest"
	"github.com/neuralkforms/nkf/layers/exterior"
	"github.com/neuralkforms/nkf/layers/quadrature"
)

// call runs a graph function on a store with a fixed seed.
func call(
	t *testing.T,
	backend compute.Backend,
	store *model.Store,
	fn func(*model.Scope, *Graph) []*Node,
) []*tensors.Tensor {
	t.Helper()
	require.NoError(t, store.SetRNGStateFromSeed(11))
	out, err := model.CallOnceN(backend, store, fn)
	require.NoError(t, err)
	return out
}

// values returns float64 values.
func values(x *tensors.Tensor) []float64 { return tensors.MustCopyFlatData[float64](x) }

// normals draws random numbers.
func normals(seed uint64, count int) []float64 {
	rng := rand.New(rand.NewPCG(seed, 0))
	out := make([]float64, count)
	for i := range out {
		out[i] = rng.NormFloat64()
	}
	return out
}

// TestKFormEveryDegree: for every degree and dimension the builder makes
// forms that integrate as their coefficients say.
func TestKFormEveryDegree(t *testing.T) {
	backend := backendtest.Get(t, "go")
	for n := 1; n <= 5; n++ {
		for k := 0; k <= n; k++ {
			simplex := make([]int32, k+1)
			for i := range simplex {
				simplex[i] = int32(i)
			}
			out := call(t, backend, model.NewStore(), func(scope *model.Scope, g *Graph) []*Node {
				forms := KForm(scope.In("forms"), n, k, 3).Hidden(7, 4).Activation(Tanh).
					Quadrature(quadrature.Gauss(2)).Initialization(FanInUniform).Done()
				vertices := constant(g, dtypes.Float64, normals(uint64(10*n+k), (k+1)*n), k+1, n)
				simplices := Const(g, [][]int32{simplex})
				plain := exterior.Form{Dim: forms.Dim, Degree: forms.Degree, Count: forms.Count,
					Rule: forms.Rule, Coefficients: forms.Coefficients}
				return []*Node{exterior.Integrate(forms, vertices, simplices),
					exterior.Integrate(plain, vertices, simplices), forms.At(vertices)}
			})
			require.Equal(t, []int{1, 3}, out[0].Shape().Dimensions)
			require.Equal(t, []int{k + 1, exterior.Components(n, k), 3}, out[2].Shape().Dimensions)
			require.InDeltaSlice(t, values(out[1]), values(out[0]), 1e-12, "n=%d k=%d", n, k)
		}
	}
}

// TestInitializationKnowsItsLayer: layers are counted from 0.
func TestInitializationKnowsItsLayer(t *testing.T) {
	var asked [][2]int
	record := func(scope *model.Scope, layer, inputs int) (weights, biases model.VariableInitializer) {
		asked = append(asked, [2]int{layer, inputs})
		return FanInUniform(scope, layer, inputs)
	}
	call(t, backendtest.Get(t, "go"), model.NewStore(), func(scope *model.Scope, g *Graph) []*Node {
		form := KForm(scope.In("forms"), 3, 2, 1).Hidden(7, 4).Initialization(record).Done()
		return []*Node{form.At(constant(g, dtypes.Float64, normals(1, 3), 1, 3))}
	})
	require.Equal(t, [][2]int{{0, 3}, {1, 7}, {2, 4}}, asked)
}

// TestKFormSharesItsVariables: using the forms twice makes no new ones.
func TestKFormSharesItsVariables(t *testing.T) {
	store := model.NewStore()
	out := call(t, backendtest.Get(t, "go"), store, func(scope *model.Scope, g *Graph) []*Node {
		forms := KForm(scope.In("forms"), 2, 1, 2).Done()
		x := constant(g, dtypes.Float64, []float64{0, 0, 1, 2}, 2, 2)
		edges := Const(g, [][]int32{{0, 1}})
		return []*Node{exterior.Integrate(forms, x, edges), exterior.Integrate(forms, x, edges)}
	})
	require.Equal(t, values(out[0]), values(out[1]))
	require.Equal(t, 2*16+16+16*4+4, store.NumParameters()-exceptRandom(store))
}

// exceptRandom returns the size of the variables that are not trained.
func exceptRandom(store *model.Store) int {
	sum := 0
	for v := range store.IterVariables() {
		if !v.Trainable {
			sum += v.Shape().Size()
		}
	}
	return sum
}

// TestBatchesOfOneRow says what BatchNorm makes of batches that PyTorch does
// not take: a row and none.
func TestBatchesOfOneRow(t *testing.T) {
	backend := backendtest.Get(t, "go")
	for _, rows := range []int{1, 0} {
		store := model.NewStore()
		_, err := model.CallOnce(backend, store, func(scope *model.Scope, g *Graph) *Node {
			store.SetTraining(g, true)
			return BatchNorm(scope, Const(g, [][]float64{{8}, {100}}), Const(g, []bool{rows == 1, false}))
		})
		require.NoError(t, err)
		mean := values(store.GetVariable("/running_mean").MustValue())
		variance := values(store.GetVariable("/running_variance").MustValue())
		// From 0 and 1, a tenth of the way to 8 or 0, and to 0.
		require.InDeltaSlice(t, []float64{0.8 * float64(rows)}, mean, 1e-15)
		require.InDeltaSlice(t, []float64{0.9}, variance, 1e-15)
	}
}

// TestLabelsOfNoClass: such rows have no loss, but count where all classes
// weigh alike.
func TestLabelsOfNoClass(t *testing.T) {
	out, err := CallOnceN(backendtest.Get(t, "go"), func(g *Graph) []*Node {
		logits, keep := Const(g, [][]float64{{0, 0}, {5, 1}, {2, 7}}), Const(g, []bool{true, true, true})
		labels, weights := Const(g, []int32{0, -1, 2}), Const(g, []float64{3, 3})
		return []*Node{
			CrossEntropy(logits, labels, keep, nil),
			CrossEntropy(logits, labels, keep, weights),
		}
	})
	require.NoError(t, err)
	require.InDelta(t, math.Ln2/3, values(out[0])[0], 1e-15)
	require.InDelta(t, math.Ln2, values(out[1])[0], 1e-15)
}

// TestReadouts compares with the definitions, and drops the dummy complex.
func TestReadouts(t *testing.T) {
	rows := [][]float64{{1, -2}, {3, 0}, {-4, 5}, {100, 100}}
	of := []int32{0, 0, 2, 3} // complex 1 has no simplices, 3 is the dummy
	want := map[Reduction][]float64{
		Sum:       {4, -2, 0, 0, -4, 5},
		Mass:      {4, 2, 0, 0, 4, 5},
		L2:        {math.Sqrt(10), 2, 0, 0, 4, 5},
		SquaredL2: {10, 4, 0, 0, 16, 25},
	}
	backendtest.Each(t, func(t *testing.T, backend compute.Backend) {
		for reduction, w := range want {
			out, err := CallOnceN(backend, func(g *Graph) []*Node {
				x := constant(g, dtypes.Float64, matrix(rows).flat(), 4, 2)
				h := Readout(reduction, x, Const(g, of), 3)
				return []*Node{h, Gradient(ReduceAllSum(h), x)[0]}
			})
			require.NoError(t, err)
			require.InDeltaSlice(t, w, values(out[0]), 1e-15, reduction.String())
			grad := values(out[1])
			require.Equal(t, []float64{0, 0}, grad[6:], "the dummy has no gradient")
			for _, v := range grad {
				require.False(t, math.IsNaN(v) || math.IsInf(v, 0), "%v at a zero", reduction)
			}
		}
	})
}

// TestReadoutCounts: counts of what is repeated stand for the repetition, and
// for the sum those of the other orientation count as negative.
func TestReadoutCounts(t *testing.T) {
	backendtest.Each(t, func(t *testing.T, backend compute.Backend) {
		for _, reduction := range []Reduction{Sum, Mass, L2, SquaredL2} {
			counts := [][]int32{{2, 1, 0}, {0, 0, 0}, {0, 1, 3}}
			if reduction == Sum {
				counts = [][]int32{{2, -1, 0}, {0, 0, 0}, {0, 1, -1}}
			}
			out, err := CallOnceN(backend, func(g *Graph) []*Node {
				x := constant(g, dtypes.Float64, []float64{1, -2, 3, 0.5, -4, 5}, 3, 2)
				row := Gather(x, Const(g, [][]int32{{0}, {0}, {1}, {1}, {2}, {2}, {2}}))
				sign := Const(g, [][]float64{{1}, {1}, {-1}, {1}, {-1}, {1}, {-1}})
				repeated := Readout(reduction, Mul(row, sign), Const(g, []int32{0, 0, 0, 2, 2, 2, 2}), 3)
				counted := readoutCounts(reduction, x, Const(g, counts))
				by := constant(g, dtypes.Float64, normals(3, 6), 3, 2)
				gradient := func(h *Node) *Node { return Gradient(ReduceAllSum(Mul(by, h)), x)[0] }
				return []*Node{repeated, counted, gradient(repeated), gradient(counted)}
			})
			require.NoError(t, err)
			for i := 0; i < 4; i += 2 {
				// Sums of at most three, in another order.
				require.InDeltaSlice(t, values(out[i]), values(out[i+1]), 1e-14, reduction.String())
			}
		}
	})
}

// TestReadoutsOfNothing: complexes without any simplices have zeros, and no
// gradient but nothing.
func TestReadoutsOfNothing(t *testing.T) {
	backendtest.Each(t, func(t *testing.T, backend compute.Backend) {
		out, err := CallOnceN(backend, func(g *Graph) []*Node {
			x, of := Zeros(g, shapes.Make(dtypes.Float64, 0, 2)), Zeros(g, shapes.Make(dtypes.Int32, 0))
			var out []*Node
			for _, r := range []Reduction{Sum, Mass, L2, SquaredL2} {
				h := Readout(r, x, of, 3)
				out = append(out, h, Gradient(ReduceAllSum(h), x)[0])
			}
			return out
		})
		require.NoError(t, err)
		for i, x := range out {
			switch {
			case i%2 == 0:
				require.Equal(t, make([]float64, 3*2), values(x))
			default:
				require.Equal(t, []int{0, 2}, x.Shape().Dimensions)
			}
		}
	})
}

// TestOrientation: norms do not see it, the sum changes sign with it.
func TestOrientation(t *testing.T) {
	out := call(t, backendtest.Get(t, "go"), model.NewStore(), func(scope *model.Scope, g *Graph) []*Node {
		forms := KForm(scope.In("forms"), 3, 2, 3).Activation(activation.Swish).
			Quadrature(quadrature.Cubature(5)).Done()
		vertices := constant(g, dtypes.Float64, normals(5, 4*3), 4, 3)
		of := Const(g, []int32{0, 0})
		x := exterior.Integrate(forms, vertices, Const(g, [][]int32{{0, 1, 2}, {1, 2, 3}}))
		y := exterior.Integrate(forms, vertices, Const(g, [][]int32{{1, 0, 2}, {1, 3, 2}}))
		var out []*Node
		for _, r := range []Reduction{Mass, L2, SquaredL2} {
			out = append(out, Readout(r, x, of, 1), Readout(r, y, of, 1))
		}
		return append(out, Readout(Sum, x, of, 1), Neg(Readout(Sum, y, of, 1)))
	})
	for i := 0; i < len(out); i += 2 {
		// The rule's points come in another order: a few ulps.
		require.InDeltaSlice(t, values(out[i]), values(out[i+1]), 1e-13)
	}
}

// TestPaddingChangesNothing: values and gradients of a whole classifier are
// the same, up to rounding, with and without padding of any kind.
func TestPaddingChangesNothing(t *testing.T) {
	type shape struct{ vertices, edges, complexes int }
	x := normals(9, 7*2)
	edges := [][]int32{{0, 1}, {1, 2}, {2, 0}, {3, 4}, {5, 6}}
	of := []int32{0, 0, 0, 1, 2}
	build := func(s shape, padding ...float64) []*tensors.Tensor {
		store := model.NewStore()
		return call(t, backendtest.Get(t, "go"), store, func(scope *model.Scope, g *Graph) []*Node {
			store.SetTraining(g, true)
			vertices := append(append([]float64{}, x...), normals(77, (s.vertices-7)*2)...)
			copy(vertices[2*(s.vertices-1):], padding)
			simplices, complexOf := append([][]int32{}, edges...), append([]int32{}, of...)
			for len(simplices) < s.edges {
				last := int32(s.vertices - 1)
				simplices, complexOf = append(simplices, []int32{last, last}), append(
					complexOf,
					int32(s.complexes),
				)
			}
			mask, labels := make([]bool, s.complexes), make([]int32, s.complexes)
			mask[0], mask[1], mask[2], labels[1] = true, true, true, 1
			forms := KForm(scope.In("forms"), 2, 1, 4).Activation(Tanh).Initialization(FanInUniform).Done()
			h := Readout(
				SquaredL2,
				exterior.Integrate(forms, constant(g, dtypes.Float64, vertices, -1, 2), Const(g, simplices)),
				Const(g, complexOf),
				s.complexes,
			)
			h = BatchNorm(scope.In("norm"), h, Const(g, mask))
			logits := MLP(scope.In("head"), h, 5, 2)
			loss := CrossEntropy(logits, Const(g, labels), Const(g, mask), nil)
			out := []*Node{loss, SliceAxis(logits, 0, AxisRangeFromStart(3))}
			return append(out, scope.BuildTrainableVariablesGradientsGraph(loss)...)
		})
	}
	want := build(shape{7, 5, 3})
	require.Greater(t, len(want), 10)
	for _, s := range []shape{{8, 5, 3}, {8, 9, 3}, {16, 32, 3}, {16, 32, 8}} {
		for i, got := range build(s) {
			// Sums over more rows of zeros: rounding in another order.
			require.InDeltaSlice(t, values(want[i]), values(got), 1e-13, "%+v, output %d", s, i)
		}
	}
	// A padding vertex that is not finite: the documentation asks for one that is.
	got := build(shape{8, 9, 3}, math.NaN(), 1)
	for i := range 2 {
		require.InDeltaSlice(t, values(want[i]), values(got[i]), 1e-13, "loss and logits")
	}
	require.Contains(t, fmt.Sprint(values(got[2])), "NaN", "the gradient of the first weights, 0·NaN")
}
