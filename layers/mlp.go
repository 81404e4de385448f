package layers

import (
	"math"
	"slices"

	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/layers/activation"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/model/initializer"
	"github.com/gomlx/gomlx/support/exceptions"

	"github.com/neuralkforms/nkf/layers/internal/scoped"
)

// Initialization returns the initializers of the weights and biases of an affine map with the given number of
// inputs, and the number of its layer, from 0.
type Initialization func(scope *model.Scope, layer, inputs int) (weights, biases model.VariableInitializer)

// scopeDefault begins with the initializer of the scope for both weights and
// biases, GoMLX's own default unless set otherwise.
func scopeDefault(scope *model.Scope, _, _ int) (weights, biases model.VariableInitializer) {
	return scope.Initializer(), scope.Initializer()
}

// FanInUniform begins with weights and biases uniform in ±1/√inputs, as PyTorch's Linear does. The published
// code of neural k-forms uses this initialization.
func FanInUniform(scope *model.Scope, _, inputs int) (weights, biases model.VariableInitializer) {
	return scoped.FanInUniform(scope, inputs)
}

// Waves initializes a network with the given number of hidden layers so that its units resolve coarse and
// fine structure, which networks with the usual weights learn slowly: the first layer with weights uniform in
// ±f, f² uniform in [0, frequency²] for every unit, and biases uniform in ±π, the last with zeros, and others
// as FanInUniform. The frequency is in radians per unit of length: waves of length s have 2π/s. With sine
// activation and one hidden layer these are random Fourier features (Rahimi and Recht, NIPS 2007).
func Waves(frequency float64, hidden int) Initialization {
	return func(scope *model.Scope, layer, inputs int) (weights, biases model.VariableInitializer) {
		switch layer {
		case 0:
			waves := func(g *Graph, shape shapes.Shape) *Node {
				direction := initializer.RandomUniformFn(scope, -1, 1)(g, shape)
				row := shapes.Make(shape.DType, 1, shape.Dimensions[1])
				square := initializer.RandomUniformFn(scope, 0, frequency*frequency)(g, row)
				return Mul(direction, Sqrt(square))
			}
			return waves, initializer.RandomUniformFn(scope, -math.Pi, math.Pi)
		case hidden:
			return initializer.Zero, initializer.Zero
		}
		return FanInUniform(scope, layer, inputs)
	}
}

// MLP returns a multilayer perceptron of x [B, features] with ReLU between its
// layers, like the classifiers of the paper, where [KForm] has SiLU, since nothing
// integrates a classifier: [B, last width]. The widths are those
// of the layers in turn, the last one being the output. It begins as FanInUniform.
// It panics where the scope holds another MLP, or forms.
func MLP(scope *model.Scope, x *Node, widths ...int) *Node {
	scoped.Need("layers.MLP", scope)
	if x.Rank() != 2 || !x.DType().IsFloat() || len(widths) == 0 || slices.Min(widths) < 1 {
		exceptions.Panicf("layers.MLP: input of shape %s and layers of %v: want floats [rows, features] and "+
			"widths of 1 or more", x.Shape(), widths)
	}
	for i, width := range widths {
		if i > 0 {
			x = activation.Relu(x)
		}
		x = Linear(scope.In("layer_%d", i), x, width)
	}
	return x
}

// Linear returns x·W + b, [..., out], for x [..., in]. Its variables "weights" [in,
// out] and "biases" [out] are in scope, of the type of x. They begin as FanInUniform.
// Maps in one scope share their variables: enter a new scope for each layer.
func Linear(scope *model.Scope, x *Node, out int) *Node {
	scoped.Need("layers.Linear", scope)
	if x.Rank() < 1 || x.Shape().Size() == 0 || !x.DType().IsFloat() || out < 1 {
		exceptions.Panicf("layers.Linear: input of shape %s to %d outputs: want floats [..., in], and 1 "+
			"or more", x.Shape(), out)
	}
	return scoped.Affine(scope, x, x.Shape().Dimensions[x.Rank()-1], out).Apply(x)
}
