package layers

import (
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/support/exceptions"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers/backendtest"
	"github.com/neuralkforms/nkf/layers/exterior"
)

// TestScopesAreUsedOnce: two layers in one scope would share their weights
// without a word. With Shared they share them on purpose.
func TestScopesAreUsedOnce(t *testing.T) {
	backend := backendtest.Get(t, "go")
	kform := func(scope *model.Scope, x *graph.Node) *graph.Node {
		edges := graph.Const(x.Graph(), [][]int32{{0, 1}, {2, 0}})
		return exterior.Integrate(KForm(scope, 2, 1, 2).Hidden(3).Done(), x, edges)
	}
	layer := map[string]func(scope *model.Scope, x *graph.Node) *graph.Node{
		"layers.KForm": kform,
		"layers.MLP":   func(scope *model.Scope, x *graph.Node) *graph.Node { return MLP(scope, x, 3, 2) },
		"layers.BatchNorm": func(scope *model.Scope, x *graph.Node) *graph.Node {
			return BatchNorm(scope, x, graph.Const(x.Graph(), []bool{true, true, true}))
		},
	}
	for name, build := range layer {
		t.Run(name, func(t *testing.T) {
			twice := func(first, second func(*model.Scope) *model.Scope) error {
				store := model.NewStore()
				both := func(scope *model.Scope, g *graph.Graph) []*graph.Node {
					x := graph.Const(g, [][]float64{{1, 2}, {-1, 0.5}, {0, 3}})
					return []*graph.Node{build(first(scope), x), build(second(scope), x)}
				}
				out, err := model.CallOnceN(backend, store, both)
				if err == nil {
					require.Equal(t, values(out[0]), values(out[1]))
				}
				return err
			}
			var own *model.Scope
			err := twice(
				func(s *model.Scope) *model.Scope { own = s.In("own"); return own },
				func(*model.Scope) *model.Scope { return own })
			require.ErrorContains(t, err, name+`: scope "/own" has been used before`)
			require.ErrorContains(t, err, "share the weights on purpose, with Shared")
			err = twice(
				func(s *model.Scope) *model.Scope { return s.In("own") },
				func(s *model.Scope) *model.Scope { return s.Shared("own") })
			require.NoError(t, err)
		})
	}
	scope := model.NewStore().RootScope()
	KForm(scope, 2, 1, 2).Done()
	g := graph.NewGraph(backend, "head")
	defer g.Finalize()
	err := exceptions.TryCatch[error](func() { MLP(scope, graph.Const(g, [][]float64{{1, 2}}), 4) })
	require.ErrorContains(t, err, `layers.MLP: scope "/" has been used before, "layer_0" below it`)
}

// TestModelsAreBuiltAgain: a model gets a fresh scope for every graph, so that
// shapes that come later find its variables and no objection.
func TestModelsAreBuiltAgain(t *testing.T) {
	backendtest.Each(t, func(t *testing.T, backend compute.Backend) {
		store := model.NewStore()
		exec, err := model.NewExec(backend, store, func(scope *model.Scope, x *graph.Node) *graph.Node {
			return MLP(scope.In("head"), x, 4, 1)
		})
		require.NoError(t, err)
		defer exec.Finalize()
		one, err := exec.Call([][]float64{{1, 2}})
		require.NoError(t, err)
		two, err := exec.Call([][]float64{{1, 2}, {3, 4}})
		require.NoError(t, err)
		require.InDelta(t, values(one[0])[0], values(two[0])[0], 1e-12)
		require.Equal(t, 2*4+4+4+1, store.NumParameters()-exceptRandom(store))
	})
}
