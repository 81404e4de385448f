package exterior

import (
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
)

// steps returns the steps of the integral of a network, whose affine maps commute
// with it:
//
//  1. A point of a simplex is an affine combination of its corners, so A_1 is
//     computed on corners and mixed, never on the points. On corners, not on
//     vertices: the gradient of the weights then needs no scatter, which costs
//     more than the products do.
//  2. The last map A_L meets the blade D and the mean h̄ of the last hidden layer
//     once per simplex, Σ_{I,h} D_I W_{h,Ij} h̄_h.
//
// In here simplices are columns: layers are narrow and simplices many, so that
// the lanes of a processor run along simplices.
func (m network) steps() steps {
	return steps{
		panels: 16, first: m.firstMap, between: m.hiddenMaps, slopes: m.slopes,
		last: func(mean *Node, corners, _ []*Node, volume float64) *Node {
			return Transpose(m.lastMap(mean, m.blade(corners), volume), 0, 1)
		},
	}
}

// firstMap returns A_1 at corners, [width, B]. Without hidden layers that is the
// coordinates.
func (m network) firstMap(corner *Node) *Node {
	if m.hidden() == 0 {
		return Transpose(corner, 0, 1)
	}
	first := product(m.layers[0].W, 0, corner, 1)
	if bias := m.layers[0].B; bias != nil {
		first = Add(first, across(bias, corner.Shape().Dimensions[0]))
	}
	return first
}

// hiddenMaps returns the last hidden layer from the first map at points,
// [width, points, B]. Points and simplices are axes of their own but in products:
// where both were one axis, the loops that XLA makes of mixing, bias and
// activation divided for every element.
func (m network) hiddenMaps(h *Node) *Node {
	for i, layer := range m.layers[:m.hidden()] {
		if i > 0 {
			h = atPoints(layer, h)
		}
		h = m.activation(h)
	}
	return h
}

// slopes is that of [steps]. All directions share the slopes of the activations.
// With one hidden layer these alone depend on the point: directions multiply their
// sum.
func (m network) slopes(along []*Node, sum func(at func(points *Node) []*Node) []*Node) []*Node {
	if m.hidden() == 1 {
		return slopesOf(m.activation, func(x *Node) *Node { return x })(along, sum)
	}
	return sum(func(h *Node) []*Node {
		dh := each(along, func(x *Node) *Node { return ExpandAxes(x, 1) })
		for i, layer := range m.layers[:m.hidden()] {
			if i > 0 {
				h = atPoints(layer, h)
				dh = each(dh, func(x *Node) *Node { return atPoints(Affine{W: layer.W}, x) })
			}
			slope := elementSlope(m.activation, h)
			dh, h = each(dh, func(x *Node) *Node { return Mul(slope, x) }), m.activation(h)
		}
		return dh
	})
}

// atPoints returns an affine map of x [in, points, B].
func atPoints(a Affine, x *Node) *Node {
	dims := x.Shape().Dimensions
	count := dims[1] * dims[2]
	x = product(a.W, 0, Reshape(x, -1, count), 0)
	if a.B != nil {
		x = Add(x, across(a.B, count))
	}
	return Reshape(x, -1, dims[1], dims[2])
}

// plan chooses between orders of the last map that differ in speed alone. The
// wider of blade and mean goes through the matrix first. The bias costs less in a
// product of its own with the blade where the outputs are many: an epoch of cochain
// networks, with 64, took a sixth less time.
func (m network) plan(width int) (bladeFirst, biasApart bool) {
	return m.elements() > width, m.elements()*m.count >= 32
}

// lastMap returns Σ_{I,h} D_I W_{h,Ij} h̄_h, [ℓ, B], for the means h̄, [H, B], of the
// last hidden layer and a blade D, [C(n,k), B], or nil for 1; the bias has the weight
// volume.
func (m network) lastMap(mean, blade *Node, volume float64) *Node {
	last := m.layers[m.hidden()]
	if volume == 0 {
		last.B = nil
	}
	width, count := mean.Shape().Dimensions[0], mean.Shape().Dimensions[1]
	bladeFirst, biasApart := m.plan(width)
	if blade != nil && bladeFirst {
		weights := Reshape(last.W, width, m.elements(), m.count)
		mean = kept(mean)
		if last.B != nil {
			// The bias is one more hidden unit, whose mean is the volume.
			weights = Concatenate([]*Node{weights, Reshape(last.B, 1, m.elements(), m.count)}, 0)
			row := Ones(mean.Graph(), shapes.Make(mean.DType(), 1, count))
			mean = Concatenate([]*Node{mean, MulScalar(row, volume)}, 0)
		}
		return ReduceSum(Mul(product(weights, 1, blade, 0), ExpandAxes(mean, 1)), 0)
	}
	means := product(last.W, 0, mean, 0)
	if last.B != nil && (blade == nil || !biasApart) {
		means = Add(means, MulScalar(across(last.B, count), volume))
	}
	if blade == nil {
		return means
	}
	blade = kept(blade)
	sum := ReduceSum(Mul(ExpandAxes(blade, 1), Reshape(means, m.elements(), m.count, count)), 0)
	if last.B != nil && biasApart {
		sum = Add(sum, MulScalar(product(Reshape(last.B, m.elements(), m.count), 0, blade, 0), volume))
	}
	return sum
}

// blade returns the minors det(D^I) of the edge vectors, [C(n,k), B]; nil for
// points, the number one.
func (m network) blade(corners []*Node) *Node {
	if len(corners) == 1 {
		return nil
	}
	// Of one point of the blade, with simplices on its last axis.
	columns := each(edges(corners), func(edge *Node) *Node {
		return ExpandAxes(Transpose(edge, 0, 1), 0)
	})
	return Squeeze(blade(columns...), 0)
}

// product returns the sum of products over axis i of a and axis j of b.
func product(a *Node, i int, b *Node, j int) *Node {
	return DotGeneral(a, []int{i}, nil, b, []int{j}, nil)
}

// kept returns x [rows, B]. On a CPU it is a product with the identity, which XLA keeps in memory together
// with its gradient. What is no product it computes again in each loop that reads it, and there for each
// element: the mean of ten points forty-five times, its gradient for each point.
func kept(x *Node) *Node {
	if !onCPU(x) {
		return x
	}
	identity := make([][]float64, x.Shape().Dimensions[0])
	for i := range identity {
		identity[i] = make([]float64, len(identity))
		identity[i][i] = 1
	}
	return product(ConstAsDType(x.Graph(), x.DType(), identity), 0, x, 0)
}

// across returns the vector [out] as that many equal columns, [out, count].
// It is a product with ones, and so is its gradient: of a broadcast that is a
// sum over columns, which XLA's CPU computes more slowly.
func across(vector *Node, count int) *Node {
	return product(ExpandAxes(vector, 0), 0, Ones(vector.Graph(), shapes.Make(vector.DType(), 1, count)), 0)
}
