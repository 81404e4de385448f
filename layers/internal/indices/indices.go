// Package indices finds indices that are out of range, in graphs and while
// they run: edges that end at vertices which do not exist, rows of complexes
// which do not exist.
//
// A device does not check indices. Gathering clamps row numbers that are too
// large or negative, so the edge {0, 7} of three vertices is integrated as
// {0, 2}; summing drops such rows. Checking every index of every batch would
// take time, so this is a debug mode, off by default. It is on in graphs that
// are built while the environment variable NKF_CHECK_INDICES is set to a value
// other than 0 or false. When it is off, nothing is added to a graph.
//
// When it is on, a wrong index makes the result of the function that takes it
// NaN throughout, and so the loss, on every backend and in loops. Outside of
// loops the function also reports the wrong index through GoMLX's logged nodes:
// [Attach] makes an executor panic with an [Error],
//
//	exterior.Integrate: entry [1 1] of simplices is 7: want one of 3 vertices, 0 to 2
//
// and GoMLX's own executor prints a line for every check, with the first wrong
// index, or -1 if there is none.
//
// Collections of package datasets and calls of layers.Integrator are always
// checked, on the host.
package indices

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
)

// Variable is the environment variable that makes graphs check their indices.
const Variable = "NKF_CHECK_INDICES"

// Enabled reports whether graphs that are built now check their indices.
func Enabled() bool {
	value := os.Getenv(Variable)
	on, err := strconv.ParseBool(value)
	return on || err != nil && value != ""
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

// Check is the check of an array of indices on a graph. A nil Check, as in
// graphs that do not check, lets everything pass.
type Check struct {
	wrong *Node // bool [size of the array]
	any   *Node // bool [1]
}

// checks are those of a graph: by the node that reports the first wrong number and its place, the error to
// return.
type checks map[NodeId]func(report []int64) *Error

// key is what the checks are attached to their graph by.
type key struct{}

// New checks that the entries of an array of integers, of any shape, are 0 to
// count-1. where is the function that was given it, array the name of the
// parameter, and things are what is numbered. It returns nil where graphs do
// not check.
func New(where, array, things string, index *Node, count int) *Check {
	size := index.Shape().Size()
	if !Enabled() || size == 0 {
		return nil
	}
	g := index.Graph()
	// Constants are not scalars of GoMLX, which a graph shares with its loops.
	constant := func(x int) *Node { return Const(g, []int64{int64(x)}) }
	flat := Reshape(ConvertDType(index, dtypes.Int64), size)
	wrong := LogicalOr(LessThan(flat, constant(0)), GreaterOrEqual(flat, constant(count)))
	places := Iota(g, shapes.Make(dtypes.Int64, size), 0)
	first := Reshape(ReduceMin(Where(wrong, places, BroadcastToDims(constant(size), size)), 0), 1)
	found := LessThan(first, constant(size))
	if g.IsMainFunc() {
		number := Gather(flat, Reshape(Min(first, constant(size-1)), 1, 1))
		report := Concatenate([]*Node{number, Where(found, first, constant(-1))}, 0)
		report.SetLogged(fmt.Sprintf("%s: first number in %s that is none of %d %s, and its place (-1: none)",
			where, array, count, things))
		known, _ := g.State(key{}).(checks)
		if known == nil {
			known = checks{}
			g.AttachState(key{}, known)
		}
		dims := slices.Clone(index.Shape().Dimensions)
		known[report.Id()] = func(report []int64) *Error {
			place, entry := int(report[1]), make([]int, max(1, len(dims)))
			for axis := len(dims) - 1; axis >= 0; axis-- {
				entry[axis], place = place%dims[axis], place/dims[axis]
			}
			return &Error{where, array, entry, report[0], things, count}
		}
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

// Executor is an executor of GoMLX, graph.Exec or model.Exec.
type Executor interface {
	SetNodeLogger(logger LoggerFn)
	GetNodeLogger() LoggerFn
}

// Attach makes an executor panic with an [Error] after a call in which an
// index was out of range: the first one of the graph. Whatever else is logged
// goes to the logger that the executor had. Variables that the call would have
// changed are lost with it.
func Attach(exec Executor) {
	next := exec.GetNodeLogger()
	exec.SetNodeLogger(func(g *Graph, messages []string, values []*tensors.Tensor, nodes []NodeId) {
		known, _ := g.State(key{}).(checks)
		var first *Error
		var rest struct {
			messages []string
			values   []*tensors.Tensor
			nodes    []NodeId
		}
		for i, node := range nodes {
			if wrong := known[node]; wrong == nil {
				rest.messages = append(rest.messages, messages[i])
				rest.values = append(rest.values, values[i])
				rest.nodes = append(rest.nodes, node)
			} else if report := tensors.MustCopyFlatData[int64](values[i]); first == nil && report[1] >= 0 {
				first = wrong(report)
			}
		}
		if next != nil {
			next(g, rest.messages, rest.values, rest.nodes)
		}
		if first != nil {
			panic(first)
		}
	})
}
