package train

import (
	"fmt"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
)

// buildSteps builds the program of up to k.rows steps: a loop over the steps
// from, …, to-1, each of which reads its batch from a row of the table of
// batches and updates the variables. There is no gradient through the loop,
// and none is needed: it is taken inside.
//
// Outputs: the variables, the sum of the losses, and the first step whose
// loss was not finite (k.rows if there was none).
func (e *engine) buildSteps(g *Graph, k key, variables []*Node) []*Node {
	table := Parameter(g, "table", e.table.Shape())
	batches := Parameter(g, "batches", shapes.Make(dtypes.Int32, k.rows, k.layout.width()))
	from := Parameter(g, "from", shapes.Make(dtypes.Int32))
	to := Parameter(g, "to", shapes.Make(dtypes.Int32))
	// GoMLX keeps one node for each value of Scalar in a graph, and a closure
	// cannot use a node of another: outside the body there is only Const.
	state := append(append([]*Node{}, variables...),
		Const(g, float32(0)), Const(g, int32(k.rows)), from, to, table, batches)
	if k.rows > 1 {
		return e.loop(g, k, state)[:len(variables)+2]
	}
	return e.advance(k, state)[:len(variables)+2]
}

// loop repeats advance while there are steps left.
func (e *engine) loop(g *Graph, k key, state []*Node) []*Node {
	parameters := func(g *Graph) []*Node {
		out := make([]*Node, len(state))
		for i, node := range state {
			out[i] = Parameter(g, fmt.Sprintf("state_%d", i), node.Shape())
		}
		return out
	}
	left := NewClosure(g, func(g *Graph) []*Node {
		s := parameters(g)[len(e.variables):]
		return []*Node{LessThan(s[at], s[end])}
	})
	body := NewClosure(g, func(g *Graph) []*Node { return e.advance(k, parameters(g)) })
	return While(left, body, state...)
}

// Places in the state of the loop behind the variables: the sum of losses,
// the first bad step, the next step, the end, the vertices, the batches.
const (
	sum = iota
	bad
	at
	end
	vertices
	batches
)

// advance builds one step on the state of the loop and returns the new one.
func (e *engine) advance(k key, state []*Node) []*Node {
	s := state[len(e.variables):]
	for i, v := range e.variables {
		v.SetNodeValue(state[i])
	}
	g := s[at].Graph()
	row := Squeeze(Gather(s[batches], Reshape(s[at], 1, 1)), 0)
	loss := ConvertDType(e.step(g, k.layout.unpack(s[vertices], row)), dtypes.Float32)
	out := make([]*Node, 0, len(state))
	for _, v := range e.variables {
		out = append(out, v.NodeValue(g))
	}
	first := And(Not(IsFinite(loss)), Equal(s[bad], Const(g, int32(k.rows))))
	return append(out, Add(s[sum], loss), Where(first, s[at], s[bad]), OnePlus(s[at]), s[end], s[vertices], s[batches])
}

// epoch trains one epoch on the complexes in the given order, cut into
// batches; a last batch that is not full is dropped. It returns the new
// state and the mean loss of the steps. The old state stays as it is.
func (e *engine) epoch(state *State, order []int32, plan *plan) (*State, float64, error) {
	steps := len(order) / plan.batch
	total := 0.0
	current := state
	for from := 0; from < steps; {
		usual, to := plan.segment(e.data, order, from, steps)
		next, loss, err := e.segment(current, order, plan, usual, from, to)
		if current != state {
			current.free()
		}
		if err != nil {
			return nil, 0, err
		}
		current, total, from = next, total+loss, to
	}
	return current, total / float64(max(1, steps)), nil
}

// segment runs the steps from, …, to-1 of an epoch, which share a shape, and
// returns the new state and the sum of the losses.
func (e *engine) segment(state *State, order []int32, p *plan, usual bool, from, to int) (*State, float64, error) {
	k := p.training(usual)
	program, err := e.compile(k, e.buildSteps)
	if err != nil {
		return nil, 0, err
	}
	width := k.layout.width()
	table := make([]int32, k.rows*width)
	mask := make([]bool, p.batch)
	for step := from; step < to; step++ {
		row := table[(step-from)*width : (step-from+1)*width]
		if err := k.layout.pack(e.data, order[step*p.batch:(step+1)*p.batch], row, mask); err != nil {
			return nil, 0, err
		}
	}
	rows := tensors.FromFlatDataAndDimensions(table, k.rows, width)
	defer rows.MustFinalizeAll()
	out, err := e.run(program, state, e.table, rows, int32(0), int32(to-from))
	if err != nil {
		return nil, 0, err
	}
	count := len(e.variables)
	loss, first := tensors.ToScalar[float32](out[count+sum]), int(tensors.ToScalar[int32](out[count+bad]))
	out[count+sum].MustFinalizeAll()
	out[count+bad].MustFinalizeAll()
	next := &State{out[:count]}
	if first < k.rows {
		next.free()
		step := from + first
		return nil, 0, &NotFiniteError{Step: step, Complexes: order[step*p.batch : (step+1)*p.batch]}
	}
	return next, float64(loss), nil
}

// NotFiniteError reports a loss that is NaN or infinite.
type NotFiniteError struct {
	Step      int     // step of the epoch whose loss it was, from 0
	Complexes []int32 // the complexes of its batch
}

// Error names the step and the batch.
func (e *NotFiniteError) Error() string {
	return fmt.Sprintf("the loss of step %d is not a finite number (batch of complexes %v): "+
		"check their coordinates, or lower the learning rate", e.Step, e.Complexes)
}
