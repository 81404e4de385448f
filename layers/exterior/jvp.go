package exterior

import (
	"slices"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/support/exceptions"
)

// partials returns the partial derivatives of a function of points [P, n] in
// the directions [m, P, n] or [m, 1, n]: [m, P, ...] for values [P, ...]. The
// function has to treat points one by one, so that all directions go through
// it at once, as m·P points.
func partials(function func(points *Node) *Node, points, directions *Node) *Node {
	count, n := points.Shape().Dimensions[0], points.Shape().Dimensions[1]
	m := directions.Shape().Dimensions[0]
	tile := func(x *Node) *Node { return Reshape(BroadcastToDims(x, m, count, n), m*count, n) }
	x := tile(ExpandAxes(points, 0))
	y := function(x)
	return Reshape(jvp(y, x, tile(directions)), append([]int{m, count}, y.Shape().Dimensions[1:]...)...)
}

// axes returns the directions of the coordinates, [n, 1, n].
func axes(points *Node) *Node {
	n := points.Shape().Dimensions[1]
	unit := make([]float64, n*n)
	for i := range n {
		unit[i*n+i] = 1
	}
	return Reshape(ConstAsDType(points.Graph(), points.DType(), unit), n, 1, n)
}

// jvp returns the derivative of y at x in direction dx, which has the
// shape of x: forward-mode automatic differentiation, J·dx of the shape of y.
//
// GoMLX differentiates backwards only, and not twice through the operations
// whose gradient is a Pad, Slice and Concatenate among them. Forwards every
// linear operation is its own derivative, so that nothing is lost, the result
// can be differentiated again, and it costs about as much as y.
func jvp(y, x, dx *Node) *Node {
	if dy := (tangents{x: x, of: map[*Node]*Node{x: dx}}).at(y); dy != nil {
		return dy
	}
	return ZerosLike(y)
}

// tangents are the derivatives of the nodes between x and y. nil is zero.
type tangents struct {
	x  *Node
	of map[*Node]*Node
}

// at returns the derivative of a node.
func (t tangents) at(node *Node) *Node {
	if dy, known := t.of[node]; known {
		return dy
	}
	var dy *Node
	// A graph grows at its end: what is older than x does not depend on it. A
	// node of several outputs is the input of those that stand for one each.
	if node.Id() > t.x.Id() && !node.StopGradient() && !piecewise[node.Type()] &&
		(continuous(node) || node.NumOutputs() != 1) {
		inputs := make([]*Node, len(node.Inputs()))
		// What the closures of a loop or a branch compute with is not among its inputs.
		closed := node.Type() == NodeTypeWhile || node.Type() == NodeTypeIf
		moves := false
		for i, input := range node.Inputs() {
			inputs[i] = t.at(input)
			moves = moves || inputs[i] != nil
		}
		// Neither are those of a gradient of its own.
		if moves && (node.NumOutputs() != 1 || node.CustomGradient() != nil) || closed {
			exceptions.Panicf("exterior: no derivative through %s", node)
		}
		if moves {
			dy = derivative(node, inputs)
		}
	}
	t.of[node] = dy
	return dy
}

// continuous reports whether the values of a node are numbers that can move
// at all, rather than indices or conditions.
func continuous(node *Node) bool {
	return node.NumOutputs() == 1 && (node.DType().IsFloat() || node.DType().IsComplex())
}

// piecewise are the operations that are constant almost everywhere.
var piecewise = map[NodeType]bool{
	NodeTypeSign: true, NodeTypeFloor: true, NodeTypeCeil: true, NodeTypeRound: true,
}

// linear are the operations that are linear in all their numbers together.
// Their other inputs, if any, are indices and conditions.
var linear = map[NodeType]bool{
	NodeTypeAdd: true, NodeTypeSub: true, NodeTypeNeg: true, NodeTypeIdentity: true,
	NodeTypeConvertDType: true, NodeTypeReshape: true,
	NodeTypeTranspose: true, NodeTypeBroadcastInDim: true, NodeTypeReduceSum: true,
	NodeTypeSlice: true, NodeTypePad: true, NodeTypeConcatenate: true, NodeTypeReverse: true,
	NodeTypeGather: true, NodeTypeScatterSum: true, NodeTypeWhere: true,
	NodeTypeReal: true, NodeTypeImag: true, NodeTypeConj: true, NodeTypeComplex: true, NodeTypeFFT: true,
}

// bilinear are the operations that are linear in each of two inputs.
var bilinear = map[NodeType]bool{NodeTypeMul: true, NodeTypeDotGeneral: true, NodeTypeConvGeneral: true}

// slope holds f'(x) of the functions of one number, from x and y = f(x).
var slope = map[NodeType]func(x, y *Node) *Node{
	NodeTypeExp:      func(_, y *Node) *Node { return y },
	NodeTypeExpm1:    func(_, y *Node) *Node { return AddScalar(y, 1) },
	NodeTypeLog:      func(x, _ *Node) *Node { return Reciprocal(x) },
	NodeTypeLog1p:    func(x, _ *Node) *Node { return Reciprocal(AddScalar(x, 1)) },
	NodeTypeSin:      func(x, _ *Node) *Node { return Cos(x) },
	NodeTypeCos:      func(x, _ *Node) *Node { return Neg(Sin(x)) },
	NodeTypeTanh:     func(_, y *Node) *Node { return OneMinus(Square(y)) },
	NodeTypeLogistic: func(_, y *Node) *Node { return Mul(y, OneMinus(y)) },
	NodeTypeSqrt:     func(_, y *Node) *Node { return Reciprocal(MulScalar(y, 2)) },
	NodeTypeRsqrt:    func(x, y *Node) *Node { return Div(MulScalar(y, -0.5), x) },
	NodeTypeAbs: func(x, _ *Node) *Node {
		return Where(GreaterOrEqual(x, ZerosLike(x)), OnesLike(x), Neg(OnesLike(x)))
	},
}

// derivative returns the derivative of a node from those of its inputs, at
// least one of which is not zero.
func derivative(node *Node, d []*Node) *Node {
	in := node.Inputs()
	switch kind := node.Type(); {
	case linear[kind]:
		moved := make([]*Node, len(in))
		for i, x := range in {
			switch {
			case d[i] != nil:
				moved[i] = d[i]
			case continuous(x):
				moved[i] = ZerosLike(x)
			default:
				moved[i] = x
			}
		}
		return node.CloneWithInputs(moved...)
	case bilinear[kind]:
		return total(d, func(i int) *Node {
			inputs := slices.Clone(in)
			inputs[i] = d[i]
			return node.CloneWithInputs(inputs...)
		})
	case slope[kind] != nil:
		return Mul(slope[kind](in[0], node), d[0])
	case kind == NodeTypeDiv:
		return total(d, func(i int) *Node {
			if i == 0 {
				return Div(d[0], in[1])
			}
			return Neg(Mul(Div(node, in[1]), d[1]))
		})
	case kind == NodeTypeMax || kind == NodeTypeMin:
		first := GreaterOrEqual(in[0], in[1])
		if kind == NodeTypeMin {
			first = LessOrEqual(in[0], in[1])
		}
		mask := ConvertDType(first, node.DType())
		return total(d, func(i int) *Node {
			if i == 0 {
				return Mul(mask, d[0])
			}
			return Mul(OneMinus(mask), d[1])
		})
	}
	return twiceBackwards(node, d)
}

// total adds up the terms of the inputs that move.
func total(d []*Node, term func(i int) *Node) (sum *Node) {
	for i, x := range d {
		switch {
		case x == nil:
		case sum == nil:
			sum = term(i)
		default:
			sum = Add(sum, term(i))
		}
	}
	return sum
}

// twiceBackwards is derivative for any operation with a gradient: uᵀJ is
// linear in u, and its own gradient by u in direction d is J·d.
func twiceBackwards(node *Node, d []*Node) *Node {
	y, inputs := node, slices.Clone(node.Inputs())
	var moving []*Node
	for i, x := range inputs {
		if d[i] != nil {
			inputs[i] = Identity(x)
			moving = append(moving, x)
		}
	}
	// One input may depend on another, or be the same: they are told apart in
	// a copy. A copy of a fused operation would have no gradient; those have
	// one such input.
	if len(moving) > 1 {
		y, moving = node.CloneWithInputs(inputs...), moving[:0]
		for i, x := range inputs {
			if d[i] != nil {
				moving = append(moving, x)
			}
		}
	}
	u := Identity(OnesLike(node))
	gradients := Gradient(ReduceAllSum(Mul(u, y)), moving...)
	product := total(d, func(i int) *Node {
		gradient := gradients[0]
		gradients = gradients[1:]
		return ReduceAllSum(Mul(gradient, d[i]))
	})
	return Gradient(product, u)[0]
}
