package train_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/exterior"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// Polygons of radius 1 and 2 are told apart by two neural 1-forms over their
// edges.
func ExampleCrossValidate() {
	backend, err := compute.NewWithConfig("go")
	if err != nil {
		panic(err)
	}
	b := datasets.NewBuilder(2)
	for g := range 60 {
		corners, radius := 5+g%3, float64(1+g%2)
		var vertices []float64
		var edges []int32
		for v := range corners {
			sin, cos := math.Sincos(2*math.Pi*float64(v)/float64(corners) + float64(g))
			vertices = append(vertices, radius*cos, radius*sin)
			edges = append(edges, int32(v), int32((v+1)%corners))
		}
		b.Add(vertices, [][]int32{1: edges}, float64(g%2))
	}
	data, err := b.Collection()
	if err != nil {
		panic(err)
	}
	folds, err := datasets.StratifiedFolds(data.Labels, 3, 42)
	if err != nil {
		panic(err)
	}
	protocol := train.Published(8)
	protocol.Epochs, protocol.Rate = 30, 1e-2
	outcome, err := train.CrossValidate(context.Background(), backend, train.Task{
		Data: data, Folds: folds, Seeds: []uint32{42}, Protocol: protocol,
		Model: func(scope *model.Scope, b *layers.Batch) *Node {
			forms := layers.KForm(scope.In("forms"), 2, 1, 2).Done()
			h := b.Readout(layers.SquaredL2, forms)
			return layers.MLP(scope.In("head"), layers.BatchNorm(scope.In("norm"), h, b.Mask()), 8, 2)
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

// A loop trains whatever GoMLX can differentiate: here a 1-form is to have the
// integral f(b) - f(a) over every segment from a to b, which makes it df, for
// f = x·y. All 40 steps of an epoch are one program.
func ExampleLoop() {
	backend, err := compute.NewWithConfig("go")
	if err != nil {
		panic(err)
	}
	const steps, size = 40, 32
	rng := rand.New(rand.NewPCG(1, 1))
	var corners, differences []float32
	for range steps * size {
		ax, ay, bx, by := rng.Float32(), rng.Float32(), rng.Float32(), rng.Float32()
		corners = append(corners, ax, ay, bx, by)
		differences = append(differences, bx*by-ax*ay)
	}
	segments := tensors.FromFlatDataAndDimensions(corners, steps, size, 2, 2)
	targets := tensors.FromFlatDataAndDimensions(differences, steps, size, 1)

	store := model.NewStore()
	store.SetParam(model.ParamInitialSeed, int64(1))
	loop, err := train.NewLoop(backend, store, train.Protocol{Rate: 1e-2}.Optimizer(),
		func(scope *model.Scope, batch, _ []*Node) *Node {
			form := layers.KForm(scope.In("form"), 2, 1, 1).Hidden(16).Done()
			return ReduceAllMean(Square(Sub(exterior.IntegrateCorners(form, batch[0]), batch[1])))
		})
	if err != nil {
		panic(err)
	}
	defer loop.Close()
	var loss float64
	for range 25 {
		if loss, err = loop.Run(segments, targets); err != nil {
			panic(err)
		}
	}
	fmt.Println("mean square below 10⁻⁴:", loss < 1e-4)
	// Output:
	// mean square below 10⁻⁴: true
}
