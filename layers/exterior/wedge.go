package exterior

import . "github.com/gomlx/gomlx/core/graph"

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
