package cochain

import (
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/support/exceptions"

	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/internal/scoped"
)

// matrix returns the variable "weights" [in, out] of the type of x. Like
// biases, it begins as PyTorch's Linear.
func matrix(scope *model.Scope, x *Node, in, out int) *Node {
	init, _ := layers.FanInUniform(scope, in)
	return scoped.Variable(scope, x, "weights", init, in, out)
}

// biases returns the variable "biases" [out] of a map with so many inputs, as
// [1, out].
func biases(scope *model.Scope, x *Node, in, out int) *Node {
	_, init := layers.FanInUniform(scope, in)
	return ExpandAxes(scoped.Variable(scope, x, "biases", init, out), 0)
}

// linear returns x·W + b for x [rows, in]: [rows, out].
func linear(scope *model.Scope, x *Node, out int) *Node {
	in := x.Shape().Dimensions[1]
	return Add(MatMul(x, matrix(scope, x, in, out)), biases(scope, x, in, out))
}

// perceptron returns SiLU(x·A + a)·B + b, [rows, out], for x [rows, in].
func perceptron(scope *model.Scope, x *Node, hidden, out int) *Node {
	h := layers.SiLU(linear(scoped.In("cochain", scope, "first"), x, hidden))
	return linear(scoped.In("cochain", scope, "last"), h, out)
}

// ones returns a column of ones for the rows of x.
func ones(x *Node) *Node { return OnesLike(SliceAxis(x, 1, AxisElem(0))) }

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
