package exterior

import (
	"fmt"
	"slices"

	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"

	"github.com/neuralkforms/nkf/layers/internal/custom"
)

// blocksFrom is the number of simplices from which integrals are computed in blocks. Fewer take less time in
// one piece, without computing blocks again for gradients. It is a variable for tests.
var blocksFrom = 1 << 16

// sumsFrom is the number for sums of integrals, whose blocks are computed once. Fewer than cutFrom are one
// block, which is no loop.
var sumsFrom, cutFrom = 1 << 12, 1 << 15

// blockNumbers bounds the numbers in the widest array of a block: two megabytes. In smaller blocks XLA's
// threads have too little to do, in larger ones the arrays leave the cache (measured with 1-forms in
// dimensions 3 to 53, 2-forms in R³ and 3-forms in R⁶).
const blockNumbers = 1 << 19

// table is what integrals read for each simplex: rows of values, or the rows of the given numbers.
type table struct{ values, numbers *Node }

// rows returns the rows of some simplices, or of all.
func (t table) rows(numbers *Node) *Node {
	if t.numbers == nil {
		return numbers
	}
	return Gather(t.values, ExpandAxes(numbers, -1))
}

// corners returns the corners of all simplices.
func (t table) corners() []*Node {
	if t.numbers == nil {
		return columns(t.values)
	}
	return CornerPoints(t.values, t.numbers)
}

// each is the node with a row for each simplex.
func (t table) each() *Node {
	if t.numbers == nil {
		return t.values
	}
	return t.numbers
}

// inBlocks returns integral of the corners, [S, n] each, that the rows of a table hold. Row i of the result
// depends on row i of the corners, and on nodes that integral takes from elsewhere. With many rows a loop on
// the device computes block after block, whose intermediate arrays stay in the cache, and its gradient is
// another such loop, which computes blocks again: memory holds the rows and the result only. GoMLX has no
// gradient of loops (v0.28.3).
func inBlocks(t table, integral func(corners []*Node) *Node) *Node {
	b := cut(t, blocksFrom, integral)
	if b.first == nil {
		return integral(t.corners())
	}
	each, _ := b.first.loop(loopRows{t, nil})
	return custom.Gradients(each[0], b.nodes, func(v *Node) map[*Node]*Node {
		_, gradients := b.sum(v)
		return byNode(b.nodes, gradients)
	})
}

// sumInBlocks returns the sum of [inBlocks], times weights unless they are nil. With many rows one loop
// computes it together with its gradients.
func sumInBlocks(t table, weights *Node, integral func(corners []*Node) *Node) *Node {
	b := cut(t, sumsFrom, integral)
	if b.first == nil {
		x := integral(t.corners())
		if weights != nil {
			x = Mul(x, weights)
		}
		return ReduceAllSum(x)
	}
	nodes, given := slices.Clone(b.nodes), weights != nil
	if given {
		nodes = append(nodes, weights)
	} else {
		dims := slices.Repeat([]int{1}, b.first.each[0].Rank())
		dims[0] = b.all.Shape().Dimensions[0]
		weights = Ones(b.all.Graph(), shapes.Make(b.first.each[0].DType(), dims...))
	}
	sum, gradients := b.sum(weights)
	return custom.Gradients(sum, nodes, func(v *Node) map[*Node]*Node {
		gradients := slices.Clone(gradients)
		if given {
			gradients = append(gradients, inBlocks(t, integral))
		}
		return byNode(nodes, each(gradients, func(x *Node) *Node { return Mul(x, v) }))
	})
}

// blocks are the rows of a table, cut into blocks.
type blocks struct {
	table
	integral func(corners []*Node) *Node
	all      *Node    // rows
	first    *outline // of the integral of the first block; nil if rows are not cut
	nodes    []*Node  // by which there are gradients: all rows, and what the integral takes from elsewhere
}

// cut cuts so many rows or more into blocks.
func cut(t table, from int, integral func(corners []*Node) *Node) blocks {
	b := blocks{table: t, integral: integral}
	count := t.each().Shape().Dimensions[0]
	if !cutsRows(t.values, count, from) {
		return b
	}
	b.all = t.rows(t.each())
	const probe = 256
	build := func(rows *Node) *Node { return integral(columns(rows)) }
	size := count
	if count >= cutFrom {
		size = min(max(blockNumbers/trace(b.all, probe, build).width(), probe), blocksFrom/2, count/2)
		number := (count + size - 1) / size
		// An odd multiple of 16: rows whose lengths are multiples of 1,024 share the lines of a cache.
		size = (((count+number-1)/number+15)/16 | 1) * 16
	}
	if o := trace(b.all, size, build); o.copies() {
		b.first, b.nodes = o, append([]*Node{b.all}, o.variable()...)
	}
	return b
}

// sum returns the sum of weights v times the integrals, and its gradients by the nodes.
func (b blocks) sum(v *Node) (sum *Node, gradients []*Node) {
	count, size := v.Shape().Dimensions[0], b.first.rows[0].Shape().Dimensions[0]
	d := b.first.gradient(SliceAxis(v, 0, AxisRangeFromStart(size)))
	if !d.copies() {
		d = trace(b.all, count, func(rows *Node) *Node { return b.integral(columns(rows)) }).gradient(v)
		return d.sums[0], slices.Concat(d.each, d.sums[1:])
	}
	each, sums := d.loop(loopRows{b.table, v})
	gradients = slices.Concat(each, sums[1:])
	for i := range gradients {
		gradients[i] = custom.Gradients(gradients[i], append(b.nodes, v), func(u *Node) map[*Node]*Node {
			// Gradients of gradients are rare: in one graph.
			whole := trace(b.all, count, func(rows *Node) *Node { return b.integral(columnsBySums(rows)) })
			value, copies := whole.apart(append(slices.Clone(whole.rows), b.nodes[1:]...))
			copies = append(copies, Identity(v))
			gradient := Gradient(ReduceAllSum(Mul(value, copies[len(b.nodes)])), copies[i])[0]
			return byNode(append(b.nodes, v), Gradient(ReduceAllSum(Mul(gradient, u)), copies...))
		})
	}
	return sums[0], gradients
}

// byNode returns the gradients by nodes.
func byNode(nodes, gradients []*Node) map[*Node]*Node {
	by := map[*Node]*Node{}
	for i, x := range nodes {
		by[x] = gradients[i]
	}
	return by
}

// cutsRows reports whether so many rows, made of x, are cut into blocks from a number on: by XLA on a CPU,
// and not within a loop, since go-xla has none within loops. A card has no use for blocks, and the Go backend
// no DynamicSlice.
func cutsRows(x *Node, count, from int) bool {
	return onCPU(x) && count >= from && x.Function().IsMain()
}

// onCPU reports whether XLA computes x on a CPU.
func onCPU(x *Node) bool {
	xla, ok := x.Graph().Backend().(interface{ IsCPU() bool })
	return ok && xla.IsCPU()
}

// loopRows are the rows that a loop reads: those of a table, and of an adjoint unless that is nil.
type loopRows struct {
	table
	adjoint *Node
}

// written is the length of the longest sum over an axis that loops write term by term. Gradients read sums
// over the first axis, those of integrals, many times.
func (r loopRows) written(axis int) int {
	if r.adjoint != nil && axis == 0 {
		return 3
	}
	return 32
}

// tables returns the nodes with a row for each row.
func (r loopRows) tables() []*Node {
	if r.adjoint == nil {
		return []*Node{r.each()}
	}
	return []*Node{r.each(), r.adjoint}
}

// block returns block i of so many rows. The first block overlaps the next, so that all have the same size:
// its last rows do not count, their adjoint is 0.
func (r loopRows) block(i *Node, size int) []*Node {
	out := r.tables()
	over := (out[0].Shape().Dimensions[0]+size-1)/size*size - out[0].Shape().Dimensions[0]
	for j, x := range out {
		dims := slices.Clone(x.Shape().Dimensions)
		dims[0] = size
		out[j] = DynamicSlice(x, rowIndex(x, firstRow(i, size, over)), dims)
	}
	out[0] = r.rows(out[0])
	if r.adjoint != nil && over > 0 {
		kept := Sub(ConstAs(i, size), Mul(ConvertDType(Equal(i, ConstAs(i, 0)), i.DType()), ConstAs(i, over)))
		row := Iota(i.Graph(), shapes.Make(i.DType(), size, 1), 0)
		out[1] = Mul(out[1], ConvertDType(LessThan(row, kept), out[1].DType()))
	}
	return out
}

// firstRow returns the first row of block i, where the first two blocks have so many rows in common.
func firstRow(i *Node, size, over int) *Node {
	return Max(Sub(Mul(i, ConstAs(i, size)), ConstAs(i, over)), ConstAs(i, 0))
}

// loop returns the results over all rows, each and sums, from a loop over blocks. A block is a part of the
// state, taken when the one before is done: where the index is read in the loops that XLA makes of the
// computation, these are not vectorized.
func (o *outline) loop(rows loopRows) (each, sums []*Node) {
	g := rows.values.Graph()
	count, size := rows.each().Shape().Dimensions[0], o.rows[0].Shape().Dimensions[0]
	number := (count + size - 1) / size
	zero := Const(g, int32(0))
	state := []*Node{zero}
	for i, x := range o.out() {
		dims := slices.Clone(x.Shape().Dimensions)
		if i < len(o.each) {
			dims[0] = count
		}
		state = append(state, BroadcastToDims(ConstAsDType(g, x.DType(), 0), dims...))
	}
	results := len(state)
	state = append(state, rows.block(zero, size)...)
	invariant := len(state)
	state = slices.Concat(state, []*Node{rows.values}, rows.tables(), o.outside)
	out := while(state, number, func(s []*Node) []*Node {
		i, here := s[0], loopRows{table: table{values: s[invariant]}}
		tables := s[invariant+1:]
		if here.numbers = tables[0]; rows.numbers == nil {
			here.table = table{values: tables[0]}
		}
		if rows.adjoint != nil {
			here.adjoint = tables[1]
		}
		of := map[*Node]*Node{}
		for j, x := range o.rows {
			of[x] = s[results+j]
		}
		for j, x := range o.outside {
			of[x] = tables[len(rows.tables())+j]
		}
		o.copyTo(of, func(x *Node, inputs []*Node) *Node {
			switch {
			case x.Type() == NodeTypeReduceSum && number > 1:
				return sumOver(inputs[0], o.axes[x], rows.written)
			case x.Type() == NodeTypeDotGeneral:
				return productOf(x, inputs[0], inputs[1])
			case x.Type() == NodeTypeMul && slices.ContainsFunc(x.Inputs(), isZero):
				return zeros(x)
			}
			if y := indicated(x); y != nil {
				return ConvertDType(GreaterOrEqual(of[y], zeros(x)), x.DType())
			}
			return x.CloneWithInputs(inputs...)
		})
		after := Add(i, Const(g, int32(1)))
		next := []*Node{after}
		for j, x := range o.out() {
			if j < len(o.each) {
				next = append(next, DynamicUpdateSlice(s[1+j], of[x],
					rowIndex(x, firstRow(i, size, number*size-count))))
			} else {
				next = append(next, Add(s[1+j], of[x]))
			}
		}
		return slices.Concat(next, here.block(after, size), s[invariant:])
	})
	return out[1 : 1+len(o.each)], out[1+len(o.each) : results]
}

// rowIndex returns the indices of row i of x.
func rowIndex(x, i *Node) []*Node {
	at := []*Node{i}
	for range x.Rank() - 1 {
		at = append(at, Const(i.Graph(), int32(0)))
	}
	return at
}

// while advances a state until the number in front, which is 0, is end.
func while(state []*Node, end int, advance func(state []*Node) []*Node) []*Node {
	if end == 1 {
		return advance(state)
	}
	parameters := func(g *Graph) []*Node {
		out := make([]*Node, len(state))
		for i, x := range state {
			out[i] = Parameter(g, fmt.Sprintf("state_%d", i), x.Shape())
		}
		return out
	}
	g := state[0].Graph()
	left := NewClosure(g, func(g *Graph) []*Node {
		return []*Node{LessThan(parameters(g)[0], Const(g, int32(end)))}
	})
	return While(left, NewClosure(g, func(g *Graph) []*Node { return advance(parameters(g)) }), state...)
}
