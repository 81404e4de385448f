package exterior

import (
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/support/exceptions"
)

// Wedge returns the products ω_j ∧ η_j of a bundle of p-forms and one of
// q-forms on the same space, pair by pair; a bundle of one form is paired
// with every form of the other. With functions, p = 0, it is the product
// f_j·η_j. It panics for p+q > n, where the product has no components.
func (f Form) Wedge(other Form) Form {
	f.match("Wedge", other)
	if f.Degree+other.Degree > f.Dim {
		exceptions.Panicf(
			"exterior.Form.Wedge: a %d-form times a %d-form is zero in dimension %d, and has no components",
			f.Degree, other.Degree, f.Dim)
	}
	return Form{
		Dim: f.Dim, Degree: f.Degree + other.Degree, Count: max(f.Count, other.Count),
		Coefficients: func(points *Node) *Node {
			return Wedge(f.At(points), other.At(points), f.Dim, f.Degree, other.Degree)
		},
	}
}

// Add returns the sums ω_j + η_j of two bundles of one degree, pair by pair;
// a bundle of one form is added to every form of the other.
func (f Form) Add(other Form) Form {
	f.match("Add", other)
	if f.Degree != other.Degree {
		exceptions.Panicf("exterior.Form.Add: forms of degrees %d and %d have no sum", f.Degree, other.Degree)
	}
	return Form{
		Dim: f.Dim, Degree: f.Degree, Count: max(f.Count, other.Count),
		Coefficients: func(points *Node) *Node { return Add(f.At(points), other.At(points)) },
	}
}

// Scale returns the multiples c·ω_j. To scale by a function, see
// [Form.Wedge].
func (f Form) Scale(c float64) Form {
	return f.with(func(points *Node) *Node { return MulScalar(f.At(points), c) })
}

// Combine returns the linear combinations Σ_i ω_i R_ij, m forms for R [ℓ, m]:
// the bundle ωR. Integrals follow, X(β, ωR) = X(β, ω)·R (paper, section 3).
func (f Form) Combine(r *Node) Form {
	if r.Rank() != 2 || r.Shape().Dimensions[0] != f.Count {
		exceptions.Panicf("exterior.Form.Combine: coefficients of shape %s are not [ℓ = %d, forms]",
			r.Shape(), f.Count)
	}
	out := f.with(func(points *Node) *Node { return Einsum("pci,ij->pcj", f.At(points), r) })
	out.Count = r.Shape().Dimensions[1]
	return out
}

// with returns a bundle of the same kind with other coefficients.
func (f Form) with(coefficients func(points *Node) *Node) Form {
	return Form{Dim: f.Dim, Degree: f.Degree, Count: f.Count, Coefficients: coefficients}
}

// match panics unless the bundles live on one space and pair up.
func (f Form) match(method string, other Form) {
	if f.Dim != other.Dim {
		exceptions.Panicf("exterior.Form.%s: forms in dimensions %d and %d", method, f.Dim, other.Dim)
	}
	if f.Count != other.Count && f.Count != 1 && other.Count != 1 {
		exceptions.Panicf("exterior.Form.%s: bundles of %d and %d forms do not pair up",
			method, f.Count, other.Count)
	}
}

// rowsOf returns the shape [P] of one number per point.
func rowsOf(points *Node) shapes.Shape {
	return shapes.Make(points.DType(), points.Shape().Dimensions[0])
}
