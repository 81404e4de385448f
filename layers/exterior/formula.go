package exterior

import (
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/support/exceptions"
)

// Formula returns a single k-form on Rⁿ from a formula for its components.
// The function gets the n coordinates of the points, each [P], and returns
// the C(n,k) components in the order of [MultiIndices], each [P] or a scalar;
// nil is zero. The rotation -y dx + x dy of the plane is
//
//	exterior.Formula(2, 1, func(x []*Node) []*Node { return []*Node{Neg(x[1]), x[0]} })
func Formula(n, k int, components func(x []*Node) []*Node) Form {
	if k < 0 || k > n || components == nil {
		exceptions.Panicf("exterior.Formula: a %d-form in dimension %d: want 0 ≤ k ≤ n, and a function", k, n)
	}
	return Form{Dim: n, Degree: k, Count: 1, Coefficients: func(points *Node) *Node {
		x := make([]*Node, n)
		for i := range x {
			x[i] = Squeeze(SliceAxis(points, 1, AxisElem(i)), 1)
		}
		values := components(x)
		if len(values) != Components(n, k) {
			exceptions.Panicf(
				"exterior.Formula: %d components of a %d-form in dimension %d, not C(%d,%d) = %d",
				len(values), k, n, n, k, Components(n, k))
		}
		columns := make([]*Node, len(values))
		for i, value := range values {
			// Not ZerosLike(x[0]), which n = 0 lacks.
			columns[i] = Zeros(points.Graph(), shapes.Make(points.DType(), points.Shape().Dimensions[0]))
			if value == nil {
				continue
			}
			if shape := value.Shape(); value.DType() != points.DType() ||
				!shape.IsScalar() && !shape.EqualDimensions(columns[i].Shape()) {
				exceptions.Panicf("exterior.Formula: component %d of a %d-form has shape %s: want a number "+
					"for each point, %s, a scalar of this type, or nil", i, k, shape, columns[i].Shape())
			}
			columns[i] = Add(columns[i], value)
		}
		return ExpandAxes(Stack(columns, 1), -1)
	}}
}
