// Points distinguishes two circles of points by forms on their Rips complexes.
package main

import (
	"context"
	"errors"
	"log"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/simplicial"
	"github.com/neuralkforms/nkf/datasets/synthetic"
	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/backends"
	"github.com/neuralkforms/nkf/nkfx/train"
)

func network(scope *model.Scope, b *layers.Batch) *Node {
	h := b.Readout(layers.Mass, layers.KForm(scope.In("forms"), 2, 2, 8).Done()) // over the triangles
	return layers.MLP(scope.In("head"), layers.BatchNorm(scope.In("norm"), h, b.Mask()), 16, 2)
}

func main() {
	b := datasets.NewBuilder(2)
	for i := range 100 { // outer and inner circle are near each other, or not
		circles := synthetic.Circles{Points: 30, Noise: 0.1, Ratio: 0.8 - 0.5*float64(i%2)}
		points, _ := circles.Sample(uint64(i))
		discs, _ := simplicial.Rips(2, points, 0.6, 2)
		b.AddComplex(discs, float64(i%2))
	}
	data, bad := b.Collection()
	backend, err := backends.New()
	if err := errors.Join(bad, err); err != nil {
		log.Fatal(err)
	}
	log.Println(train.CrossValidate(context.Background(), backend, train.Task{Data: data, Model: network}))
}
