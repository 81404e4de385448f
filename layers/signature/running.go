package signature

import (
	"math"
	"slices"

	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/support/exceptions"
)

// running returns the integrals from the first vertex of paths to every vertex
// from those over their edges, [..., T, ℓ] from [..., T-1, ℓ]: zero, and then
// the sums up to each edge. The time is linear in T; the sums are taken in
// blocks, so that their rounding grows with its root.
func running(edges *Node) *Node {
	if edges.Rank() < 2 || edges.Shape().Size() == 0 {
		exceptions.Panicf("signature: integrals over edges of shape %s: want [..., edges > 0, forms]",
			edges.Shape())
	}
	dims := edges.Shape().Dimensions
	count, width := dims[len(dims)-2], dims[len(dims)-1]
	x := Reshape(edges, -1, count, width)
	sums := withGradient(cumulative(StopGradient(x)), x, func(v *Node) *Node {
		// The adjoint of a sum up to every edge is the sum from every edge on.
		upTo := cumulative(v)
		return Add(Sub(SliceAxis(upTo, 1, AxisElem(count-1)), upTo), v)
	})
	first := Zeros(x.Graph(), shapes.Make(x.DType(), x.Shape().Dimensions[0], 1, width))
	all := slices.Clone(dims)
	all[len(dims)-2]++
	return Reshape(Concatenate([]*Node{first, sums}, 1), all...)
}

// block is the largest number of rows that are summed up one after the other.
// XLA writes these sums out: in longer blocks they take longer to compile, in
// shorter ones the passes over memory are more.
const block = 12

// cumulative returns the sums up to each row, [A, T, ℓ] from [A, T, ℓ]: within
// blocks of rows, and over the totals of the blocks before. GoMLX's CumSum has a
// gradient in quadratic time, and none on the Go backend (v0.28.3). A product
// with a triangular matrix is as fast on a CPU, but rounds to ten bits on GPUs
// that multiply in TF32.
func cumulative(x *Node) *Node {
	dims := x.Shape().Dimensions
	rows, count, width := dims[0], dims[1], dims[2]
	if count <= block {
		sums := make([]*Node, count)
		for i := range sums {
			if sums[i] = SliceAxis(x, 1, AxisElem(i)); i > 0 {
				sums[i] = Add(sums[i-1], sums[i])
			}
		}
		return Concatenate(sums, 1)
	}
	levels := math.Ceil(math.Log(float64(count)) / math.Log(block))
	size := int(math.Ceil(math.Pow(float64(count), 1/levels)))
	blocks := (count + size - 1) / size
	zeros := func(count int) *Node { return Zeros(x.Graph(), shapes.Make(x.DType(), rows, count, width)) }
	if more := blocks*size - count; more > 0 {
		x = Concatenate([]*Node{x, zeros(more)}, 1)
	}
	within := Reshape(cumulative(Reshape(x, -1, size, width)), rows, blocks, size, width)
	totals := Squeeze(SliceAxis(within, 2, AxisElem(size-1)), 2)
	before := SliceAxis(cumulative(totals), 1, AxisRangeFromStart(blocks-1))
	before = Concatenate([]*Node{zeros(1), before}, 1)
	sums := Reshape(Add(within, ExpandAxes(before, 2)), rows, -1, width)
	return SliceAxis(sums, 1, AxisRangeFromStart(count))
}

// withGradient returns value with a custom gradient: vjp maps the adjoint of
// the value to that of x. GoMLX supports this only for the identity, so the
// identity is applied to x and a zero of the value's shape, concatenated; XLA
// removes both.
func withGradient(value, x *Node, vjp func(v *Node) *Node) *Node {
	n, m := x.Shape().Size(), value.Shape().Size()
	both := Concatenate([]*Node{Reshape(x, n), Zeros(x.Graph(), shapes.Make(x.DType(), m))}, 0)
	both = IdentityWithCustomGradient(both, func(_, v *Node) *Node {
		v = Reshape(SliceAxis(v, 0, AxisRangeToEnd(n)), value.Shape().Dimensions...)
		return Concatenate([]*Node{Reshape(vjp(v), n), Zeros(x.Graph(), shapes.Make(x.DType(), m))}, 0)
	})
	zero := Reshape(SliceAxis(both, 0, AxisRangeToEnd(n)), value.Shape().Dimensions...)
	return Add(StopGradient(value), zero)
}
