package exterior

import (
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/support/exceptions"
)

// Form is a bundle of differential forms of one degree, given by their
// coefficient functions.
type Form struct {
	// Dim is n, the dimension of the space, and Degree is k. A form of degree
	// k > n is zero; there are none of these here.
	Dim, Degree int
	// Count is ℓ, the number of forms in the bundle.
	Count int
	// Coefficients maps points [P, n] to the values f_{I,j} of the
	// coefficients there, [P, C(n,k), ℓ]. It has to treat points one by one:
	// a row of the result may depend on that row of the points only.
	Coefficients func(points *Node) *Node

	// primitive is the form whose exterior derivative this is, or nil:
	// Integrate takes its derivatives along the edges only.
	primitive *Form
	// network is where the coefficients come from, if it is one: what is
	// affine in it may wait until an integral is taken.
	network *MLP
}

// At returns the coefficients at points [P, n], as [P, C(n,k), ℓ].
func (f Form) At(points *Node) *Node {
	if f.Coefficients == nil {
		exceptions.Panicf("exterior.Form: a bundle of %d-forms in dimension %d without coefficients: want a "+
			"function as Coefficients, or a form made by Formula or MLP.Form", f.Degree, f.Dim)
	}
	if points.Rank() != 2 || points.Shape().Dimensions[1] != f.Dim {
		exceptions.Panicf("exterior.Form: points of shape %s are not [points, n = %d]", points.Shape(), f.Dim)
	}
	c := f.Coefficients(points)
	want := []int{points.Shape().Dimensions[0], Components(f.Dim, f.Degree), f.Count}
	if c.Rank() != 3 || c.Shape().Dimensions[0] != want[0] || c.Shape().Dimensions[1] != want[1] ||
		c.Shape().Dimensions[2] != want[2] {
		exceptions.Panicf(
			"exterior.Form: coefficients of a bundle of %d %d-forms in dimension %d have shape %s, want %v",
			f.Count, f.Degree, f.Dim, c.Shape(), want)
	}
	return c
}
