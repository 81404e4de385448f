package layers_test

import (
	"math"
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/backendtest"
	"github.com/neuralkforms/nkf/layers/cochain"
	"github.com/neuralkforms/nkf/layers/exterior"
	"github.com/neuralkforms/nkf/layers/gnn"
	"github.com/neuralkforms/nkf/layers/path"
	"github.com/neuralkforms/nkf/layers/quadrature"
)

// call runs a graph function on a store.
func call(backend compute.Backend, store *model.Store,
	fn func(*model.Scope, *Graph) []*Node) []*tensors.Tensor {
	return must(model.CallOnceN(backend, store, fn))
}

// TestKFormEveryDegree: for every degree and dimension the builder makes a network of the widths asked for,
// whose layers are initialized by their numbers from 0, with one set of variables however often it is used.
func TestKFormEveryDegree(t *testing.T) {
	for n := 1; n <= 5; n++ {
		for k := 0; k <= n; k++ {
			var asked [][2]int
			record := func(scope *model.Scope, layer, inputs int) (w, b model.VariableInitializer) {
				asked = append(asked, [2]int{layer, inputs})
				return layers.FanInUniform(scope, layer, inputs)
			}
			store := seeded()
			out := call(backendtest.Get(t, "go"), store, func(scope *model.Scope, g *Graph) []*Node {
				forms := layers.KForm(scope.In("forms"), n, k, 3).Hidden(7, 4).Activation(Tanh).
					Quadrature(quadrature.Gauss(2)).Initialization(record).Done()
				simplex := Const(g, normals(uint64(10*n+k), k+1, n))
				return []*Node{forms.At(simplex), exterior.IntegrateCorners(forms, ExpandAxes(simplex, 0))}
			})
			require.Equal(t, []int{k + 1, exterior.Components(n, k), 3}, out[0].Shape().Dimensions)
			require.Equal(t, []int{1, 3}, out[1].Shape().Dimensions)
			require.Equal(t, [][2]int{{0, n}, {1, 7}, {2, 4}}, asked[:3])
			parameters := 0
			for v := range store.IterVariables() {
				if v.Trainable {
					parameters += v.Shape().Size()
				}
			}
			require.Equal(t, (n+1)*7+8*4+5*3*exterior.Components(n, k), parameters)
		}
	}
}

// TestBatchesOfOneRow says what BatchNorm makes of batches that PyTorch does
// not take: a row and none. Without room for more it does not train.
func TestBatchesOfOneRow(t *testing.T) {
	for _, training := range []bool{false, true} {
		store := model.NewStore()
		normed := func(scope *model.Scope, g *Graph) []*Node {
			store.SetTraining(g, training)
			return []*Node{layers.BatchNorm(scope, Const(g, [][]float64{{8}}), Const(g, []bool{true}))}
		}
		_, err := model.CallOnceN(backendtest.Get(t, "go"), store, normed)
		require.Equal(t, training, err != nil, "%v", err)
	}
	for _, rows := range []int{1, 0} {
		store := model.NewStore()
		call(backendtest.Get(t, "go"), store, func(scope *model.Scope, g *Graph) []*Node {
			store.SetTraining(g, true)
			x, mask := Const(g, [][]float64{{8}, {100}}), Const(g, []bool{rows == 1, false})
			return []*Node{layers.BatchNorm(scope, x, mask)}
		})
		mean := values(store.GetVariable("/running_mean").MustValue())
		variance := values(store.GetVariable("/running_variance").MustValue())
		// From 0 and 1, a tenth of the way to 8 or 0, and to 0.
		require.InDeltaSlice(t, []float64{0.8 * float64(rows)}, mean, 1e-15)
		require.InDeltaSlice(t, []float64{0.9}, variance, 1e-15)
	}
}

// TestLabelsOfNoClass: such rows have no loss, but count where all classes
// weigh alike. No rows have loss 0.
func TestLabelsOfNoClass(t *testing.T) {
	out := must(CallOnceN(backendtest.Get(t, "go"), func(g *Graph) []*Node {
		logits, keep := Const(g, [][]float64{{0, 0}, {5, 1}, {2, 7}}), Const(g, []bool{true, true, true})
		labels, weights := Const(g, []int32{0, -1, 2}), Const(g, []float64{3, 3})
		return []*Node{layers.CrossEntropy(logits, labels, keep, nil),
			layers.CrossEntropy(logits, labels, keep, weights),
			layers.CrossEntropy(logits, labels, Not(keep), nil)}
	}))
	require.InDelta(t, math.Ln2/3, values(out[0])[0], 1e-15)
	require.InDelta(t, math.Ln2, values(out[1])[0], 1e-15)
	require.Zero(t, values(out[2])[0])
}

// TestReadouts compares with the definitions, and drops the dummy complex. Without
// simplices all complexes have zeros.
func TestReadouts(t *testing.T) {
	of := []int32{0, 0, 2, 3} // complex 1 has no simplices, 3 is the dummy
	want := map[layers.Reduction][]float64{
		layers.Sum:       {4, -2, 0, 0, -4, 5},
		layers.Mass:      {4, 2, 0, 0, 4, 5},
		layers.L2:        {math.Sqrt(10), 2, 0, 0, 4, 5},
		layers.SquaredL2: {10, 4, 0, 0, 16, 25},
	}
	backendtest.Each(t, func(t *testing.T, backend compute.Backend) {
		for reduction, w := range want {
			out := must(CallOnceN(backend, func(g *Graph) []*Node {
				x := Const(g, [][]float64{{1, -2}, {3, 0}, {-4, 5}, {100, 100}})
				h := layers.Readout(reduction, x, Const(g, of), 3)
				none := Zeros(g, shapes.Make(dtypes.Float64, 0, 2))
				empty := layers.Readout(reduction, none, Zeros(g, shapes.Make(dtypes.Int32, 0)), 3)
				return []*Node{h, Gradient(ReduceAllSum(h), x)[0], empty,
					Gradient(ReduceAllSum(empty), none)[0]}
			}))
			require.InDeltaSlice(t, w, values(out[0]), 1e-15, reduction.String())
			grad := values(out[1])
			require.Equal(t, []float64{0, 0}, grad[6:], "the dummy has no gradient")
			for _, v := range grad {
				require.False(t, math.IsNaN(v) || math.IsInf(v, 0), "%v at a zero", reduction)
			}
			require.Equal(t, make([]float64, 3*2), values(out[2]))
			require.Equal(t, []int{0, 2}, out[3].Shape().Dimensions)
		}
	})
}

// scoped are layers and networks with variables.
var scoped = map[string]func(scope *model.Scope, b *layers.Batch) *Node{
	"KForm": func(scope *model.Scope, b *layers.Batch) *Node {
		return b.Integrate(layers.KForm(scope, 3, 1, 2).Hidden(3).Done())
	},
	"MLP": func(scope *model.Scope, b *layers.Batch) *Node { return layers.MLP(scope, b.Vertices(), 3) },
	"BatchNorm": func(scope *model.Scope, b *layers.Batch) *Node {
		return layers.BatchNorm(scope, b.Vertices(), Equal(b.Of(0), b.Of(0)))
	},
	"cochain.Network": func(scope *model.Scope, b *layers.Batch) *Node {
		config := cochain.Config{Width: 4, Layers: 2, Forms: 3, Hidden: 5, Points: 2, Functions: 2, Head: 6}
		return cochain.Network(scope, b, config, 2)
	},
	"cochain.Hodge": func(scope *model.Scope, b *layers.Batch) *Node {
		return cochain.Hodge(scope, b.Vertices(), nil, nil, nil, nil)
	},
	"path.Network": func(scope *model.Scope, b *layers.Batch) *Node {
		config := path.Config{Points: 3, Width: 2, Forms: 2, Hidden: 2, Layers: 1, Windows: []int{1, 0}}
		return path.Network(scope, b, config, 2)
	},
	"gnn.GCN":  func(scope *model.Scope, b *layers.Batch) *Node { return gnn.GCN(scope, b, 4, 2, 2) },
	"gnn.GAT":  func(scope *model.Scope, b *layers.Batch) *Node { return gnn.GAT(scope, b, 4, 2, 2) },
	"gnn.GIN":  func(scope *model.Scope, b *layers.Batch) *Node { return gnn.GIN(scope, b, 4, 2, 2) },
	"gnn.EGNN": func(scope *model.Scope, b *layers.Batch) *Node { return gnn.EGNN(scope, b, 4, 2, 2) },
}

// TestScopesAreUsedOnce: two layers in one scope would share their weights
// without a word. With Shared they share them on purpose. A model gets a fresh scope
// for every graph, and finds its variables again.
func TestScopesAreUsedOnce(t *testing.T) {
	backend := backendtest.Get(t, "go")
	for name, layer := range scoped {
		t.Run(name, func(t *testing.T) {
			store := seeded()
			type choice = func(scope, own *model.Scope) *model.Scope
			build := func(second choice) ([]*tensors.Tensor, error) {
				return model.CallOnceN(backend, store, func(scope *model.Scope, g *Graph) []*Node {
					b := layers.NewBatch(layers.Parts{
						Vertices: Const(g, normals(1, 6, 3)), VertexOf: Const(g, []int32{0, 0, 0, 1, 1, 1}),
						Corners: []*Node{1: Const(g, [][]int32{{0, 1}, {2, 1}, {4, 5}})},
						Of:      []*Node{1: Const(g, []int32{0, 0, 1})},
						Mask:    Const(g, []bool{true, true}),
					})
					own := scope.In("own")
					out := []*Node{layer(own, b)}
					if second != nil {
						out = append(out, layer(second(scope, own), b))
					}
					return out
				})
			}
			_, err := build(func(_, own *model.Scope) *model.Scope { return own })
			require.ErrorContains(t, err, "use Shared()")
			out := must(build(func(scope, _ *model.Scope) *model.Scope { return scope.Shared("own") }))
			first := tensors.MustCopyFlatData[float64](out[0])
			require.Equal(t, first, tensors.MustCopyFlatData[float64](out[1]))
			require.Equal(t, first, tensors.MustCopyFlatData[float64](must(build(nil))[0]))
		})
	}
}
