package train

import (
	"fmt"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/train/optimizer"
)

// buildStep builds a step of an optimizer and returns its loss.
func buildStep(store *model.Store, o optimizer.Interface, g *Graph, loss func() *Node) *Node {
	store.SetTraining(g, true)
	value := loss()
	o.UpdateGraph(store.RootScope(), g, value)
	return value
}

// eachRow builds a loop on the device over the rows from, …, to-1 of tables:
// step gets a row of each, without its first axis, and the constants, sets the
// variables to their next values, and returns the loss. There is no gradient
// through the loop, and none is needed: it is taken inside. Without a loop, it
// builds the step of the row from alone.
//
// The variables end up as the last step leaves them; eachRow returns the sum of
// the losses, float32.
func eachRow(variables []*model.Variable, tables, constants []*Node, from, to *Node, loop bool,
	step func(row, constants []*Node) *Node) (sum *Node) {
	g := from.Graph()
	// The state of the loop: the variables, the sum of losses, the next row and the end, tables, constants.
	const lossAt, rowAt, endAt, tablesAt = 0, 1, 2, 3
	advance := func(state []*Node) []*Node {
		for i, v := range variables {
			v.SetNodeValue(state[i])
		}
		s := state[len(variables):]
		at := Reshape(s[rowAt], 1, 1)
		row := make([]*Node, len(tables))
		for i := range row {
			row[i] = Squeeze(Gather(s[tablesAt+i], at), 0)
		}
		loss := ConvertDType(step(row, s[tablesAt+len(tables):]), dtypes.Float32)
		next := make([]*Node, 0, len(state))
		for _, v := range variables {
			next = append(next, v.NodeValue(s[rowAt].Graph()))
		}
		next = append(next, Add(s[lossAt], loss), OnePlus(s[rowAt]))
		return append(next, s[endAt:]...)
	}
	var state []*Node
	for _, v := range variables {
		state = append(state, v.NodeValue(g))
	}
	// GoMLX keeps one node for each value of Scalar in a graph, and a closure
	// cannot use a node of another: outside the body there is only Const.
	state = append(state, Const(g, float32(0)), from, to)
	state = append(append(state, tables...), constants...)
	if !loop {
		state = advance(state)
	} else {
		parameters := func(g *Graph) []*Node {
			out := make([]*Node, len(state))
			for i, node := range state {
				out[i] = Parameter(g, fmt.Sprintf("state_%d", i), node.Shape())
			}
			return out
		}
		left := NewClosure(g, func(g *Graph) []*Node {
			s := parameters(g)[len(variables):]
			return []*Node{LessThan(s[rowAt], s[endAt])}
		})
		body := NewClosure(g, func(g *Graph) []*Node { return advance(parameters(g)) })
		state = While(left, body, state...)
	}
	for i, v := range variables {
		v.SetNodeValue(state[i])
	}
	return state[len(variables)+lossAt]
}
