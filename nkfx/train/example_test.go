package train_test

import (
	"context"
	"fmt"
	"math"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// Polygons of radius 1 and 2 are told apart by two neural 1-forms over their
// edges.
func ExampleCrossValidate() {
	backend, err := compute.NewWithConfig("go")
	if err != nil {
		panic(err)
	}
	data := &datasets.Collection{
		Name: "polygons", Dim: 2, Degree: 1, Classes: []string{"small", "large"},
		VertexStart: []int32{0}, SimplexStart: []int32{0},
	}
	for g := range 60 {
		corners, radius := 5+g%3, float64(1+g%2)
		for v := range corners {
			angle := 2*math.Pi*float64(v)/float64(corners) + float64(g)
			data.Vertices = append(
				data.Vertices,
				float32(radius*math.Cos(angle)),
				float32(radius*math.Sin(angle)),
			)
			data.Simplices = append(data.Simplices, int32(v), int32((v+1)%corners))
		}
		data.VertexStart = append(data.VertexStart, int32(len(data.Vertices)/2))
		data.SimplexStart = append(data.SimplexStart, int32(len(data.Simplices)/2))
		data.Labels = append(data.Labels, int32(g%2))
	}
	folds, err := datasets.StratifiedFolds(data.Labels, 3, 42)
	if err != nil {
		panic(err)
	}
	protocol := train.Published(8)
	protocol.Epochs, protocol.Rate = 30, 1e-2
	outcome, err := train.CrossValidate(context.Background(), backend, train.Task{
		Data: data, Folds: folds, Seeds: []uint32{42}, Protocol: protocol,
		Model: func(scope *model.Scope, b *train.Batch) *Node {
			forms := layers.KForm(scope.In("forms"), 1, 2).Done()
			x := forms.Integrate(b.Vertices, b.Simplices)
			h := layers.Readout(layers.SquaredL2, x, b.SimplexOf, b.Complexes())
			return layers.MLP(scope.In("head"), layers.BatchNorm(scope.In("norm"), h, b.Mask), 8, 2)
		},
	})
	if err != nil {
		panic(err)
	}
	for _, fit := range outcome.Fits {
		fmt.Printf("fold %d: %.0f %% after %d epochs\n", fit.Fold, fit.Last.Accuracy, fit.Epochs)
	}
	fmt.Println("programs compiled:", outcome.Compilations)
	// Output:
	// fold 0: 100 % after 30 epochs
	// fold 1: 100 % after 30 epochs
	// fold 2: 100 % after 30 epochs
	// programs compiled: 2
}
