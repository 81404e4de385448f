// Torus distinguishes thick and thin tori by forms on their edges and triangles.
package main

import (
	"context"
	"errors"
	"log"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/synthetic"
	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/backends"
	"github.com/neuralkforms/nkf/layers/cochain"
	"github.com/neuralkforms/nkf/nkfx/train"
)

func network(scope *model.Scope, b *layers.Batch) *Node {
	edges := b.Integrate(layers.KForm(scope.In("on edges"), 3, 1, 4).Done())
	triangles := b.Integrate(layers.KForm(scope.In("on triangles"), 3, 2, 4).Done())
	edges = cochain.Hodge(scope.In("hodge"), edges, b.Incidence(1), b.Incidence(2), nil, triangles)
	h := layers.Readout(layers.SquaredL2, edges, b.Of(1), b.Complexes())
	return layers.MLP(scope.In("head"), layers.BatchNorm(scope.In("norm"), h, b.Mask()), 16, 2)
}

func main() {
	b := datasets.NewBuilder(3)
	b.Faces = true // for the incidence of triangles with edges
	for i := range 100 {
		torus, _ := synthetic.Torus(6, 0.2+0.3*float64(i%2)+0.002*float64(i))
		b.AddComplex(torus, float64(i%2))
	}
	data, bad := b.Collection()
	backend, err := backends.New()
	if err := errors.Join(bad, err); err != nil {
		log.Fatal(err)
	}
	log.Println(train.CrossValidate(context.Background(), backend, train.Task{Data: data, Model: network}))
}
