// Package indices finds indices that are out of range, in graphs and while
// they run: edges that end at vertices which do not exist, rows of complexes
// which do not exist.
//
// A device does not object to them. Numbers of rows past the last one, or
// below zero, are clamped where rows are gathered, so that the edge {0, 7} of
// three vertices is integrated as {0, 2}, and dropped where rows are summed
// up: the result is a number like any other. To check every number of every
// batch would cost time, so that is a debug mode, off by default: it is on in
// graphs that are built while the environment variable NKF_CHECK_INDICES is
// set to something other than 0 or false. When it is off nothing is added to a
// graph.
//
// When it is on, a wrong index makes the result of the function that takes it
// NaN throughout, and so the loss: on every backend, in loops, whatever runs
// the graph. Outside of loops the function also says which index is wrong, by
// way of GoMLX's logged nodes: [Attach] makes an executor panic with an
// [Error],
//
//	exterior.Integrate: entry [1 1] of simplices is 7: want one of 3 vertices, 0 to 2
//
// and an executor as GoMLX makes it prints a line for every check, with the
// first wrong index or -1 for none.
//
// Collections of package datasets and calls of layers.Integrator are checked
// on the host, at all times.
package indices

import (
	"fmt"
	"math"
	"os"
	"strconv"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
)

// Variable is the environment variable that makes graphs check their indices.
const Variable = "NKF_CHECK_INDICES"

// Enabled reports whether graphs that are built now check their indices.
func Enabled() bool {
	value := os.Getenv(Variable)
	on, err := strconv.ParseBool(value)
	return on || err != nil && value != ""
}

// Check is the check of an array of indices on a graph. A nil Check, as in
// graphs that do not check, lets everything pass.
type Check struct {
	wrong *Node // bool [size of the array]
	any   *Node // bool [1]
}

// New checks that the entries of an array of integers, of any shape, are 0 to
// count-1. where is the function that was given it, array the name of the
// parameter, and things are what is numbered. It returns nil where graphs do
// not check.
func New(where, array, things string, index *Node, count int) *Check {
	if !Enabled() || index.Shape().Size() == 0 {
		return nil
	}
	g, size, dims := index.Graph(), index.Shape().Size(), index.Shape().Dimensions
	if len(dims) == 0 {
		dims = []int{1}
	}
	// Constants are not scalars of GoMLX, which a graph shares with its loops.
	constant := func(x int) *Node { return Const(g, []int64{int64(x)}) }
	flat := Reshape(ConvertDType(index, dtypes.Int64), size)
	wrong := LogicalOr(LessThan(flat, constant(0)), GreaterOrEqual(flat, constant(count)))
	places := Iota(g, shapes.Make(dtypes.Int64, size), 0)
	first := Reshape(ReduceMin(Where(wrong, places, BroadcastToDims(constant(size), size)), 0), 1)
	found := LessThan(first, constant(size))
	if g.IsMainFunc() {
		// The number and its place, axis after axis.
		report := []*Node{Gather(flat, Reshape(Min(first, constant(size-1)), 1, 1))}
		rest, stride := first, size
		for _, dim := range dims {
			stride /= dim
			at := Div(rest, constant(stride))
			rest = Sub(rest, Mul(at, constant(stride)))
			report = append(report, at)
		}
		all := Concatenate(report, 0)
		none := BroadcastToDims(constant(-1), len(report))
		s := &site{where, array, things, count}
		s.log(Where(BroadcastToDims(found, len(report)), all, none))
	}
	return &Check{wrong, found}
}

// Index returns the array, or what it was reshaped to, with 0 in the place of
// wrong numbers: not every backend goes on with those.
func (c *Check) Index(index *Node) *Node {
	if c == nil {
		return index
	}
	wrong := Reshape(c.wrong, index.Shape().Dimensions...)
	return Where(wrong, ZerosLike(index), index)
}

// Guard returns x, and NaN in the place of its floats where an index was
// wrong.
func (c *Check) Guard(x *Node) *Node {
	if c == nil || !x.DType().IsFloat() {
		return x
	}
	factor := Where(c.any, ConstAsDType(x.Graph(), x.DType(), []float64{math.NaN()}),
		ConstAsDType(x.Graph(), x.DType(), []float64{1}))
	return Mul(x, BroadcastToShape(Reshape(factor), x.Shape()))
}

// Error is an index that is out of range.
type Error struct {
	Where  string // function that was given it
	Array  string // name of its parameter
	Entry  []int  // place in the array, axis after axis
	Number int64  // that stands there
	Things string // what is numbered
	Count  int    // how many there are
}

// Error says which index it is, and what is in range.
func (e *Error) Error() string {
	return fmt.Sprintf("%s: entry %v of %s is %d: want one of %d %s, 0 to %d", e.Where, e.Entry, e.Array,
		e.Number, e.Count, e.Things, e.Count-1)
}
