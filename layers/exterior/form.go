package exterior

import (
	"slices"

	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/support/exceptions"

	"github.com/neuralkforms/nkf/layers/quadrature"
)

// Form is a bundle of differential forms of one degree: their coefficient
// functions, and how they are integrated. It belongs to no graph; its functions
// build on the graph of their points. Make one from a formula, see [Formula],
// from a network, see [Neural], or as a literal.
type Form struct {
	// Dim is n, the dimension of the space, and Degree is k. A form of degree
	// k > n is zero and has no components: k ≤ n here.
	Dim, Degree int
	// Count is ℓ, the number of forms in the bundle.
	Count int
	// Coefficients maps points [P, n] to the values f_{I,j} of the
	// coefficients there, [P, C(n,k), ℓ]. It has to treat points one by one:
	// a row of the result may depend on that row of the points only.
	Coefficients func(points *Node) *Node
	// Rule integrates over simplices; nil is quadrature.Cubature(5).
	Rule quadrature.Rule
	// Integral returns the integrals over S simplices, [S, ℓ], from their k+1
	// corners, [S, n] each, and the points of the rule. It serves forms whose
	// integral is cheaper or more accurate than its quadrature, and treats simplices
	// one by one. If nil, Coefficients is evaluated at all points of the rule.
	Integral func(corners []*Node, nodes *quadrature.Nodes) *Node

	// own returns the steps of the integral on the graph of x, or is nil where
	// only the coefficients are known. With onVertices the first step is computed
	// on vertices, not on the corners of simplices.
	own        func(x *Node) steps
	onVertices bool
}

// At returns the coefficients at points [P, n], as [P, C(n,k), ℓ] with
// multi-indices in lexicographic order: for k = 1 the vector fields to draw.
func (f Form) At(points *Node) *Node {
	if f.Coefficients == nil {
		exceptions.Panicf("exterior.Form: a bundle of %d-forms in dimension %d without coefficients: want a "+
			"function as Coefficients, or a form made by Formula or Neural", f.Degree, f.Dim)
	}
	f.checkPoints("points", points)
	c := f.Coefficients(points)
	want := []int{points.Shape().Dimensions[0], Components(f.Dim, f.Degree), f.Count}
	if !slices.Equal(c.Shape().Dimensions, want) {
		exceptions.Panicf(
			"exterior.Form: coefficients of a bundle of %d %d-forms in dimension %d have shape %s, want %v",
			f.Count, f.Degree, f.Dim, c.Shape(), want)
	}
	return c
}

// checkPoints panics unless x holds coordinates in the space of the forms.
func (f Form) checkPoints(what string, x *Node) {
	if x.Rank() != 2 || x.Shape().Dimensions[1] != f.Dim || !x.DType().IsFloat() {
		exceptions.Panicf("exterior.Form: %s of shape %s are not [%s, n = %d] of floats",
			what, x.Shape(), what, f.Dim)
	}
}

// derived returns a bundle with the rule of f, given by its coefficients.
func (f Form) derived(dim, degree, count int, coefficients func(points *Node) *Node) Form {
	return Form{Dim: dim, Degree: degree, Count: count, Rule: f.Rule, Coefficients: coefficients}
}

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

// Decomposable returns count k-forms on Rⁿ, each a function times a product of
// differentials,
//
//	ω_j = a(f_j) du_{1,j} ∧ … ∧ du_{k,j},
//
// where u and f are affine functions. The function affine returns their values at
// points [..., n] as [..., (k+1)·count]: count columns u_{1,1}, …, u_{1,count}, as many
// of u_2 and so on, and those of f last. The function a is computed element by
// element; nil is the identity. The forms are pull-backs of a(y_0) dy_1 ∧ … ∧ dy_k by
// affine maps: u and f are computed once per vertex, and the wedge is a determinant
// of their differences, whatever the dimension.
//
// Where affine treats leading axes differently, the forms can be integrated
// along paths, see [IntegratePaths], but have no coefficients.
func Decomposable(n, k, count int, affine, a func(x *Node) *Node) Form {
	if k < 0 || k > n || count < 1 || affine == nil {
		exceptions.Panicf("exterior.Decomposable: %d %d-forms in dimension %d: want one or more, 0 ≤ k ≤ n, "+
			"and affine functions", count, k, n)
	}
	functions := affine
	affine = func(x *Node) *Node {
		y, want := functions(x), x.Shape().Clone()
		want.Dimensions[want.Rank()-1] = (k + 1) * count
		if !y.Shape().Equal(want) {
			exceptions.Panicf("exterior.Decomposable: affine functions of shape %s at points of shape %s: "+
				"want %d of each form, %s", y.Shape(), x.Shape(), k+1, want)
		}
		return y
	}
	if a == nil {
		a = func(x *Node) *Node { return x }
	}
	a = elementwise("exterior.Decomposable", a)
	part := func(x *Node, from, to int) *Node { return SliceAxis(x, -1, AxisRange(from*count, to*count)) }
	form := Form{Dim: n, Degree: k, Count: count, onVertices: true}
	form.Coefficients = func(points *Node) *Node {
		value := ExpandAxes(a(part(affine(points), k, k+1)), 1)
		if k == 0 {
			return value
		}
		// The slopes of u along the axes, [n, k·count], are the same everywhere.
		slopes := partials(affine, ZerosLike(SliceAxis(points, 0, AxisElem(0))), axes(points))
		slopes = TransposeAllAxes(Reshape(part(slopes, 0, k), 1, n, k, count), 2, 0, 1, 3)
		covectors := make([]*Node, k)
		for i := range covectors {
			covectors[i] = Squeeze(SliceAxis(slopes, 0, AxisElem(i)), 0)
		}
		return Mul(value, blade(covectors...))
	}
	form.own = func(*Node) steps {
		return steps{
			panels: 16, first: affine,
			between: func(points *Node) *Node { return a(part(points, k, k+1)) },
			slopes:  slopesOf(a, func(x *Node) *Node { return part(x, k, k+1) }),
			last: func(mean *Node, _, first []*Node, _ float64) *Node {
				switch du := edges(first); k {
				case 0:
					return mean
				case 1:
					return Mul(mean, part(du[0], 0, 1))
				default:
					// Points of the blade are simplices, and forms are its last axis.
					for i, e := range du {
						du[i] = Reshape(part(e, 0, k), -1, k, count)
					}
					return Mul(mean, Reshape(blade(du...), mean.Shape().Dimensions...))
				}
			},
		}
	}
	return form
}
