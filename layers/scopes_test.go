package layers_test

import (
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/backendtest"
	"github.com/neuralkforms/nkf/layers/cochain"
	"github.com/neuralkforms/nkf/layers/gnn"
	"github.com/neuralkforms/nkf/layers/path"
)

// scoped are layers and networks with variables.
var scoped = map[string]func(scope *model.Scope, b *layers.Batch) *Node{
	"KForm": func(scope *model.Scope, b *layers.Batch) *Node {
		return b.Integrate(layers.KForm(scope, 3, 1, 2).Hidden(3).Done())
	},
	"MLP": func(scope *model.Scope, b *layers.Batch) *Node { return layers.MLP(scope, b.Vertices(), 3) },
	"BatchNorm": func(scope *model.Scope, b *layers.Batch) *Node {
		return layers.BatchNorm(scope, b.Vertices(), OnesLike(b.Of(0)))
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
						Simplices: []layers.Simplices{1: {
							Corners: Const(g, [][]int32{{0, 1}, {2, 1}, {4, 5}}),
							Of:      Const(g, []int32{0, 0, 1}),
						}},
						Mask: Const(g, []bool{true, true}),
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
			out, err := build(func(scope, _ *model.Scope) *model.Scope { return scope.Shared("own") })
			require.NoError(t, err)
			first := tensors.MustCopyFlatData[float64](out[0])
			require.Equal(t, first, tensors.MustCopyFlatData[float64](out[1]))
			again, err := build(nil)
			require.NoError(t, err)
			require.Equal(t, first, tensors.MustCopyFlatData[float64](again[0]))
		})
	}
}
