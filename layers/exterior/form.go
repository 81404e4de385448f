package exterior

import (
	"slices"

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
	// Rule integrates over simplices; nil is quadrature.Gauss(3).
	Rule quadrature.Rule
	// Integral returns the integrals over S simplices, [S, ℓ], from their k+1
	// corners, [S, n] each, and the points of the rule. It serves forms whose
	// integral is cheaper or more accurate than its quadrature. If nil,
	// Coefficients is evaluated at all points of the rule.
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
