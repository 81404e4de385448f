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
			Vertices: Const(g, [][]float32{{0, 1}, {1, 0}, {1, 1}, {2, 3}}),
			VertexOf: Const(g, []int32{0, 0, 0, 1}),
			Corners:  []*Node{1: Const(g, [][]int32{{0, 1}, {1, 2}, {2, 0}})},
			Mask:     Const(g, []bool{true, true}),
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
