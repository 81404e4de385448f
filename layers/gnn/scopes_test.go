package gnn

import (
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/backendtest"
)

// TestScopesAreUsedOnce: no layer and no network shares its weights with
// another but on purpose.
func TestScopesAreUsedOnce(t *testing.T) {
	backend := backendtest.Get(t, "go")
	build := map[string]func(scope *model.Scope, b *layers.Batch) *Node{}
	for name, network := range networks {
		build[name] = func(scope *model.Scope, b *layers.Batch) *Node {
			return network(scope, b, width, 2,
				classes)
		}
	}
	for name, layer := range map[string]conv{"GCNConv": GCNConv, "GATConv": GATConv, "GINConv": GINConv} {
		build[name] = func(scope *model.Scope, b *layers.Batch) *Node {
			return layer(scope, b.Vertices(), undirected(b), width)
		}
	}
	build["EGNNConv"] = func(scope *model.Scope, b *layers.Batch) *Node {
		edges := undirected(b)
		return EGNNConv(scope, b.Vertices(), Distances(b.Vertices(), edges), edges)
	}
	for name, layer := range build {
		t.Run(name, func(t *testing.T) {
			for _, shared := range []bool{false, true} {
				twice := func(scope *model.Scope, g *Graph) []*Node {
					b := someGraphs().graphs(g)
					own := scope.In("own")
					first := layer(own, b)
					if shared {
						own = scope.Shared("own")
					}
					return []*Node{first, layer(own, b)}
				}
				out, err := model.CallOnceN(backend, model.NewStore(), twice)
				if shared {
					require.NoError(t, err)
					require.Equal(t, real(out[0]), real(out[1]))
				} else {
					require.ErrorContains(t, err, `scope "/own" has been used before`)
				}
			}
		})
	}
}
