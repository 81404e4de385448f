package gnn_test

import (
	"fmt"

	"github.com/gomlx/compute/gobackend"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/gnn"
)

// A triangle and a single vertex, with two features each.
func Example() {
	backend := gobackend.GetBackend()
	logits, err := model.CallOnce(backend, model.NewStore(), func(scope *model.Scope, g *Graph) *Node {
		batch := layers.NewBatch(layers.Parts{
			Vertices:  Const(g, [][]float32{{0, 1}, {1, 0}, {1, 1}, {2, 3}}),
			VertexOf:  Const(g, []int32{0, 0, 0, 1}),
			Simplices: []layers.Simplices{1: {Corners: Const(g, [][]int32{{0, 1}, {1, 2}, {2, 0}})}},
			Mask:      Const(g, []bool{true, true}),
		})
		return gnn.GCN(scope.In("gcn"), batch, 8, 2, 3)
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(logits.Shape())
	// Output: (Float32)[2, 3]
}

// A layer of one's own network, on weights that are given: the average over a
// vertex and its neighbors, weighted by degree.
func ExampleGCNConv() {
	store := model.NewStore()
	h, err := model.CallOnce(gobackend.GetBackend(), store, func(scope *model.Scope, g *Graph) *Node {
		scope.VariableWithValue("weights", [][]float32{{1}})
		scope.VariableWithValue("biases", []float32{0})
		edges := gnn.Undirected(Const(g, [][]int32{{0, 1}}), 3)
		return gnn.GCNConv(scope, Const(g, [][]float32{{1}, {3}, {5}}), edges, 1)
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.0f\n", h.Value())
	// Output: [[2] [2] [5]]
}
