// Trainer trains a classifier of loops, clockwise or not, with GoMLX's own trainer.
package main

import (
	"errors"
	"log"
	"math/rand/v2"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/train"
	"github.com/gomlx/gomlx/ml/train/loss"
	"github.com/gomlx/gomlx/ml/train/optimizer"
	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/backends"
)

func classify(scope *model.Scope, spec any, inputs []*Node) []*Node {
	h := layers.Unpack(spec, inputs).Readout(layers.Sum, layers.KForm(scope.In("forms"), 2, 1, 4).Done())
	return []*Node{layers.MLP(scope.In("head"), h, 8, 2)}
}

func main() {
	b, r := datasets.NewBuilder(2), rand.New(rand.NewPCG(1, 2))
	for i := range 400 {
		x, y, class := r.NormFloat64(), r.NormFloat64(), float64(i%2)
		b.AddPath([]float64{x, y, x + 1, y, x, y + 1 - 2*class, x, y}, class)
	}
	data, bad := b.Collection()
	batches, wrong := layers.NewDataset(data, nil, 16, datasets.NewRandom(0))
	backend, err := backends.New()
	if err := errors.Join(bad, wrong, err); err != nil {
		log.Fatal(err)
	}
	trainer := train.NewTrainer(backend, model.NewStore(), classify,
		loss.SparseCategoricalCrossEntropyLogits, optimizer.Adam().LearningRate(0.01).Done(), nil, nil)
	metrics, err := train.NewLoop(trainer).RunEpochs(batches, 5)
	log.Printf("mean loss: %.3f %v", metrics[1].Value(), err)
}
