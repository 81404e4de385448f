// Own trains a network, a loss and an optimizer of one's own, saves the network, loads it and asks it.
package main

import (
	"context"
	"fmt"
	"log"
	"math"
	"math/rand/v2"
	"os"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/train/optimizer"
	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/backends"
	"github.com/neuralkforms/nkf/nkfx/train"
)

func network(scope *model.Scope, b *layers.Batch) *Node {
	forms := layers.KForm(scope.In("forms"), 2, 1, 4).Done()
	return layers.MLP(scope.In("head"), b.Readout(layers.Sum, forms), 16, 1)
}

// robust are numbers whose loss is √(1+x²) - 1 of an error x: it grows no faster than the error.
type robust struct{ train.Numbers }

// Loss builds that mean over the known numbers.
func (r robust) Loss(scope *model.Scope, out *Node, b *layers.Batch) *Node {
	off := Sub(r.Predicted(scope, out), b.Targets())
	known := LogicalAnd(b.Mask(), Squeeze(Equal(off, off), 1)) // unknown values are NaN, as is padding
	off = Where(known, Squeeze(off, 1), ScalarZero(off.Graph(), off.DType()))
	sum := ReduceAllSum(AddScalar(Sqrt(OnePlus(Square(off))), -1))
	return Div(sum, ReduceAllSum(ConvertDType(known, off.DType())))
}

// turn returns a path about the origin by an angle.
func turn(from, angle float64, radius func() float64) (path []float64) {
	for i := range 20 {
		sin, cos := math.Sincos(from + angle*float64(i)/19)
		r := radius()
		path = append(path, r*cos, r*sin)
	}
	return path
}

func main() {
	ctx, folder := context.Background(), must(os.MkdirTemp("", "own"))
	defer os.RemoveAll(folder)
	backend, r := must(backends.New()), rand.New(rand.NewPCG(1, 2))
	b := datasets.NewBuilder(2)
	b.Tasks, b.Regression = []string{"angle"}, true
	for range 200 {
		angle := 3 * r.NormFloat64()
		b.AddPath(turn(7*r.Float64(), angle, func() float64 { return 1 + r.Float64()/4 }), angle)
	}
	data := must(b.Collection())

	task := train.Task{Data: data, Model: network, Objective: robust{train.Numbers{Tasks: 1}},
		Optimizer: optimizer.Adam().Adamax().Done(),
		Schedule:  func(step, steps int) float64 { return 0.01 * (1 - float64(step)/float64(steps)) }}
	result := must(train.CrossValidate(ctx, backend, task))
	fmt.Println(result)
	weights, _, err := train.FitAll(ctx, backend, task, result.Fits)
	must(weights, err)
	must(folder, must(train.NewPredictor(backend, network, data.Info, weights)).Save(folder))

	trained := must(train.Load(folder, backend, network)) // in another program, any number of goroutines
	b = datasets.NewBuilder(2)
	b.AddPath(turn(0, math.Pi, func() float64 { return 1.1 })) // nobody says by how much it turns
	fmt.Println("half a turn:", must(trained.Predict(ctx, must(b.Collection()))))
}

// must returns the result of a call that did not fail.
func must[T any](x T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return x
}
