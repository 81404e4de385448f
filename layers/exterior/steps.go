package exterior

import (
	. "github.com/gomlx/gomlx/core/graph"

	"github.com/neuralkforms/nkf/layers/quadrature"
)

// steps are the steps from the corners of simplices to the integral of a form,
//
//	∫_σ ω = last(Σ_q w_q between(x_q)),   x_q = Σ_a λ_qa first(v_a),
//
// where v_a are the corners and λ_qa the barycentric coordinates of point q.
// Axis 1 of x_q and of the results of between counts points.
type steps struct {
	// first is an affine map of corners [..., n]. It commutes with mixing them.
	first func(corner *Node) *Node
	// between is computed at the points.
	between func(points *Node) *Node
	// last is linear, and commutes with the sum over the points. It contracts the
	// mean with the wedge of the edges and returns rows of ℓ integrals. What first
	// made of the corners is there as well. A constant term has the weight volume.
	last func(mean *Node, corners, first []*Node, volume float64) *Node
	// slopes returns Σ_q w_q ∂between(x_q) along each direction, which is the same
	// at all points. The function sum adds up what at returns for some points at
	// once. If nil, between is differentiated along each direction.
	slopes func(along []*Node, sum func(at func(points *Node) []*Node) []*Node) []*Node
	// panels bounds how often between is written out. The points of a rule are
	// shared out between as many panels: sums over panels are sums of nodes, which
	// XLA fuses into the loops around them, while a sum over an axis is a slow loop
	// of its own.
	panels int
}

// steps returns those of the form on the graph of x: its own, or those of forms
// of which only the coefficients are known.
func (f Form) steps(x *Node) steps {
	if f.own != nil {
		return f.own(x)
	}
	return steps{
		panels: 1,
		first:  func(corner *Node) *Node { return corner },
		between: func(points *Node) *Node {
			d := points.Shape().Dimensions
			values := f.At(Reshape(points, d[0]*d[1], f.Dim))
			return Reshape(values, d[0], d[1], Components(f.Dim, f.Degree), f.Count)
		},
		last: func(mean *Node, corners, _ []*Node, _ float64) *Node {
			return contract(edgeBlade(corners), mean)
		},
	}
}

// mean returns the sum of between over the points of a rule.
func (s steps) mean(first []*Node, nodes *quadrature.Nodes) *Node {
	values := func(points *Node) []*Node { return []*Node{s.between(points)} }
	return sumOverRule(first, nodes, s.panels, values)[0]
}

// meanSlopes returns the sums of the derivatives of between along each direction.
func (s steps) meanSlopes(first []*Node, nodes *quadrature.Nodes, along []*Node) []*Node {
	// XLA writes the sum over a short axis out, and compiles it in half the time that panels of a point or
	// two take. With eight points, and four directions through two hidden layers, steps take longer.
	const most = 7
	panels := min(s.panels, (nodes.Len()+most-1)/most)
	sum := func(at func(points *Node) []*Node) []*Node { return sumOverRule(first, nodes, panels, at) }
	if s.slopes != nil {
		return s.slopes(along, sum)
	}
	return sum(func(points *Node) []*Node {
		values := s.between(points)
		return each(along, func(x *Node) *Node {
			return jvp(values, points, BroadcastToShape(ExpandAxes(x, 1), points.Shape()))
		})
	})
}

// slopesOf returns the slopes, see [steps], of a function of single numbers after a
// linear map. The function alone depends on the point: directions multiply the sum.
func slopesOf(function, linear func(*Node) *Node) func([]*Node, func(func(*Node) []*Node) []*Node) []*Node {
	return func(along []*Node, sum func(at func(points *Node) []*Node) []*Node) []*Node {
		slope := sum(func(points *Node) []*Node { return []*Node{elementSlope(function, linear(points))} })[0]
		return each(along, func(x *Node) *Node { return Mul(slope, linear(x)) })
	}
}

// elementSlope returns the derivative of a function of single numbers.
func elementSlope(function func(*Node) *Node, x *Node) *Node { return jvp(function(x), x, OnesLike(x)) }

// sumOverRule returns the weighted sums over the points of a rule of what at returns for
// some of them at once, on axis 1.
func sumOverRule(first []*Node, nodes *quadrature.Nodes, panels int,
	at func(points *Node) []*Node) (sums []*Node) {
	size := (nodes.Len() + panels - 1) / panels
	for from := 0; from < nodes.Len(); from += size {
		to := min(from+size, nodes.Len())
		terms := each(at(mix(first, nodes, from, to)), func(x *Node) *Node {
			return ReduceSum(Mul(x, onAxis1(x, nodes.Weights[from:to])), 1)
		})
		if sums == nil {
			sums = terms
			continue
		}
		for i, term := range terms {
			sums[i] = Add(sums[i], term)
		}
	}
	return sums
}

// mix returns the affine combinations of the corners that make the given points
// of the rule, on a new axis 1.
func mix(corners []*Node, nodes *quadrature.Nodes, from, to int) *Node {
	var points *Node
	for a, corner := range corners {
		lambda := make([]float64, 0, to-from)
		for q := from; q < to; q++ {
			lambda = append(lambda, nodes.Point(q)[a])
		}
		corner = ExpandAxes(corner, 1)
		term := Mul(onAxis1(corner, lambda), corner)
		if points == nil {
			points = term
		} else {
			points = Add(points, term)
		}
	}
	return points
}
