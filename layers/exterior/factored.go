package exterior

import (
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"

	"github.com/neuralkforms/nkf/layers/quadrature"
)

// hidden returns the number of hidden layers.
func (m MLP) hidden() int { return len(m.Layers) - 1 }

// columns returns the integrals over B simplices with the given corners, each
// [B, n], as [ℓ, B]. They equal the quadrature of the coefficients up to rounding,
// for a fraction of the work: the affine maps of the network commute with the
// integral.
//
//  1. A point of the simplex is an affine combination of its corners, so A_1
//     is computed on corners and mixed, never on the points. On corners, not
//     on vertices: the gradient of the weights then needs no scatter, which
//     costs more than the products do.
//  2. The last map A_L meets the blade D and the mean h̄ of the last hidden
//     layer, Σ_{I,h} D_I W_{h,Ij} h̄_h: once per simplex, and whichever of the
//     two is wider goes through the matrix.
//
// In here simplices are columns: layers are narrow and simplices many, so that
// the lanes of a processor run along simplices.
func (m MLP) columns(corners []*Node, nodes *quadrature.Nodes) *Node {
	return m.lastMap(m.hiddenMean(corners, nodes), m.blade(corners), volume(nodes))
}

// lastMap returns Σ_{I,h} D_I W_{h,Ij} h̄_h for the means h̄, [H, B], of the
// last hidden layer and a blade D, [R, B], as [ℓ, B]; the bias has the weight
// volume.
func (m MLP) lastMap(mean, blade *Node, volume float64) *Node {
	last := m.Layers[m.hidden()]
	width, count := mean.Shape().Dimensions[0], mean.Shape().Dimensions[1]
	if blade != nil && m.elements() > width {
		weights := Reshape(last.W, width, m.elements(), m.count)
		if last.B == nil {
			return ReduceSum(Mul(product(weights, 1, blade, 0), ExpandAxes(mean, 1)), 0)
		}
		// The bias is one more hidden unit, whose mean is the volume.
		weights = Concatenate([]*Node{weights, Reshape(last.B, 1, m.elements(), m.count)}, 0)
		products := product(weights, 1, blade, 0)
		units := SliceAxis(products, 0, AxisRangeFromStart(width))
		bias := Squeeze(SliceAxis(products, 0, AxisElem(width)), 0)
		return Add(ReduceSum(Mul(units, ExpandAxes(mean, 1)), 0), MulScalar(bias, volume))
	}
	means := product(last.W, 0, mean, 0)
	// Where outputs are many, the bias costs less in a product of its own with
	// the blade than added to each of them.
	apart := blade != nil && m.elements()*m.count >= manyOutputs
	if last.B != nil && !apart {
		means = Add(means, MulScalar(across(last.B, count), volume))
	}
	if blade == nil {
		return means
	}
	sum := ReduceSum(Mul(ExpandAxes(blade, 1), Reshape(means, m.elements(), m.count, count)), 0)
	if last.B != nil && apart {
		sum = Add(sum, MulScalar(product(Reshape(last.B, m.elements(), m.count), 0, blade, 0), volume))
	}
	return sum
}

// manyOutputs is the number of outputs of a network from which the bias of its
// last layer goes a way of its own. An epoch of cochain networks, with 64 of
// them, took a sixth less time so; fewer outputs were not measured.
const manyOutputs = 32

// panels bounds how often the network is written out. The points of a rule
// are shared out between as many panels: sums over panels are sums of nodes,
// which XLA fuses into the loops around them, while a sum over an axis is a
// slow loop of its own, and where points and simplices make one axis every
// element costs a division.
const panels = 16

// hiddenMean returns Σ_q w_q h_q, [H, B], where h_q is the last hidden layer
// at point q of the simplices. Without hidden layers that is the coordinates.
func (m MLP) hiddenMean(corners []*Node, nodes *quadrature.Nodes) *Node {
	first := m.firstMap(corners)
	size := (nodes.Len() + panels - 1) / panels
	var mean *Node
	for from := 0; from < nodes.Len(); from += size {
		to := min(from+size, nodes.Len())
		h := mixColumns(first, nodes, from, to)
		for i := range m.hidden() {
			if i > 0 {
				h = m.hiddenMap(i, h)
			}
			h = m.Activation(h)
		}
		weights := Reshape(ConstAsDType(h.Graph(), h.DType(), nodes.Weights[from:to]), 1, -1, 1)
		sum := ReduceSum(Mul(h, weights), 1)
		if mean == nil {
			mean = sum
		} else {
			mean = Add(mean, sum)
		}
	}
	return mean
}

// firstMap returns A_1 at the corners, [width, B] each. Without hidden layers
// that is the coordinates.
func (m MLP) firstMap(corners []*Node) []*Node {
	first := make([]*Node, len(corners))
	for a, corner := range corners {
		if m.hidden() == 0 {
			first[a] = Transpose(corner, 0, 1)
			continue
		}
		first[a] = product(m.Layers[0].W, 0, corner, 1)
		if bias := m.Layers[0].B; bias != nil {
			first[a] = Add(first[a], across(bias, corner.Shape().Dimensions[0]))
		}
	}
	return first
}

// hiddenMap returns affine map i > 0 of h, [width, points, B]. Points and
// simplices are axes of their own but in products: where both were one axis,
// the loops that XLA makes of mixing, bias and activation divided for every
// element.
func (m MLP) hiddenMap(i int, h *Node) *Node {
	dims := h.Shape().Dimensions
	points := dims[1] * dims[2]
	h = product(m.Layers[i].W, 0, Reshape(h, -1, points), 0)
	if bias := m.Layers[i].B; bias != nil {
		h = Add(h, across(bias, points))
	}
	return Reshape(h, -1, dims[1], dims[2])
}

// mixColumns returns the affine combinations of the corners, [width, B] each,
// that make the given points of the rule: [width, points, B].
func mixColumns(corners []*Node, nodes *quadrature.Nodes, from, to int) *Node {
	var points *Node
	for a, corner := range corners {
		lambda := make([]float64, 0, to-from)
		for q := from; q < to; q++ {
			lambda = append(lambda, nodes.Point(q)[a])
		}
		weight := Reshape(ConstAsDType(corner.Graph(), corner.DType(), lambda), 1, -1, 1)
		term := Mul(weight, ExpandAxes(corner, 1))
		if points == nil {
			points = term
		} else {
			points = Add(points, term)
		}
	}
	return points
}

// blade returns the values of the frame elements on the wedge of the edge
// vectors, [R, B]: the minors det(D^I) for the standard frame, the
// determinants of ⟨a_{r,i}, v_j - v_0⟩ for a learned one. For points it is
// nil, the number one.
func (m MLP) blade(corners []*Node) *Node {
	if len(corners) == 1 {
		return nil
	}
	rows := 1
	edges := make([]*Node, len(corners)-1)
	for a := range edges {
		edge := Sub(corners[a+1], corners[0])
		if m.Frame == nil {
			edge = Transpose(edge, 0, 1)
		} else {
			edge, rows = product(m.Frame, 0, edge, 1), m.elements()
		}
		// A point of Blade is a frame element; simplices are its last axis.
		edges[a] = Reshape(edge, rows, -1, edge.Shape().Dimensions[1])
	}
	return Reshape(blade(edges...), m.elements(), -1)
}

// product returns the sum of products over axis i of a and axis j of b.
func product(a *Node, i int, b *Node, j int) *Node {
	return DotGeneral(a, []int{i}, nil, b, []int{j}, nil)
}

// across returns the vector [out] as that many equal columns, [out, count].
// It is a product with ones, and so is its gradient: of a broadcast that is a
// sum over columns, which XLA's CPU computes more slowly.
func across(vector *Node, count int) *Node {
	return product(ExpandAxes(vector, 0), 0, Ones(vector.Graph(), shapes.Make(vector.DType(), 1, count)), 0)
}

// volume returns Σ_q w_q = 1/k!.
func volume(nodes *quadrature.Nodes) float64 {
	sum := 0.0
	for _, w := range nodes.Weights {
		sum += w
	}
	return sum
}
