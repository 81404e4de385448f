package exterior

import (
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/support/exceptions"

	"github.com/neuralkforms/nkf/layers/quadrature"
)

// Wedge returns the products ω_j ∧ η_j of a bundle of p-forms and one of
// q-forms on the same space, pair by pair; a bundle of one form is paired
// with every form of the other. With functions, p = 0, it is the product
// f_j·η_j. The rule is that of ω. It panics for p+q > n, where the product has no
// components.
func (f Form) Wedge(other Form) Form {
	f.match("Wedge", other)
	if f.Degree+other.Degree > f.Dim {
		exceptions.Panicf(
			"exterior.Form.Wedge: a %d-form times a %d-form is zero in dimension %d, and has no components",
			f.Degree, other.Degree, f.Dim)
	}
	return f.derived(f.Dim, f.Degree+other.Degree, max(f.Count, other.Count), func(points *Node) *Node {
		return wedge(f.At(points), other.At(points), f.Dim, f.Degree, other.Degree)
	})
}

// Add returns the sums ω_j + η_j of two bundles of one degree, pair by pair;
// a bundle of one form is added to every form of the other. The rule is that
// of ω.
func (f Form) Add(other Form) Form {
	f.match("Add", other)
	if f.Degree != other.Degree {
		exceptions.Panicf("exterior.Form.Add: forms of degrees %d and %d have no sum", f.Degree, other.Degree)
	}
	sum := f.derived(f.Dim, f.Degree, max(f.Count, other.Count), func(points *Node) *Node {
		return Add(f.At(points), other.At(points))
	})
	sum.Integral = func(corners []*Node, nodes *quadrature.Nodes) *Node {
		return Add(f.integral(corners, nodes), other.integral(corners, nodes))
	}
	return sum
}

// Scale returns the multiples c·ω_j. To scale by a function, see
// [Form.Wedge].
func (f Form) Scale(c float64) Form {
	return f.linear(f.Count, func(x *Node) *Node { return MulScalar(x, c) })
}

// Combine returns the linear combinations Σ_i ω_i R_ij, m forms for R [ℓ, m]:
// the bundle ωR. Integrals follow, X(β, ωR) = X(β, ω)·R (paper, section 3).
func (f Form) Combine(r *Node) Form {
	if r.Rank() != 2 || r.Shape().Dimensions[0] != f.Count {
		exceptions.Panicf("exterior.Form.Combine: coefficients of shape %s are not [ℓ = %d, forms]",
			r.Shape(), f.Count)
	}
	return f.linear(r.Shape().Dimensions[1], func(x *Node) *Node { return product(x, x.Rank()-1, r, 0) })
}

// linear returns count linear combinations of the forms, given as a map of the
// last axis. It commutes with the integral and with d.
func (f Form) linear(count int, apply func(x *Node) *Node) Form {
	out := f.derived(f.Dim, f.Degree, count, func(points *Node) *Node { return apply(f.At(points)) })
	if f.Integral != nil {
		out.Integral = func(corners []*Node, nodes *quadrature.Nodes) *Node {
			return apply(f.Integral(corners, nodes))
		}
	}
	if f.own != nil {
		out.onVertices = f.onVertices
		out.own = func(x *Node) steps {
			s := f.own(x)
			last := s.last
			s.last = func(mean *Node, corners, first []*Node, volume float64) *Node {
				return apply(last(mean, corners, first, volume))
			}
			return s
		}
	}
	return out
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
