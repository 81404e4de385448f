// Polyline learns the work of a field along a path from the difference of potential between its ends.
package main

import (
	"context"
	"errors"
	"log"
	"math/rand/v2"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/backends"
	"github.com/neuralkforms/nkf/nkfx/train"
)

func network(scope *model.Scope, b *layers.Batch) *Node {
	return b.Readout(layers.Sum, layers.KForm(scope.In("forms"), 2, 1, 1).Done())
}

func main() {
	b, r := datasets.NewBuilder(2), rand.New(rand.NewPCG(1, 2))
	b.Tasks, b.Regression = []string{"work"}, true
	for range 200 {
		points := []float64{0, 0}
		for i := range 20 {
			points = append(points, points[i]+0.2*r.NormFloat64())
		}
		b.AddPath(points, points[20]*points[21]) // the field d(xy) along the path from the origin
	}
	data, bad := b.Collection()
	backend, err := backends.New()
	if err := errors.Join(bad, err); err != nil {
		log.Fatal(err)
	}
	log.Println(train.CrossValidate(context.Background(), backend, train.Task{Data: data, Model: network}))
}
