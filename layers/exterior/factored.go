package exterior

import (
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/support/exceptions"

	"github.com/neuralkforms/nkf/layers/quadrature"
)

// Integrate returns the integration matrix [S, ℓ], ∫_σ ω_j, like [Integrate]
// of the network's Form and equal to it up to rounding, for a fraction of the
// work: the affine maps of the network commute with the integral.
//
//  1. A point of the simplex is an affine combination of its corners, so A_1
//     is computed on vertices or corners and mixed, never on the points.
//  2. The last map A_L is applied once per simplex, to the weighted sum of
//     the last hidden layer over the points.
//  3. For k = 1 the blade is a difference of vertices, so its product with
//     the weights of A_L can be computed once per vertex as well.
//
// The shapes are those of [Integrate].
func (m MLP) Integrate(vertices, simplices *Node, rule quadrature.Rule) *Node {
	m.check()
	checkSimplices("MLP.Integrate", simplices, m.Degree)
	if vertices.Rank() != 2 || vertices.Shape().Dimensions[1] != m.Dim {
		exceptions.Panicf("exterior.MLP: vertices of shape %s are not [vertices, n = %d]",
			vertices.Shape(), m.Dim)
	}
	nodes := nodesOn(rule, m.Degree)
	if m.tangentOnVertices() {
		return m.integrateEdges(vertices, simplices, nodes)
	}
	var first []*Node
	if m.hidden() == 0 {
		first = Corners(vertices, simplices)
	} else {
		first = m.Layers[0].atCorners(vertices, simplices)
	}
	last := m.Layers[m.hidden()]
	mean := Dot(m.hiddenMean(first, nodes), last.W).Product()
	if last.B != nil {
		mean = Add(mean, ExpandLeftToRank(MulScalar(last.B, volume(nodes)), 2))
	}
	mean = Reshape(mean, simplices.Shape().Dimensions[0], m.elements(), m.Count)
	return contract(m.blade(vertices, simplices), mean)
}

// hidden returns the number of hidden layers.
func (m MLP) hidden() int { return len(m.Layers) - 1 }

// hiddenMean returns Σ_q w_q h_q, [S, width], where h_q is the last hidden
// layer at point q, from the values of the first affine map at the corners.
// Without hidden layers the corners are those of the simplex, and so is the
// mean.
func (m MLP) hiddenMean(corners []*Node, nodes *quadrature.Nodes) *Node {
	h := mix(corners, nodes)
	count := h.Shape().Dimensions[1]
	for i := range m.hidden() {
		if i > 0 {
			// One matrix product over all points of all simplices.
			h = m.Layers[i].Apply(Reshape(h, nodes.Len()*count, -1))
		}
		h = m.Activation(h)
	}
	return weightedSum(Reshape(h, nodes.Len(), count, -1), nodes.Weights)
}

// blade returns the values of the frame elements on the wedge of the edge
// vectors, [S, R]: the minors det(D^I) for the standard frame, the
// determinants of ⟨a_{r,i}, v_j - v_0⟩ for a learned one.
func (m MLP) blade(vertices, simplices *Node) *Node {
	if m.Frame == nil {
		return edgeBlade(Corners(vertices, simplices))
	}
	corners := Affine{W: m.Frame}.atCorners(vertices, simplices)
	count := simplices.Shape().Dimensions[0]
	for a, corner := range corners {
		corners[a] = Reshape(corner, count*m.elements(), m.Degree)
	}
	return Reshape(edgeBlade(corners), count, m.elements())
}

// atCorners returns x·W + B at the corners of the simplices, [S, out] for
// each of the k+1. Gathering costs more than multiplying, and so does the
// scatter of its gradient: the narrower of input and output is gathered.
func (a Affine) atCorners(vertices, simplices *Node) []*Node {
	if a.W.Shape().Dimensions[1] <= a.W.Shape().Dimensions[0] {
		return Corners(a.Apply(vertices), simplices)
	}
	corners := Corners(vertices, simplices)
	for i, corner := range corners {
		corners[i] = a.Apply(corner)
	}
	return corners
}

// tangentOnVertices reports whether integrateEdges is the way to go. It
// exists for 1-forms alone, where the blade is a difference of vertices and
// not a product, and it gathers the (H+1)·ℓ columns of the tangent product
// instead of the n columns of the vertices.
func (m MLP) tangentOnVertices() bool {
	if m.Degree != 1 || m.Frame != nil || m.hidden() == 0 {
		return false
	}
	width := m.Layers[m.hidden()].W.Shape().Dimensions[0]
	return (width+1)*m.Count <= m.Dim
}

// integrateEdges is Integrate for 1-forms with the products on the vertices,
//
//	∫ω_j = Σ_h h̄_h · ((v_1·W)_{hj} - (v_0·W)_{hj}),   (v·W)_{hj} = Σ_i v_i W_{h,ij}:
//
// one matrix product of the vertices with all columns, one gather a corner.
func (m MLP) integrateEdges(vertices, simplices *Node, nodes *quadrature.Nodes) *Node {
	first, last := m.Layers[0], m.Layers[m.hidden()]
	width, last0 := first.W.Shape().Dimensions[1], last.W.Shape().Dimensions[0]
	// W[h, i·ℓ+j] as columns h·ℓ+j of a matrix with a row per coordinate i.
	tangent := Reshape(last.W, last0, m.Dim, m.Count)
	tangent = Reshape(Transpose(tangent, 0, 1), m.Dim, last0*m.Count)
	columns := []*Node{first.W, tangent}
	if last.B != nil {
		columns = append(columns, Reshape(last.B, m.Dim, m.Count))
	}
	products := Dot(vertices, Concatenate(columns, 1)).Product()
	corners := Corners(products, simplices)
	values := make([]*Node, len(corners))
	for a, corner := range corners {
		values[a] = first.add(SliceAxis(corner, 1, AxisRangeFromStart(width)))
	}
	mean := m.hiddenMean(values, nodes)
	if last.B != nil {
		// The bias is one more hidden unit, whose mean is the volume.
		one := AddScalar(ZerosLike(SliceAxis(mean, 1, AxisElem(0))), volume(nodes))
		mean = Concatenate([]*Node{mean, one}, 1)
	}
	difference := SliceAxis(Sub(corners[1], corners[0]), 1, AxisRangeToEnd(width))
	difference = Reshape(difference, mean.Shape().Dimensions[0], mean.Shape().Dimensions[1], m.Count)
	return ReduceSum(Mul(ExpandAxes(mean, -1), difference), 1)
}

// volume returns Σ_q w_q = 1/k!.
func volume(nodes *quadrature.Nodes) float64 {
	sum := 0.0
	for _, w := range nodes.Weights {
		sum += w
	}
	return sum
}
