// Package scoped makes the variables of layers: in a scope that no other
// layer has entered, and of one shape.
package scoped

import (
	"fmt"

	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/support/exceptions"
)

// In enters the sub-scope of that name, as [model.Scope.In] does, on behalf
// of a layer. It panics where the scope has been entered under that name
// before: two layers would share their weights without a word. Scope.Shared
// returns a scope that has not been entered, for layers that share on purpose.
func In(layer string, scope *model.Scope, format string, args ...any) *model.Scope {
	name := fmt.Sprintf(format, args...)
	var in *model.Scope
	if err := exceptions.TryCatch[error](func() { in = scope.In("%s", name) }); err != nil {
		exceptions.Panicf("%s: scope %q has been used before, %q below it: give every layer a scope of its "+
			"own, with In, or share the weights on purpose, with Shared", layer, scope.Scope(), name)
	}
	return in
}

// Own is [In] for a layer with variables in the scope itself, one of which
// has that name.
func Own(layer string, scope *model.Scope, name string) *model.Scope {
	In(layer, scope, "%s", name)
	return scope
}

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
