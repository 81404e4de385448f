// Package scoped creates the variables of layers and checks their shapes.
package scoped

import (
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/support/exceptions"
)

// Variable returns the value of a variable on the graph of x, which has its
// type; the variable is made where it is missing. It panics where the
// variable is there with another shape or type.
func Variable(scope *model.Scope, x *Node, name string, init model.VariableInitializer, dims ...int) *Node {
	shape := shapes.Make(x.DType(), dims...)
	if v := scope.GetVariable(name); v != nil && !v.Shape().Equal(shape) {
		exceptions.Panicf("layers: variable %s is %s and would have to be %s: it was made for inputs of "+
			"another dimension or type, or for other widths; take another scope for these",
			v.Path(), v.Shape(), shape)
	}
	return scope.WithInitializer(init).VariableWithShape(name, shape).NodeValue(x.Graph())
}
