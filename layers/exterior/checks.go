package exterior

import (
	"reflect"
	"slices"
	"strings"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/support/exceptions"
)

// mixing are the beginnings of the names of operations whose results depend on several elements of an input,
// or on their places.
var mixing = []string{"Reduce", "Arg", "Dot", "ConvGeneral", "Gather", "Scatter", "SelectAndScatter",
	"Transpose", "Reverse", "Slice", "Dynamic", "Concatenate", "Pad", "FFT", "FusedSoftmax", "FusedLayerNorm",
	"FusedDense", "FusedAttention", "BatchNorm"}

// elementwise returns a function that panics where it does not compute each element of its result from the
// same element of its argument: integrals have simplices, and coefficients points, on other axes of it. Of
// nil it returns nil.
func elementwise(what string, function func(*Node) *Node) func(*Node) *Node {
	if function == nil {
		return nil
	}
	return func(x *Node) *Node {
		before := len(x.Graph().Nodes())
		y := function(x)
		if !y.Shape().Equal(x.Shape()) {
			exceptions.Panicf("%s: the activation makes %s of %s: want a function of each element", what,
				y.Shape(), x.Shape())
		}
		depends := map[*Node]bool{x: true}
		for _, node := range x.Graph().Nodes()[before:] {
			if !slices.ContainsFunc(node.Inputs(), func(in *Node) bool { return depends[in] }) {
				continue
			}
			depends[node] = true
			if name := node.Type().String(); slices.ContainsFunc(mixing, func(s string) bool {
				return strings.HasPrefix(name, s)
			}) {
				exceptions.Panicf("%s: the activation has the operation %s: want a function of each element",
					what, name)
			}
		}
		return y
	}
}

// checkIndices panics where there is nothing to count, and for constant indices that are not below count.
func checkIndices(function, things string, indices *Node, count int) {
	if count < 1 {
		exceptions.Panicf("exterior.%s: no %s: want one or more", function, things)
	}
	constant := indices.ConstantValue()
	if constant == nil {
		return
	}
	constant.MustConstFlatData(func(flat any) {
		numbers := reflect.ValueOf(flat)
		for i := range numbers.Len() {
			at := numbers.Index(i)
			if at.CanInt() && (at.Int() < 0 || at.Int() >= int64(count)) ||
				at.CanUint() && at.Uint() >= uint64(count) {
				exceptions.Panicf("exterior.%s: index %v of %s: want 0 to %d", function, at, things, count-1)
			}
		}
	})
}
