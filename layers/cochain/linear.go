package cochain

import (
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/support/exceptions"

	"github.com/neuralkforms/nkf/layers"
)

// weights returns the variable "weights" [in, out] of the type of x. Like
// biases, it begins as PyTorch's Linear.
func weights(scope *model.Scope, x *Node, in, out int) *Node {
	init, _ := layers.FanInUniform(scope, in)
	return scope.WithInitializer(init).VariableWithShape("weights", shapes.Make(x.DType(), in, out)).
		NodeValue(x.Graph())
}

// biases returns the variable "biases" [out] of a map with so many inputs, as
// [1, out].
func biases(scope *model.Scope, x *Node, in, out int) *Node {
	_, init := layers.FanInUniform(scope, in)
	return ExpandAxes(scope.WithInitializer(init).VariableWithShape("biases", shapes.Make(x.DType(), out)).
		NodeValue(x.Graph()), 0)
}

// linear returns x·W + b for x [rows, in]: [rows, out].
func linear(scope *model.Scope, x *Node, out int) *Node {
	in := x.Shape().Dimensions[1]
	return Add(MatMul(x, weights(scope, x, in, out)), biases(scope, x, in, out))
}

// perceptron returns SiLU(x·A + a)·B + b, [rows, out], for x [rows, in].
func perceptron(scope *model.Scope, x *Node, hidden, out int) *Node {
	return linear(scope.At("last"), silu(linear(scope.At("first"), x, hidden)), out)
}

// ones returns a column of ones for the rows of x.
func ones(x *Node) *Node { return OnesLike(SliceAxis(x, 1, AxisElem(0))) }

// silu is x/(1+exp(-x)), as x/2·(1+tanh(x/2)): XLA's tanh on CPUs is faster.
func silu(x *Node) *Node {
	x = MulScalar(x, 0.5)
	return Add(x, Mul(x, Tanh(x)))
}

// plus returns a + b; a nil is zero.
func plus(a, b *Node) *Node {
	if a == nil {
		return b
	}
	return Add(a, b)
}

// layerNormEpsilon is added to variances; it is PyTorch's.
const layerNormEpsilon = 1e-5

// LayerNorm takes from each row of x [rows, features] its mean and divides it
// by its standard deviation, with nothing to learn. Rows that the mask [rows]
// drops become zero; nil keeps all. Source: Ba, Kiros and Hinton, Layer
// Normalization, 2016.
func LayerNorm(x, mask *Node) *Node {
	if x.Rank() != 2 ||
		mask != nil && (mask.Rank() != 1 || mask.Shape().Dimensions[0] != x.Shape().Dimensions[0]) {
		exceptions.Panicf(
			"cochain.LayerNorm: rows of shape %s: want [rows, features], and a mask [rows] or "+
				"none",
			x.Shape(),
		)
	}
	x = Sub(x, ReduceAndKeep(x, ReduceMean, 1))
	variance := ReduceAndKeep(Square(x), ReduceMean, 1)
	x = Div(x, Sqrt(AddScalar(variance, layerNormEpsilon)))
	if mask == nil {
		return x
	}
	return Mul(x, ExpandAxes(ConvertDType(mask, x.DType()), -1))
}
