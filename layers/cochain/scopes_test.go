package cochain

import (
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/support/exceptions"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/backendtest"
	"github.com/neuralkforms/nkf/layers/quadrature"
)

// TestScopesAreUsedOnce: no layer and no network shares its weights with
// another but on purpose.
func TestScopesAreUsedOnce(t *testing.T) {
	backend := backendtest.Get(t, "go")
	for name, layer := range map[string]func(scope *model.Scope, b *layers.Batch) *Node{
		"Network": func(scope *model.Scope, b *layers.Batch) *Node { return Network(scope, b, typed, 2) },
		"Levels": func(scope *model.Scope, b *layers.Batch) *Node {
			return Levels(scope, b,
				typed)[1].Vertices
		},
		"Update": func(scope *model.Scope, b *layers.Batch) *Node {
			return Update(scope, b.Vertices, b.Vertices, 4)
		},
		"Hodge": func(scope *model.Scope, b *layers.Batch) *Node {
			return Hodge(scope, b.Vertices, nil, nil, nil, nil)
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

// TestFormsOfAScope: forms are what their fields say. In space 1-forms and
// 2-forms have equally many weights.
func TestFormsOfAScope(t *testing.T) {
	g := NewGraph(backendtest.Get(t, "go"), "forms")
	defer g.Finalize()
	store := model.NewStore()
	model.SetStore(g, store)
	x, edges := rows(g, random(1, 9), 3), Const(g, [][]int32{{0, 1}, {1, 2}})
	forms := Forms{Scope: store.RootScope().In("forms"), Degree: 1, Count: 2, Hidden: 3,
		Rule: quadrature.Gauss(2)}
	forms.Integrate(x, edges, nil)
	same := forms
	same.Scope, same.Rule = store.RootScope().At("forms"), quadrature.Gauss(3)
	same.Integrate(x, edges, nil)
	same.At(x, 0)
	others := forms
	others.Degree = 2
	err := exceptions.TryCatch[error](func() { others.Integrate(x, Const(g, [][]int32{{0, 1, 2}}), nil) })
	require.ErrorContains(t, err, `scope "/forms" has 2 1-forms of width 3 and 1 types, and here 2 2-forms`)
}
