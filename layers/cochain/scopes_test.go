package cochain

import (
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/backendtest"
)

// TestScopesAreUsedOnce: no layer and no network shares its weights with
// another but on purpose.
func TestScopesAreUsedOnce(t *testing.T) {
	backend := backendtest.Get(t, "go")
	for name, layer := range map[string]func(scope *model.Scope, b *layers.Batch) *Node{
		"Network": func(scope *model.Scope, b *layers.Batch) *Node { return Network(scope, b, small, 2) },
		"Levels": func(scope *model.Scope, b *layers.Batch) *Node {
			return Levels(scope, b, small)[1].Vertices
		},
		"Update": func(scope *model.Scope, b *layers.Batch) *Node {
			return update(scope, b.Vertices(), b.Vertices(), 4)
		},
		"Hodge": func(scope *model.Scope, b *layers.Batch) *Node {
			return Hodge(scope, b.Vertices(), nil, nil, nil, nil)
		},
	} {
		t.Run(name, func(t *testing.T) {
			for _, shared := range []bool{false, true} {
				out, err := model.CallOnceN(backend, seeded(t), func(scope *model.Scope, g *Graph) []*Node {
					b := newScene().graphs(g)
					own := scope.In("own")
					first := layer(own, b)
					if shared {
						own = scope.Shared("own")
					}
					return []*Node{first, layer(own, b)}
				})
				if shared {
					require.NoError(t, err)
					require.Equal(t, flat(out[0]), flat(out[1]))
				} else {
					require.ErrorContains(t, err, `scope "/own" has been used before`)
				}
			}
		})
	}
}

func flat(x *tensors.Tensor) []float64 { return tensors.MustCopyFlatData[float64](x) }
