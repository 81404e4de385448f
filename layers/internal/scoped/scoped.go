// Package scoped creates the variables of layers and checks their shapes.
package scoped

import (
	"errors"
	"math"
	"slices"
	"strings"

	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/model/initializer"
	"github.com/gomlx/gomlx/support/exceptions"

	"github.com/neuralkforms/nkf/layers/exterior"
)

// Need panics where a function has no scope.
func Need(function string, scope *model.Scope) {
	if scope == nil {
		exceptions.Panicf("%s: the scope is nil: want one of a store, such as store.RootScope()",
			function)
	}
}

// Cause returns what a graph function panicked with, without what GoMLX says of itself, or the error.
func Cause(err error) error {
	for err != nil && strings.Contains(err.Error(), "panicked: ") {
		inner := errors.Unwrap(err)
		if inner == nil {
			return err
		}
		err = inner
	}
	return err
}

// Variable returns the value of a variable on the graph of x, which has its
// type; the variable is made where it is missing. It panics where the
// variable is there with another shape or type.
func Variable(scope *model.Scope, x *Node, name string, init model.VariableInitializer, dims ...int) *Node {
	if !x.DType().IsFloat() || slices.Min(dims) < 1 {
		exceptions.Panicf("layers: variable %s of shape %v for inputs of shape %s: want floats, and widths "+
			"of 1 or more", name, dims, x.Shape())
	}
	shape := shapes.Make(x.DType(), dims...)
	if v := scope.GetVariable(name); v != nil && !v.Shape().Equal(shape) {
		exceptions.Panicf("layers: variable %s is %s and would have to be %s: it was made for inputs of "+
			"another dimension or type, or for other widths; take another scope for these",
			v.Path(), v.Shape(), shape)
	}
	return scope.WithInitializer(init).VariableWithShape(name, shape).NodeValue(x.Graph())
}

// FanInUniform returns initializers that are uniform in ±1/√inputs.
func FanInUniform(scope *model.Scope, inputs int) (weights, biases model.VariableInitializer) {
	bound := 1 / math.Sqrt(float64(inputs))
	uniform := initializer.RandomUniformFn(scope, -bound, bound)
	return uniform, uniform
}

// Affine returns the map whose variables "weights" [in, out] and "biases" [out], which begin as FanInUniform,
// are in scope, of the type of x.
func Affine(scope *model.Scope, x *Node, in, out int) exterior.Affine {
	weights, biases := FanInUniform(scope, in)
	return exterior.Affine{
		W: Variable(scope, x, "weights", weights, in, out),
		B: Variable(scope, x, "biases", biases, out),
	}
}
