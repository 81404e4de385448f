package gnn

import (
	"math/rand/v2"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/backendtest"
)

// BenchmarkNetworks measures value and gradients of the networks at the size
// of a batch of BZR: 16 graphs, 640 vertices, 680 edges, 56 features.
func BenchmarkNetworks(b *testing.B) {
	const graphs, perGraph, edges, n = 16, 40, 680, 56
	rng := rand.New(rand.NewPCG(1, 2))
	x := make([]float32, graphs*perGraph*n)
	for i := range x {
		x[i] = float32(rng.NormFloat64())
	}
	pairs, of := make([][]int32, edges), make([]int32, graphs*perGraph)
	for i := range pairs {
		at := rng.Int32N(graphs) * perGraph
		pairs[i] = []int32{at + rng.Int32N(perGraph), at + rng.Int32N(perGraph)}
	}
	for v := range of {
		of[v] = int32(v / perGraph)
	}
	for _, name := range []string{"GCN", "GAT", "GIN", "EGNN"} {
		b.Run(name, func(b *testing.B) {
			store := model.NewStore()
			exec, err := model.NewExec(backendtest.Get(b, "xla:cpu"), store,
				func(scope *model.Scope, g *Graph) *Node {
					batch := layers.NewBatch(layers.Parts{
						Vertices: Reshape(Const(g, x), -1, n), VertexOf: Const(g, of),
						Simplices: edgesOf(g, pairs, of), Mask: Const(g, make([]bool, graphs))})
					loss := ReduceAllSum(Square(networks[name](scope, batch, 32, 5, 2)))
					var at []*Node
					for v := range store.IterVariables() {
						if v.Trainable {
							at = append(at, v.NodeValue(g))
						}
					}
					sum := loss
					for _, grad := range Gradient(loss, at...) {
						sum = Add(sum, ReduceAllSum(Square(grad)))
					}
					return sum
				})
			require.NoError(b, err)
			for b.Loop() {
				_, err := exec.Call()
				require.NoError(b, err)
			}
		})
	}
}
