package exterior

import (
	"slices"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/support/exceptions"

	"github.com/neuralkforms/nkf/layers/internal/indices"
	"github.com/neuralkforms/nkf/layers/quadrature"
)

// Integrate returns the integrals of the forms over simplices, the
// integration matrix [S, ℓ] with entries ∫_σ ω_j (paper, section 4.2): by the
// form's own Integral where it has one, otherwise from its coefficients at the
// points of its rule.
//
// vertices is [V, n]; simplices is [S, k+1], integers, the vertices of each
// simplex in the order that orients it, and S > 0: an empty complex is padded.
// For k = 0 the integral is the value at the vertex. A number that is no
// vertex counts as the nearest that is, unless NKF_CHECK_INDICES
// is set.
func Integrate(form Form, vertices, simplices *Node) *Node {
	checkSimplices("Integrate", simplices, form.Degree)
	form.checkPoints("vertices", vertices)
	return form.over(corners("Integrate", vertices, simplices))
}

// IntegrateCorners is [Integrate] for simplices given by the coordinates of
// their corners, [S, k+1, n], without shared vertices.
func IntegrateCorners(form Form, corners *Node) *Node {
	dims := corners.Shape().Dimensions
	if len(dims) != 3 || dims[0] == 0 || dims[1] != form.Degree+1 || dims[2] != form.Dim ||
		!corners.DType().IsFloat() {
		exceptions.Panicf("exterior.IntegrateCorners: corners of shape %s are not "+
			"[simplices > 0, k+1 = %d, n = %d] of floats", corners.Shape(), form.Degree+1, form.Dim)
	}
	columns := make([]*Node, form.Degree+1)
	for a := range columns {
		columns[a] = Squeeze(SliceAxis(corners, 1, AxisElem(a)), 1)
	}
	return form.over(columns)
}

// over returns the integrals over the simplices with these corners, [S, ℓ].
func (f Form) over(corners []*Node) *Node {
	rule := f.Rule
	if rule == nil {
		rule = quadrature.Gauss(3)
	}
	nodes, err := rule.Nodes(f.Degree)
	if err != nil {
		panic(err)
	}
	x := f.integral(corners, nodes)
	if want := []int{corners[0].Shape().Dimensions[0], f.Count}; !slices.Equal(x.Shape().Dimensions, want) {
		exceptions.Panicf("exterior.Integrate: the Integral of a bundle of %d %d-forms has shape %s, want %v",
			f.Count, f.Degree, x.Shape(), want)
	}
	return x
}

// integral is Integral, or the quadrature of the coefficients.
func (f Form) integral(corners []*Node, nodes *quadrature.Nodes) *Node {
	if f.Integral != nil {
		return f.Integral(corners, nodes)
	}
	count := corners[0].Shape().Dimensions[0]
	points := Reshape(mix(corners, nodes), nodes.Len()*count, f.Dim)
	coefficients := Reshape(f.At(points), nodes.Len(), count, -1, f.Count)
	return contract(edgeBlade(corners), weightedSum(coefficients, nodes.Weights))
}

// Corners returns the vertices of the simplices, corner by corner: k+1 nodes
// [S, n] for vertices [V, n] and simplices [S, k+1]. Numbers that are no
// vertices are taken as by [Integrate].
func Corners(vertices, simplices *Node) []*Node { return corners("Corners", vertices, simplices) }

// corners is Corners for a function of that name.
func corners(function string, vertices, simplices *Node) []*Node {
	count := vertices.Shape().Dimensions[0]
	check := indices.New("exterior."+function, "simplices", "vertices", simplices, count)
	vertices, simplices = check.Guard(vertices), check.Index(simplices)
	corners := make([]*Node, simplices.Shape().Dimensions[1])
	for a := range corners {
		corners[a] = Gather(vertices, SliceAxis(simplices, 1, AxisElem(a)))
	}
	return corners
}

// edgeBlade returns the wedge of the edge vectors from corner 0, [S, C(n,k)].
// For a single corner it is nil: the empty product, the number one.
func edgeBlade(corners []*Node) *Node {
	if len(corners) == 1 {
		return nil
	}
	edges := make([]*Node, len(corners)-1)
	for i := range edges {
		edges[i] = Sub(corners[i+1], corners[0])
	}
	return blade(edges...)
}

// contract returns Σ_I blade_I · mean_{I,j}, [S, ℓ], for blade [S, C] and
// mean [S, C, ℓ]. A nil blade is the number one.
func contract(blade, mean *Node) *Node {
	if blade == nil {
		return Squeeze(mean, 1)
	}
	return ReduceSum(Mul(ExpandAxes(blade, -1), mean), 1)
}

// mix returns the affine combinations of the corners that make the points of
// the rule, [Q, S, width] for corners [S, width].
func mix(corners []*Node, nodes *quadrature.Nodes) *Node {
	var points *Node
	for a, corner := range corners {
		lambda := make([]float64, nodes.Len())
		for q := range lambda {
			lambda[q] = nodes.Point(q)[a]
		}
		weight := Reshape(ConstAsDType(corner.Graph(), corner.DType(), lambda), -1, 1, 1)
		term := Mul(weight, ExpandAxes(corner, 0))
		if points == nil {
			points = term
		} else {
			points = Add(points, term)
		}
	}
	return points
}

// weightedSum returns Σ_q w_q · x[q] over the first axis.
func weightedSum(x *Node, weights []float64) *Node {
	w := ConstAsDType(x.Graph(), x.DType(), weights)
	for w.Rank() < x.Rank() {
		w = ExpandAxes(w, -1)
	}
	return ReduceSum(Mul(x, w), 0)
}

// checkSimplices panics unless simplices is [S, k+1] of integers, S > 0.
func checkSimplices(function string, simplices *Node, k int) {
	switch shape := simplices.Shape(); {
	case shape.Rank() != 2:
		exceptions.Panicf("exterior.%s: simplices have the shape %s, not [simplices, k+1 = %d]",
			function, shape, k+1)
	case !shape.DType.IsInt():
		exceptions.Panicf("exterior.%s: simplices %s are not integers, the numbers of their vertices",
			function, shape)
	case shape.Dimensions[1] != k+1:
		exceptions.Panicf("exterior.%s: the simplices %s have %d corners each, and a %d-form takes %d",
			function, shape, shape.Dimensions[1], k, k+1)
	}
	// GoMLX broadcasts an axis of length 0 to 1.
	if simplices.Shape().Dimensions[0] == 0 {
		exceptions.Panicf("exterior.%s: no simplices: pad the complex with one whose corners coincide",
			function)
	}
}
