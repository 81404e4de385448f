package cochain

import (
	"math/rand/v2"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/backendtest"
)

// BenchmarkNetwork times a step of the cochain network, the loss and its
// gradients, on a batch as large as 32 molecules of BZR.
func BenchmarkNetwork(b *testing.B) {
	const graphs, size, bonds = 32, 36, 39
	rng := rand.New(rand.NewPCG(1, 1))
	x := make([][]float32, graphs*size)
	vertexOf, simplexOf := make([]int32, len(x)), make([]int32, graphs*bonds)
	for i := range x {
		x[i] = make([]float32, 53)
		x[i][rng.IntN(10)] = 1
		vertexOf[i] = int32(i / size)
	}
	edges := make([][]int32, len(simplexOf))
	for i := range edges {
		first := int32(i / bonds * size)
		edges[i] = []int32{first + int32(i%bonds%size), first + rng.Int32N(size)}
		simplexOf[i] = int32(i / bonds)
	}
	mask := make([]bool, graphs)
	for i := range mask {
		mask[i] = true
	}
	config := Config{
		Width: 8, Layers: 3, Forms: 8, Hidden: 32, Points: 2, Functions: 16, Head: 32, Dropout: 0.3,
	}
	store := model.NewStore()
	store.SetParam(model.ParamInitialSeed, int64(1))
	exec, err := model.NewExec(backendtest.Get(b, "xla:cpu"), store, func(scope *model.Scope, x *Node) *Node {
		g := x.Graph()
		store.SetTraining(g, true)
		batch := layers.NewBatch(layers.Parts{
			Vertices: x, VertexOf: Const(g, vertexOf), Mask: Const(g, mask),
			Simplices: []layers.Simplices{1: {Corners: Const(g, edges), Of: Const(g, simplexOf)}},
		})
		loss := ReduceAllSum(Square(Network(scope, batch, config, 2)))
		sum := loss
		for _, gradient := range scope.BuildTrainableVariablesGradientsGraph(loss) {
			sum = Add(sum, ReduceAllSum(Square(gradient)))
		}
		return sum
	})
	require.NoError(b, err)
	defer exec.Finalize()
	_, err = exec.Call(x)
	require.NoError(b, err)
	for b.Loop() {
		_, err := exec.Call(x)
		require.NoError(b, err)
	}
}
