package path_test

import (
	"fmt"
	"log"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/gobackend"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/path"
)

// two is a batch of two paths of nine points in the plane.
func two(g *Graph) *layers.Batch {
	of := make([]int32, 18)
	for i := range of {
		of[i] = int32(i / 9)
	}
	return layers.NewBatch(layers.Parts{
		Vertices: Reshape(IotaFull(g, shapes.Make(dtypes.Float32, 36)), 18, 2),
		VertexOf: Const(g, of), Mask: Const(g, []bool{true, true}),
	})
}

// show prints the shape of what a network makes of two paths.
func show(network func(scope *model.Scope, batch *layers.Batch) *Node) {
	logits, err := model.CallOnce(gobackend.GetBackend(), model.NewStore(),
		func(scope *model.Scope, g *Graph) *Node { return network(scope, two(g)) })
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(logits.Shape().Dimensions)
}

// An ensemble of three networks for five classes, whose forms are dealt to
// windows of one edge, of four, and to the ends.
func ExampleNetwork() {
	config := path.Config{
		Members: 3, Points: 9, Width: 8, Forms: 9, Hidden: 16, Layers: 2, Windows: []int{1, 4, 0},
		Dropout: 0.2, Augment: path.Augment{Warp: 0.3, Cut: 0.2, Scale: 0.2, Shift: 0.2},
	}
	show(func(scope *model.Scope, b *layers.Batch) *Node { return path.Network(scope, b, config, 5) })
	// Output: [3 2 5]
}

func ExampleCNN() {
	config := path.Config{Points: 9, Width: 8, Layers: 3}
	show(func(scope *model.Scope, b *layers.Batch) *Node { return path.CNN(scope, b, config, 5) })
	// Output: [2 5]
}

func ExampleInception() {
	config := path.Config{Points: 9, Width: 4, Layers: 3}
	show(func(scope *model.Scope, b *layers.Batch) *Node { return path.Inception(scope, b, config, 5) })
	// Output: [2 5]
}

func ExampleGRU() {
	config := path.Config{Points: 9, Width: 4, Layers: 2}
	show(func(scope *model.Scope, b *layers.Batch) *Node { return path.GRU(scope, b, config, 5) })
	// Output: [2 5]
}

func ExampleSignature() {
	show(func(scope *model.Scope, b *layers.Batch) *Node {
		return path.Signature(scope, b, path.Config{Points: 9}, 5)
	})
	// Output: [2 5]
}
