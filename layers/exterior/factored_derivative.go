package exterior

import (
	. "github.com/gomlx/gomlx/core/graph"

	"github.com/neuralkforms/nkf/layers/quadrature"
)

// derivativeColumns returns the integrals ∫_σ dω_j of forms of degree k > 0 over
// B simplices of dimension k+1 with the given corners, each [B, n], as [ℓ, B], by
//
//	dω(e_0, …, e_k) = Σ_a (-1)^a · ∂_{e_a} ω(e_0, …, ê_a, …, e_k)
//
// for the edges e_a from corner 0, which do not depend on the point. What
// commutes with the integral of ω (see [MLP.columns]) commutes here:
//
//  1. A_1 along an edge is the difference of A_1 at its ends: no product.
//  2. An activation takes one evaluation and one slope for all edges.
//  3. A_L meets the mean derivative of the last hidden layer, and loses its
//     bias.
func (m MLP) derivativeColumns(corners []*Node, nodes *quadrature.Nodes) *Node {
	edges, count := len(corners)-1, corners[0].Shape().Dimensions[0]
	means := m.hiddenSlopes(corners, nodes)
	width := means.Shape().Dimensions[0]
	blades := make([]*Node, edges)
	for a := range blades {
		blades[a] = m.blade(without(corners, a))
	}
	m.Layers = append([]Affine(nil), m.Layers...)
	m.Layers[m.hidden()].B = nil
	terms := m.lastMap(Reshape(means, width, edges*count), Concatenate(blades, 1), 0)
	terms = Reshape(terms, m.count, edges, count)
	return alternating(edges, func(a int) *Node { return Squeeze(SliceAxis(terms, 1, AxisElem(a)), 1) })
}

// hiddenSlopes returns Σ_q w_q ∂_{e_a} h_q, [H, edges, B]: the derivatives of
// what [MLP.hiddenMean] sums, along the edges from corner 0.
func (m MLP) hiddenSlopes(corners []*Node, nodes *quadrature.Nodes) *Node {
	edges, count := len(corners)-1, corners[0].Shape().Dimensions[0]
	first := m.firstMap(corners)
	along := make([]*Node, edges)
	for a := range along {
		along[a] = Sub(first[a+1], first[0])
	}
	start := Stack(along, 1)
	if m.hidden() == 0 {
		return MulScalar(start, volume(nodes))
	}
	size := (nodes.Len() + panels - 1) / panels
	var mean *Node
	for from := 0; from < nodes.Len(); from += size {
		to := min(from+size, nodes.Len())
		// [width, points, B] for values, [width, edges, points, B] for derivatives.
		h, d := mixColumns(first, nodes, from, to), ExpandAxes(start, 2)
		for i := range m.hidden() {
			if i > 0 {
				h = m.hiddenMap(i, h)
				d = Reshape(product(m.Layers[i].W, 0, Reshape(d, d.Shape().Dimensions[0], -1), 0),
					-1, edges, to-from, count)
			}
			y := m.Activation(h)
			slope, _ := jvp(y, h, OnesLike(h))
			d = Mul(ExpandAxes(slope, 1), d)
			h = y
		}
		weights := Reshape(ConstAsDType(h.Graph(), h.DType(), nodes.Weights[from:to]), 1, 1, -1, 1)
		sum := ReduceSum(Mul(d, weights), 2)
		if mean == nil {
			mean = sum
		} else {
			mean = Add(mean, sum)
		}
	}
	return mean
}
