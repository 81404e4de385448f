package cochain_test

import (
	"fmt"
	"log"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/gobackend"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/cochain"
)

// A network for two graphs with three classes; the last vertex and the last
// edge are padding.
func ExampleNetwork() {
	config := cochain.Config{Width: 4, Layers: 2, Forms: 3, Hidden: 8, Points: 2, Functions: 2, Head: 8}
	logits, err := model.CallOnce(gobackend.GetBackend(), model.NewStore(),
		func(scope *model.Scope, g *Graph) *Node {
			return cochain.Network(scope, layers.NewBatch(layers.Parts{
				Vertices: Ones(g, shapes.Make(dtypes.Float32, 6, 2)),
				VertexOf: Const(g, []int32{0, 0, 1, 1, 1, 2}),
				Corners:  []*Node{1: Const(g, [][]int32{{0, 1}, {2, 3}, {3, 4}, {5, 5}})},
				Of:       []*Node{1: Const(g, []int32{0, 1, 1, 2})},
				Mask:     Const(g, []bool{true, true}),
			}), config, 3)
		})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(logits.Shape().Dimensions)
	// Output: [2 3]
}
