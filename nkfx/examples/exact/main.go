// Exact learns a function from its differences along edges: the form is its differential.
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
	function := layers.KForm(scope.In("function"), 2, 0, 1).Hidden(32).Done()
	return b.Readout(layers.Sum, function.D()) // the difference of end values: no quadrature
}

func main() {
	b, r := datasets.NewBuilder(2), rand.New(rand.NewPCG(1, 2))
	b.Tasks, b.Regression = []string{"difference"}, true
	for range 400 {
		x, y, u, v := r.Float64(), r.Float64(), r.Float64(), r.Float64()
		b.AddPath([]float64{x, y, u, v}, u*v-x*y)
	}
	data, bad := b.Collection()
	backend, err := backends.New()
	if err := errors.Join(bad, err); err != nil {
		log.Fatal(err)
	}
	log.Println(train.CrossValidate(context.Background(), backend, train.Task{Data: data, Model: network}))
}
