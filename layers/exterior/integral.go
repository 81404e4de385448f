package exterior

import (
	"slices"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/support/exceptions"
	"gonum.org/v1/gonum/floats"

	"github.com/neuralkforms/nkf/layers/quadrature"
)

// Integrate returns the integrals of the forms over simplices, the
// integration matrix [S, ℓ] with entries ∫_σ ω_j (paper, section 3): by the
// form's own Integral where it has one, otherwise from its coefficients at the
// points of its rule.
//
// vertices is [V, n]; simplices is [S, k+1], integers, the vertices of each simplex in the order that orients
// it, and S > 0: an empty complex is padded. For k = 0 the integral is the value at the vertex. A constant
// index out of range panics; others are not checked: XLA clamps them to the nearest vertex, and the Go
// backend fails.
//
// On XLA's CPU, 65,536 simplices or more are integrated in blocks, so that memory holds their corners and
// integrals only. Second derivatives are computed in one piece.
func Integrate(form Form, vertices, simplices *Node) *Node {
	checkSimplices("Integrate", simplices, form.Degree)
	form.checkPoints("vertices", vertices)
	checkIndices("Integrate", "vertices", simplices, vertices.Shape().Dimensions[0])
	x, integral := form.onCorners(vertices)
	return inBlocks(table{x, simplices}, integral)
}

// IntegrateCorners is [Integrate] for simplices given by the coordinates of
// their corners, [S, k+1, n], without shared vertices.
func IntegrateCorners(form Form, corners *Node) *Node {
	form.checkCorners("IntegrateCorners", corners)
	nodes := form.nodes()
	return inBlocks(table{values: corners}, func(corners []*Node) *Node {
		return form.integral(corners, nodes)
	})
}

// SumOver returns Σ_σ Σ_j w_σj f(∫_σ ω)_j, a scalar, for simplices as in [Integrate], a function f from
// integrals [S, ℓ] to [S, m], row by row, and weights [S, m], or nil for ones. f may use other nodes, but
// none with a row for each simplex.
//
// On XLA's CPU, for 4,096 simplices or more, its gradients take less time than those of a sum of
// [Integrate]; for 32,768 or more, one loop computes both, where with [Integrate] all integrals are computed
// first, and then again.
func SumOver(form Form, vertices, simplices, weights *Node, f func(integrals *Node) *Node) *Node {
	checkSimplices("SumOver", simplices, form.Degree)
	form.checkPoints("vertices", vertices)
	checkIndices("SumOver", "vertices", simplices, vertices.Shape().Dimensions[0])
	x, integral := form.onCorners(vertices)
	return sumInBlocks(table{x, simplices}, weights, terms(integral, weights, simplices, f))
}

// SumOverCorners is [SumOver] for simplices given by the coordinates of their corners, as in
// [IntegrateCorners].
func SumOverCorners(form Form, corners, weights *Node, f func(integrals *Node) *Node) *Node {
	form.checkCorners("SumOverCorners", corners)
	nodes := form.nodes()
	integral := func(corners []*Node) *Node { return form.integral(corners, nodes) }
	return sumInBlocks(table{values: corners}, weights, terms(integral, weights, corners, f))
}

// terms returns f of integrals over simplices, which have rows.
func terms(integral func(corners []*Node) *Node, weights, rows *Node, f func(integrals *Node) *Node) func(
	corners []*Node) *Node {
	return func(corners []*Node) *Node {
		integrals := integral(corners)
		x := f(integrals)
		if x.Rank() == 0 || x.Shape().Dimensions[0] != integrals.Shape().Dimensions[0] {
			exceptions.Panicf("exterior.SumOver: f of integrals %s is %s: want a row for each",
				integrals.Shape(), x.Shape())
		}
		want := slices.Clone(x.Shape().Dimensions)
		want[0] = rows.Shape().Dimensions[0]
		if weights != nil && !slices.Equal(weights.Shape().Dimensions, want) {
			exceptions.Panicf("exterior.SumOver: weights %s of f %s for %d simplices: want %v",
				weights.Shape(), x.Shape(), want[0], want)
		}
		return x
	}
}

// IntegratePaths returns the integrals of 1-forms over the edges of polylines,
// from point to point: [..., T-1, ℓ] for paths [..., T, n] of T > 1 points. Their
// sums from the first edge on are the running integrals along the paths.
func IntegratePaths(form Form, paths *Node) *Node {
	dims := paths.Shape().Dimensions
	if form.Degree != 1 || len(dims) < 2 || dims[len(dims)-1] != form.Dim || dims[len(dims)-2] < 2 ||
		paths.Shape().Size() == 0 || !paths.DType().IsFloat() {
		exceptions.Panicf("exterior.IntegratePaths: %d-forms in dimension %d along paths of shape %s: want "+
			"1-forms and floats [..., points > 1, n]", form.Degree, form.Dim, paths.Shape())
	}
	points := dims[len(dims)-2]
	out := slices.Clone(dims)
	out[len(dims)-2], out[len(dims)-1] = points-1, form.Count
	x, integral := form.onCorners(paths)
	if many := paths.Shape().Size() / form.Dim / points * (points - 1); cutsRows(x, many, blocksFrom) {
		x = Reshape(x, -1, x.Shape().Dimensions[x.Rank()-1])
		edges := edgesOfPaths(x.Graph(), many/(points-1), points)
		all := inBlocks(table{x, edges}, integral)
		return Reshape(all, out...)
	}
	ends := []*Node{SliceAxis(x, -2, AxisRangeFromStart(-1)), SliceAxis(x, -2, AxisRangeToEnd(1))}
	if !form.onVertices {
		for a, end := range ends {
			ends[a] = Reshape(end, -1, form.Dim)
		}
	}
	return Reshape(integral(ends), out...)
}

// edgesOfPaths returns the numbers of the ends of the edges of paths with so many points, path after path.
func edgesOfPaths(g *Graph, paths, points int) *Node {
	shape := shapes.Make(dtypes.Int32, paths, points-1, 2)
	path := Mul(Iota(g, shape, 0), Const(g, int32(points)))
	return Reshape(Add(path, Add(Iota(g, shape, 1), Iota(g, shape, 2))), -1, 2)
}

// onCorners returns what is computed on vertices, and the integrals from that at the corners.
func (f Form) onCorners(vertices *Node) (x *Node, integral func(corners []*Node) *Node) {
	nodes := f.nodes()
	if f.onVertices && f.Integral == nil {
		s := f.steps(vertices)
		return s.first(vertices), func(first []*Node) *Node {
			return s.last(s.mean(first, nodes), nil, first, volume(nodes))
		}
	}
	return vertices, func(corners []*Node) *Node { return f.integral(corners, nodes) }
}

// columns returns the corners of simplices [S, k+1, n], [S, n] each.
func columns(corners *Node) []*Node {
	out := make([]*Node, corners.Shape().Dimensions[1])
	for a := range out {
		out[a] = Squeeze(SliceAxis(corners, 1, AxisElem(a)), 1)
	}
	return out
}

// columnsBySums is columns, slower, whose gradient has a gradient in GoMLX: that of slices has none.
func columnsBySums(corners *Node) []*Node {
	out := make([]*Node, corners.Shape().Dimensions[1])
	for a := range out {
		one := make([]float64, len(out))
		one[a] = 1
		out[a] = ReduceSum(Mul(corners, onAxis1(corners, one)), 1)
	}
	return out
}

// checkCorners panics unless corners are those of one or more simplices.
func (f Form) checkCorners(function string, corners *Node) {
	dims := corners.Shape().Dimensions
	if len(dims) != 3 || dims[0] == 0 || dims[1] != f.Degree+1 || dims[2] != f.Dim ||
		!corners.DType().IsFloat() {
		exceptions.Panicf("exterior.%s: corners of shape %s are not [simplices > 0, k+1 = %d, n = %d] of "+
			"floats", function, corners.Shape(), f.Degree+1, f.Dim)
	}
}

// nodes returns the points of the rule on the simplices of the degree.
func (f Form) nodes() *quadrature.Nodes {
	rule := f.Rule
	if rule == nil {
		rule = quadrature.Cubature(5)
	}
	nodes, err := rule.Nodes(f.Degree)
	if err != nil {
		panic(err)
	}
	return nodes
}

// integral returns the integrals over the simplices with these corners, [S, n]
// each: [S, ℓ].
func (f Form) integral(corners []*Node, nodes *quadrature.Nodes) *Node {
	if f.Integral != nil {
		x := f.Integral(corners, nodes)
		want := []int{corners[0].Shape().Dimensions[0], f.Count}
		if !slices.Equal(x.Shape().Dimensions, want) {
			exceptions.Panicf("exterior.Integrate: the Integral of a bundle of %d %d-forms has shape %s, "+
				"want %v", f.Count, f.Degree, x.Shape(), want)
		}
		return x
	}
	s := f.steps(corners[0])
	first := each(corners, s.first)
	return s.last(s.mean(first, nodes), corners, first, volume(nodes))
}

// differential returns the integrals of dω over the simplices with these
// corners, where e_0, …, e_k are the edges from corner 0, by
//
//	dω(e_0, …, e_k) = Σ_a (-1)^a · ∂_{e_a} ω(e_0, …, ê_a, …, e_k)
//
// which holds for vectors that do not depend on the point: k+1 derivatives of
// C(n,k) coefficients instead of n, whatever the dimension.
func (f Form) differential(corners []*Node, nodes *quadrature.Nodes) *Node {
	s := f.steps(corners[0])
	first := each(corners, s.first)
	var total *Node
	for a, mean := range s.meanSlopes(first, nodes, edges(first)) {
		without := func(x []*Node) []*Node { return slices.Delete(slices.Clone(x), a+1, a+2) }
		term := s.last(mean, without(corners), without(first), 0)
		switch {
		case total == nil:
			total = term
		case a%2 == 1:
			total = Sub(total, term)
		default:
			total = Add(total, term)
		}
	}
	return total
}

// onAxis1 returns numbers on axis 1, of the type and the rank of x.
func onAxis1(x *Node, numbers []float64) *Node {
	dims := slices.Repeat([]int{1}, x.Rank())
	dims[1] = len(numbers)
	return Reshape(ConstAsDType(x.Graph(), x.DType(), numbers), dims...)
}

// each returns f of every node.
func each(x []*Node, f func(*Node) *Node) []*Node {
	out := make([]*Node, len(x))
	for i, x := range x {
		out[i] = f(x)
	}
	return out
}

// edges returns the edge vectors from corner 0.
func edges(corners []*Node) []*Node {
	return each(corners[1:], func(corner *Node) *Node { return Sub(corner, corners[0]) })
}

// volume returns Σ_q w_q = 1/k!.
func volume(nodes *quadrature.Nodes) float64 { return floats.Sum(nodes.Weights) }

// CornerPoints returns the vertices of the simplices, corner by corner: k+1 nodes [S, n] for vertices [V, n]
// and simplices [S, k+1]. Indices out of range are treated as in [Integrate].
func CornerPoints(vertices, simplices *Node) []*Node {
	if vertices.Rank() < 1 || simplices.Rank() != 2 || !simplices.DType().IsInt() {
		exceptions.Panicf("exterior.CornerPoints: vertices of shape %s, simplices %s: want [V, n] and "+
			"integers [S, k+1]", vertices.Shape(), simplices.Shape())
	}
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
	return blade(edges(corners)...)
}

// contract returns Σ_I blade_I · mean_{I,j}, [S, ℓ], for blade [S, C] and
// mean [S, C, ℓ]. A nil blade is the number one.
func contract(blade, mean *Node) *Node {
	if blade == nil {
		return Squeeze(mean, 1)
	}
	return ReduceSum(Mul(ExpandAxes(blade, -1), mean), 1)
}

// checkSimplices panics unless simplices is [S, k+1] of integers, S > 0: GoMLX broadcasts an axis of length 0
// to 1.
func checkSimplices(function string, simplices *Node, k int) {
	shape := simplices.Shape()
	if shape.Rank() != 2 || !shape.DType.IsInt() || shape.Dimensions[0] == 0 || shape.Dimensions[1] != k+1 {
		exceptions.Panicf("exterior.%s: simplices %s: want integers [simplices, k+1 = %d], one or more: pad "+
			"an empty complex with a simplex whose corners coincide", function, shape, k+1)
	}
}
