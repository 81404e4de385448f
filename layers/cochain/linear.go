package cochain

import (
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/support/exceptions"

	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/internal/scoped"
)

// linear returns x·W + b, [rows, out], for x [rows, in].
func linear(scope *model.Scope, x *Node, out int) *Node {
	return layers.Linear(scope, x, x.Shape().Dimensions[1], out).Apply(x)
}

// perceptron returns SiLU(x·A + a)·B + b, [rows, out], for x [rows, in].
func perceptron(scope *model.Scope, x *Node, hidden, out int) *Node {
	h := layers.SiLU(linear(scoped.In("cochain", scope, "first"), x, hidden))
	return linear(scoped.In("cochain", scope, "last"), h, out)
}

// layerNormEpsilon is added to variances; it is PyTorch's.
const layerNormEpsilon = 1e-5

// layerNorm takes from each row of x [rows, features] its mean and divides it
// by its standard deviation, with nothing to learn. Rows that the mask [rows]
// drops become zero; nil keeps all. Source: Ba, Kiros and Hinton, Layer
// Normalization, 2016.
func layerNorm(x, mask *Node) *Node {
	if x.Rank() != 2 ||
		mask != nil && (mask.Rank() != 1 || mask.Shape().Dimensions[0] != x.Shape().Dimensions[0]) {
		exceptions.Panicf("cochain.layerNorm: rows of shape %s: want [rows, features], and a mask [rows] or "+
			"none", x.Shape())
	}
	x = Sub(x, ReduceAndKeep(x, ReduceMean, 1))
	variance := ReduceAndKeep(Square(x), ReduceMean, 1)
	x = Div(x, Sqrt(AddScalar(variance, layerNormEpsilon)))
	if mask == nil {
		return x
	}
	return Mul(x, ExpandAxes(ConvertDType(mask, x.DType()), -1))
}
