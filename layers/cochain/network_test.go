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
)

// TestTriangles has a network of 2-forms.
func TestTriangles(t *testing.T) {
	backend := backendtest.Get(t, "go")
	turn := func(second []int32) [][]float64 {
		return compute64(t, backend, seeded(t), true, func(scope *model.Scope, g *Graph) []*Node {
			batch := newScene().with(g, []*Node{2: Const(g, [][]int32{{0, 1, 2}, second, {4, 5, 6}})},
				[]*Node{2: Const(g, []int32{0, 0, 1})})
			return []*Node{Network(scope, batch, small, 2)}
		})
	}
	want := turn([]int32{1, 2, 3})
	// The rule for triangles is not symmetric in their corners: of the
	// integrals of these forms it misses about 1e-6.
	closeTo(t, want[0], turn([]int32{2, 1, 3})[0], 1e-4, "logits of a triangle turned around")
	require.NotEqual(t, want[0], turn([]int32{0, 2, 3})[0], "another triangle")
}

// TestDropout asks that training drops, in expectation nothing, and that
// evaluation does not.
func TestDropout(t *testing.T) {
	backend := backendtest.Get(t, "go")
	logits := func(rate float64, training bool) []float64 {
		config := small
		config.Dropout = rate
		return compute64(t, backend, seeded(t), training, func(scope *model.Scope, g *Graph) []*Node {
			return []*Node{Network(scope, newScene().graphs(g), config, 2)}
		})[0]
	}
	require.Equal(t, logits(0, false), logits(0.5, false))
	require.NotEqual(t, logits(0, true), logits(0.5, true))
}

// TestPointClouds: a point tells itself its values, whether a batch lists no
// simplices or those of degree 0, which are empty.
func TestPointClouds(t *testing.T) {
	config := Config{Width: 3, Layers: 2, Forms: 2, Hidden: 4, Points: 2, Head: 3}
	var all [][]*tensors.Tensor
	for _, corners := range [][]*Node{nil, {nil}} {
		store := model.NewStore()
		store.SetParam(model.ParamInitialSeed, int64(1))
		backend := backendtest.Get(t, "go")
		out, err := model.CallOnceN(backend, store, func(scope *model.Scope, g *Graph) []*Node {
			batch := layers.NewBatch(layers.Parts{
				Vertices: Const(g, [][]float64{{1, 2}, {3, 4}, {5, 6}, {0, 0}}),
				VertexOf: Const(g, []int32{0, 0, 1, 2}),
				Corners:  corners, Mask: Const(g, []bool{true, true}),
			})
			level := Levels(scope.In("levels"), batch, config)[1]
			return []*Node{level.Integrals, level.Messages, Network(scope.In("network"), batch, config, 2)}
		})
		require.NoError(t, err)
		require.Equal(t, out[0].Value(), out[1].Value())
		require.Equal(t, []int{2, 2}, out[2].Shape().Dimensions)
		all = append(all, out)
	}
	for i := range all[0] {
		require.Equal(t, all[0][i].Value(), all[1][i].Value())
	}
}

// TestLayersWithoutForms: layers that have nothing to send are refused, and none else.
func TestLayersWithoutForms(t *testing.T) {
	g := NewGraph(backendtest.Get(t, "go"), "sentences")
	defer g.Finalize()
	scope, batch := model.NewStore().RootScope(), newScene().graphs(g)
	config := Config{Width: 2, Layers: 2, Hidden: 2, Functions: 1, Head: 2}
	err := exceptions.TryCatch[error](func() { Network(scope.At("mute"), batch, config, 2) })
	require.ErrorContains(t, err, "2 layers without forms")
	config.Neighbors = true
	Network(scope.At("neighbors"), batch, config, 2)
	config.Layers, config.Neighbors = 0, false
	Network(scope.At("no layers"), batch, config, 2)
}
