// Distributed trains a classifier of loops on two devices, each of which has half of every batch.
package main

import (
	"log"
	"math/rand/v2"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/distributed"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/dataset"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/train"
	"github.com/gomlx/gomlx/ml/train/loss"
	"github.com/gomlx/gomlx/ml/train/optimizer"
	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/backends"
	"github.com/neuralkforms/nkf/layers/exterior"
)

// classify is written for a whole batch: the corners of the edges of triangles, [B, 3, 2, 2].
func classify(scope *model.Scope, _ any, inputs []*Node) []*Node {
	b := inputs[0].Shape().Dimensions[0]
	forms := layers.KForm(scope.In("forms"), 2, 1, 4).Done()
	edges := exterior.IntegrateCorners(forms, Reshape(inputs[0], b*3, 2, 2))
	return []*Node{layers.MLP(scope.In("head"), ReduceSum(Reshape(edges, b, 3, 4), 1), 8, 2)}
}

// triangles returns 480 of them, which are run through clockwise or not.
func triangles(backend compute.Backend) *dataset.InMemoryDataset {
	r, corners, classes := rand.New(rand.NewPCG(1, 2)), []float32{}, []int32{}
	for i := range 480 {
		x, y, side := r.Float32(), r.Float32(), float32(1-2*(i%2))
		corners = append(corners, x, y, x+1, y, x+1, y, x, y+side, x, y+side, x, y)
		classes = append(classes, int32(i%2))
	}
	return must(dataset.InMemoryFromData(backend, "triangles",
		[]any{tensors.FromFlatDataAndDimensions(corners, 480, 3, 2, 2)},
		[]any{tensors.FromFlatDataAndDimensions(classes, 480, 1)}))
}

// shared makes one batch of as many as there are devices. Each computes its part of the first axis.
func shared(backend compute.Backend, batches train.Dataset, devices int) train.Dataset {
	mesh := must(distributed.NewDeviceMesh([]int{devices}, []string{"batch"}))
	all := []*distributed.ShardingSpec{must(distributed.BuildSpec(mesh).S("batch").Done())}
	return must(dataset.NewDistributedAccumulator(backend, batches, distributed.AutoSharding, all, all, nil))
}

// losses trains, and returns the loss of each step.
func losses(backend compute.Backend, batches train.Dataset) (all []float32) {
	store := model.NewStore()
	store.SetParam(model.ParamInitialSeed, int64(1))
	loop := train.NewLoop(train.NewTrainer(backend, store, classify,
		loss.SparseCategoricalCrossEntropyLogits, optimizer.Adam().LearningRate(0.01).Done(), nil, nil))
	loop.OnStep("loss", 0, func(_ *train.Loop, metrics []*tensors.Tensor) error {
		all = append(all, tensors.ToScalar[float32](metrics[0]))
		return nil
	})
	must(loop.RunSteps(batches, 30)) // RunEpochs (GoMLX v0.28.3) takes no shared batches
	return all
}

func main() {
	backend := must(backends.New())
	log.Println(losses(backend, shared(backend, triangles(backend).BatchSize(8, true), 2)))
}

func must[T any](x T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return x
}
