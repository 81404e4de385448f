package exterior

import (
	"slices"

	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
)

// outline is a computation on a block of rows that is written down once on the graph, where XLA removes it,
// and copied from there into a loop: in go-xla a closure cannot use nodes of its parent.
type outline struct {
	rows       []*Node // with a row for each row of the block
	outside    []*Node // what the computation takes from elsewhere
	inside     []*Node // its nodes, in order
	each, sums []*Node // its results for each row, and those to add up over blocks

	first NodeId          // no node of the computation is older
	axes  map[*Node][]int // of the nodes inside that are a ReduceSum
}

// trace returns the outline of build on the first rows.
func trace(rows *Node, size int, build func(rows *Node) *Node) *outline {
	block := SliceAxis(rows, 0, AxisRangeFromStart(size))
	o := &outline{rows: []*Node{block}, each: []*Node{build(block)}, first: block.Id()}
	o.survey()
	return o
}

// out returns all results.
func (o *outline) out() []*Node { return slices.Concat(o.each, o.sums) }

// survey lists the nodes of the computation. Older nodes than the first, parameters, and constants, of which
// GoMLX makes no copies, are outside.
func (o *outline) survey() {
	seen := map[*Node]bool{}
	for _, x := range o.rows {
		seen[x] = true
	}
	var visit func(x *Node)
	visit = func(x *Node) {
		if seen[x] {
			return
		}
		seen[x] = true
		if x.Id() < o.first || x.Type() == NodeTypeParameter || x.Type() == NodeTypeConstant {
			o.outside = append(o.outside, x)
			return
		}
		for _, in := range x.Inputs() {
			visit(in)
		}
		o.inside = append(o.inside, x)
	}
	for _, x := range o.out() {
		visit(x)
	}
	o.axes = map[*Node][]int{}
	for _, x := range o.inside {
		if x.Type() == NodeTypeReduceSum {
			o.axes[x] = reducedAxes(x)
		}
	}
}

// width returns how many numbers for each row the widest node has.
func (o *outline) width() int {
	widest, count := 1, o.rows[0].Shape().Dimensions[0]
	for _, x := range append(o.inside, o.rows...) {
		widest = max(widest, x.Shape().Size()/count)
	}
	return widest
}

// variable returns the nodes outside by which there are gradients: not numbers, and not constants of the
// computation itself.
func (o *outline) variable() []*Node {
	return slices.DeleteFunc(slices.Clone(o.outside), func(x *Node) bool {
		return !x.DType().IsFloat() || x.Type() == NodeTypeConstant && x.Id() >= o.first
	})
}

// copies reports whether a closure can hold a copy: in go-xla (v0.4.1) only one function of a program can
// reduce or scatter numbers of a type, and closures belong to the function that made them.
func (o *outline) copies() bool {
	return !slices.ContainsFunc(o.inside, func(x *Node) bool {
		return x.NumOutputs() != 1 || x.Type() >= NodeTypeCall || slices.Contains(closed, x.Type())
	})
}

// closed are the operations with a closure, but for ReduceSum, which copies replace.
var closed = []NodeType{
	NodeTypeArgMinMax, NodeTypeReduceBitwiseAnd, NodeTypeReduceBitwiseOr, NodeTypeReduceBitwiseXor,
	NodeTypeReduceLogicalAnd, NodeTypeReduceLogicalOr, NodeTypeReduceLogicalXor, NodeTypeReduceMax,
	NodeTypeReduceMin, NodeTypeReduceProduct, NodeTypeReduceWindow, NodeTypeScatterMax, NodeTypeScatterMin,
	NodeTypeScatterSum, NodeTypeSelectAndScatterMax, NodeTypeSelectAndScatterMin,
}

// copyTo makes the copies of the nodes inside, given those of the rows and of the nodes outside.
func (o *outline) copyTo(of map[*Node]*Node, one func(x *Node, inputs []*Node) *Node) {
	for _, x := range o.inside {
		inputs := make([]*Node, len(x.Inputs()))
		for i, in := range x.Inputs() {
			inputs[i] = of[in]
		}
		of[x] = one(x, inputs)
	}
}

// gradient returns the outline of the sum of weights v times the rows of the result, and of its gradients by
// the rows and by the nodes outside.
func (o *outline) gradient(v *Node) *outline {
	result, by := o.apart(append(slices.Clone(o.rows), o.variable()...))
	sum := ReduceAllSum(Mul(result, v))
	gradients := Gradient(sum, by...)
	d := &outline{rows: append(slices.Clone(o.rows), v), each: gradients[:1],
		sums: append([]*Node{sum}, gradients[1:]...), first: by[0].Id()}
	d.survey()
	return d
}

// apart returns the result made of copies of some nodes, the rows or outside, and these copies. Gradients by
// copies are apart from each other: of the nodes one may depend on another.
func (o *outline) apart(nodes []*Node) (result *Node, copies []*Node) {
	of := map[*Node]*Node{}
	for _, x := range o.outside {
		of[x] = x
	}
	for _, x := range nodes {
		of[x] = Identity(x)
		copies = append(copies, of[x])
	}
	o.copyTo(of, func(x *Node, inputs []*Node) *Node { return x.CloneWithInputs(inputs...) })
	return of[o.each[0]], copies
}

// reducedAxes returns the axes of a ReduceSum, which GoMLX does not tell: those that are missing where all
// have different lengths.
func reducedAxes(x *Node) []int {
	in := x.Inputs()[0]
	dims := make([]int, in.Rank())
	for i := range dims {
		dims[i] = i + 1
	}
	zeros := BroadcastToDims(ConstAsDType(x.Graph(), in.DType(), 0), dims...)
	left := x.CloneWithInputs(zeros).Shape().Dimensions
	var axes []int
	for i, length := range dims {
		if !slices.Contains(left, length) {
			axes = append(axes, i)
		}
	}
	return axes
}

// sumOver returns sums over axes without ReduceSum. Sums longer than written are products with ones. XLA
// keeps a product in memory, while each loop that reads a written sum computes it anew.
func sumOver(x *Node, axes []int, written func(axis int) int) *Node {
	for _, axis := range slices.Backward(axes) {
		dims := slices.Delete(slices.Clone(x.Shape().Dimensions), axis, axis+1)
		length := x.Shape().Dimensions[axis]
		if length > written(axis) {
			ones := BroadcastToDims(ConstAsDType(x.Graph(), x.DType(), 1), 1, length)
			x = Reshape(product(ones, 1, x, axis), dims...)
			continue
		}
		sum := SliceAxis(x, axis, AxisElem(0))
		for i := range length - 1 {
			sum = Add(sum, SliceAxis(x, axis, AxisElem(1+i)))
		}
		x = Reshape(sum, dims...)
	}
	return x
}

// productOf returns a copy of a product x, of a and b, as XLA's CPU computes it fastest. Sums over rows,
// those of gradients by matrices, take up to three times as long unless rows are last in the first operand
// and first in the second; that costs the transposition of a narrow array.
func productOf(x, a, b *Node) *Node {
	i, j, ok := summedAxes(x, a, b)
	if !ok || a.Shape().Dimensions[i] <= slices.Max(x.Shape().Dimensions) {
		return x.CloneWithInputs(a, b)
	}
	// If one has to be transposed, the narrower.
	if i > j || i == j && (i == 1) == (b.Shape().Size() <= a.Shape().Size()) {
		return overRows(a, i, b, j)
	}
	return Transpose(overRows(b, j, a, i), 0, 1)
}

// overRows returns the sums over axis i of a and axis j of b, the rows.
func overRows(a *Node, i int, b *Node, j int) *Node {
	if i == 0 {
		a = barrier(Transpose(a, 0, 1))
	}
	if j == 1 {
		b = barrier(Transpose(b, 0, 1))
	}
	return barrier(product(a, 1, b, 0))
}

// barrier returns x, with which XLA does not merge what is computed from it: it makes transpositions a part
// of products. The number is there since go-xla (v0.4.1) leaves barriers of one node out.
func barrier(x *Node) *Node { return OptimizationBarriers(x, ConstAs(x, 1))[0] }

// summedAxes returns the axes of a and b over which the product x of matrices sums, which GoMLX does not
// tell, if their lengths tell.
func summedAxes(x, a, b *Node) (i, j int, ok bool) {
	if a.Rank() != 2 || b.Rank() != 2 || x.Rank() != 2 {
		return 0, 0, false
	}
	found := 0
	for p, length := range a.Shape().Dimensions {
		for q := range 2 {
			left := []int{a.Shape().Dimensions[1-p], b.Shape().Dimensions[1-q]}
			if b.Shape().Dimensions[q] == length && slices.Equal(left, x.Shape().Dimensions) {
				i, j = p, q
				found++
			}
		}
	}
	return i, j, found == 1
}

// isZero reports whether x is a constant of zeros, such as the barycentric coordinate of a point in a corner
// that it is far from. XLA keeps products with it, since zero times infinity is none.
func isZero(x *Node) bool { return isConstant(x, 0) }

// isConstant reports whether x is a constant, a number everywhere.
func isConstant(x *Node, number float64) bool {
	for x.Type() == NodeTypeReshape || x.Type() == NodeTypeBroadcastInDim {
		x = x.Inputs()[0]
	}
	value := x.ConstantValue()
	if value == nil || value.Rank() > 1 {
		return false
	}
	var want any = number
	if value.Rank() == 1 {
		want = slices.Repeat([]float64{number}, value.Size())
	}
	return value.Equal(tensors.MustFromAnyValue(shapes.CastAsDType(want, x.DType())))
}

// indicated returns y where x is 1 or 0 for y ≥ 0 or not, as in GoMLX's gradients of a maximum: the sign of
// 1 plus the sign of y. On XLA's CPU that is a dozen operations, and a comparison two. Else it returns nil.
func indicated(x *Node) *Node {
	if x.Type() != NodeTypeSign {
		return nil
	}
	terms := x.Inputs()[0].Inputs()
	if x.Inputs()[0].Type() != NodeTypeAdd || terms[0].Type() != NodeTypeSign || !isConstant(terms[1], 1) {
		return nil
	}
	return terms[0].Inputs()[0]
}

// zeros returns zeros of the shape of x, in a loop as well.
func zeros(x *Node) *Node {
	return BroadcastToDims(ConstAsDType(x.Graph(), x.DType(), 0), x.Shape().Dimensions...)
}
