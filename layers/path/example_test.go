package path_test

import (
	"fmt"
	"log"
	"slices"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/gobackend"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/path"
)

// A network for five classes, whose forms are dealt to windows of one edge, of four, and
// to the ends, on a batch of two paths of nine points in the plane.
func ExampleNetwork() {
	config := path.Config{
		Points: 9, Width: 8, Forms: 9, Hidden: 16, Layers: 2, Windows: []int{1, 4, 0},
		Dropout: 0.2, Augment: path.Augment{Warp: 0.3, Cut: 0.2, Scale: 0.2, Shift: 0.2},
	}
	logits, err := model.CallOnce(gobackend.GetBackend(), model.NewStore(),
		func(scope *model.Scope, g *Graph) *Node {
			batch := layers.NewBatch(layers.Parts{
				Vertices: Reshape(IotaFull(g, shapes.Make(dtypes.Float32, 36)), 18, 2),
				VertexOf: Const(g, slices.Concat(make([]int32, 9), slices.Repeat([]int32{1}, 9))),
				Mask:     Const(g, []bool{true, true}),
			})
			return path.Network(scope, batch, config, 5)
		})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(logits.Shape().Dimensions)
	// Output: [2 5]
}
