package layers_test

import (
	"math"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/support/exceptions"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/backendtest"
	"github.com/neuralkforms/nkf/layers/exterior"
	"github.com/neuralkforms/nkf/layers/gnn"
)

// TestNonsenseIsRefused: arguments that no layer can take are named in a sentence.
func TestNonsenseIsRefused(t *testing.T) {
	backend := backendtest.Get(t, "go")
	g := NewGraph(backend, "nonsense")
	defer g.Finalize()
	scope := model.NewStore().RootScope()
	x, whole := Const(g, [][]float32{{1, 2}, {3, 4}}), Const(g, [][]int32{{1, 2}, {3, 4}})
	one, mask := Const(g, []int32{0, 1}), Const(g, []bool{true, true})
	edge := layers.Parts{Vertices: x, Corners: []*Node{1: Const(g, [][]int32{{0, 1}})}}
	for sentence, act := range map[string]func(){
		"layers.MLP: the scope is nil":       func() { layers.MLP(nil, x, 3) },
		"layers.Linear: the scope is nil":    func() { layers.Linear(nil, x, 3) },
		"layers.KForm: the scope is nil":     func() { layers.KForm(nil, 2, 1, 1) },
		"layers.BatchNorm: the scope is nil": func() { layers.BatchNorm(nil, x, mask) },
		"gnn: the scope is nil":              func() { gnn.GCN(nil, layers.NewBatch(edge), 2, 1, 1) },
		"gnn: the batch is nil":              func() { gnn.GIN(scope, nil, 2, 1, 1) },
		"the activation is nil":              func() { layers.KForm(scope, 2, 1, 1).Activation(nil) },
		"the rule is nil":                    func() { layers.KForm(scope, 2, 1, 1).Quadrature(nil) },
		"layers.MLP: input of shape (Int32)": func() { layers.MLP(scope, whole, 3) },
		"(Int32)[2, 2] to 3 outputs: want floats": func() {
			layers.Linear(scope.In("whole"), whole, 3)
		},
		"to 0 outputs: want floats [..., in], and 1": func() { layers.Linear(scope.In("none"), x, 0) },
		"[2], -1 in all": func() { layers.Readout(layers.Sum, x, one, -1) },
		"unknown reduction -1": func() {
			layers.Readout(-1, x, one, 2)
		},
		"Batch.Count: no simplices of degree 7": func() { layers.NewBatch(edge).Count(7) },
		"PerVertex: the function is nil":        func() { layers.NewBatch(edge).PerVertex(nil) },
		"labels (Float32)[2], mask (Bool)[2]: want": func() {
			layers.CrossEntropy(x, Const(g, []float32{0, 1}), mask, nil)
		},
		"mask of shape (Int32)[2]: want floats": func() { layers.BatchNorm(scope, x, one) },
		"part of degree 0: set Vertices and": func() {
			layers.NewBatch(layers.Parts{Vertices: x, Of: []*Node{one}})
		},
	} {
		err := exceptions.TryCatch[error](act)
		require.ErrorContains(t, err, sentence, sentence)
		require.NotContains(t, err.Error(), "runtime error")
	}
	_, err := layers.NewIntegrator(nil, model.NewStore(), exterior.Form{Dim: 1, Count: 1}, nil)
	require.ErrorContains(t, err, "cannot be nil")
}

// TestMaskedRowsMayHoldNaN: what a mask drops changes neither values nor gradients.
func TestMaskedRowsMayHoldNaN(t *testing.T) {
	nan := float32(math.NaN())
	backend := backendtest.Get(t, "go")
	values := func(rest float32) (out [][]float32) {
		for _, node := range call(backend, seeded(), func(scope *model.Scope, g *Graph) []*Node {
			scope.Store().SetTraining(g, true)
			x := Const(g, [][]float32{{1, 2}, {-3, 5}, {4, 1}, {rest, rest}})
			mask, labels := Const(g, []bool{true, true, true, false}), Const(g, []int32{0, 1, 1, 0})
			norm := layers.BatchNorm(scope.In("norm"), x, mask)
			loss := layers.CrossEntropy(layers.Linear(scope.In("head"), norm, 2), labels, mask, nil)
			of := []*Node{x}
			for v := range scope.Store().IterVariables() {
				if v.Trainable {
					of = append(of, v.NodeValue(g))
				}
			}
			direct := layers.CrossEntropy(x, labels, mask, Const(g, []float32{1, 2}))
			return append([]*Node{loss, direct, Gradient(direct, x)[0]}, Gradient(loss, of...)...)
		}) {
			out = append(out, tensors.MustCopyFlatData[float32](node))
		}
		return out
	}
	require.Equal(t, values(0), values(nan))
}
