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

// unrolledTerms is the number of terms of a wedge product up to which it is
// written as sums of products of slices. XLA fuses those into one loop, and
// their gradient into another; past it the compile time would grow with the
// number of terms, and gathers take over.
const unrolledTerms = 64

// wedge returns the exterior product a ∧ b of a p-form and a q-form on Rⁿ,
// or of a p-vector and a q-vector: the components are the same,
//
//	(a ∧ b)_K = Σ_{I ⊔ J = K} sign(I, J) a_I b_J,   |I| = p, |J| = q.
//
// a is [P, C(n,p), ...] and b is [P, C(n,q), ...], where the axes after the
// components are equal or 1; the result is [P, C(n,p+q), ...] for p+q ≤ n.
func wedge(a, b *Node, n, p, q int) *Node {
	// With a factor of degree zero there is a single component to multiply.
	if p == 0 || q == 0 {
		return Mul(a, b)
	}
	terms := shuffles(n, p, q)
	if len(terms) <= unrolledTerms {
		return wedgeUnrolled(a, b, terms)
	}
	left, right := make([]int32, len(terms)), make([]int32, len(terms))
	for t, term := range terms {
		left[t], right[t] = int32(term.left), int32(term.right)
	}
	// Gather takes rows, so the components go first.
	product := Mul(takeRows(Transpose(a, 0, 1), left), takeRows(Transpose(b, 0, 1), right))
	return Transpose(signedSums(product, terms), 0, 1)
}

// signedSums returns the sums over the terms of every component, with their
// signs, of rows that hold a term each: terms of one component stand together,
// equally many.
func signedSums(rows *Node, terms []shuffle) *Node {
	signs := make([]float64, len(terms))
	for t, term := range terms {
		signs[t] = term.sign
	}
	sign := ConstAsDType(rows.Graph(), rows.DType(), signs)
	for sign.Rank() < rows.Rank() {
		sign = ExpandAxes(sign, -1)
	}
	components := terms[len(terms)-1].out + 1
	dims := append([]int{components, len(terms) / components}, rows.Shape().Dimensions[1:]...)
	return ReduceSum(Reshape(Mul(rows, sign), dims...), 1)
}

// wedgeUnrolled is wedge term by term.
func wedgeUnrolled(a, b *Node, terms []shuffle) *Node {
	sums := make([]*Node, 0, terms[len(terms)-1].out+1)
	for _, term := range terms {
		product := Mul(component(a, term.left), component(b, term.right))
		switch {
		case term.out == len(sums) && term.sign > 0:
			sums = append(sums, product)
		case term.out == len(sums):
			sums = append(sums, Neg(product))
		case term.sign > 0:
			sums[term.out] = Add(sums[term.out], product)
		default:
			sums[term.out] = Sub(sums[term.out], product)
		}
	}
	return Concatenate(sums, 1)
}

// component returns component i of x with its axis kept.
func component(x *Node, i int) *Node {
	return SliceAxis(x, 1, AxisElem(i))
}

// takeRows returns the given rows of x in their order.
func takeRows(x *Node, rows []int32) *Node {
	return Gather(x, ExpandAxes(Const(x.Graph(), rows), -1))
}

// blade returns the components of v_1 ∧ … ∧ v_k for one or more vectors [P, n, ...],
// built one vector at a time: [P, C(n,k), ...]. Its components are the k×k minors of the
// matrix with these columns.
func blade(vectors ...*Node) *Node {
	n := vectors[0].Shape().Dimensions[1]
	out := vectors[0]
	for degree, v := range vectors[1:] {
		out = wedge(out, v, n, degree+1, 1)
	}
	return out
}
