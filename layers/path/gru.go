package path

import (
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/exterior"
	"github.com/neuralkforms/nkf/layers/internal/scoped"
)

// GRU returns the logits of recurrent networks of gated units, as [Network] does, on what [CNN] sees: Layers
// layers of Width units in each direction, each on both directions of the one before, and the mean over time.
// Source: Cho et al., Learning phrase representations using RNN encoder–decoder for statistical machine
// translation, 2014, in PyTorch's variant, where the reset gate acts after the product.
func GRU(scope *model.Scope, batch *layers.Batch, config Config, outputs int) *Node {
	x := config.input(scope, batch) // [E, B, T, 2n+1]
	for i := range config.Layers {
		x = gru(scope.In("layer_%d", i), x, config.Width)
	}
	return config.vote(scope.In("head"), ReduceMean(x, 2), outputs)
}

// gru returns the states [E, B, T, 2m] of m gated units that go through x [E, B, T, in] and of m that come
// back. Both directions of all members are steps of one product.
func gru(scope *model.Scope, x *Node, m int) *Node {
	d := x.Shape().Dimensions
	members, rows, points, in := d[0], d[1], d[2], d[3]
	weights, biases := layers.FanInUniform(scope, 0, m)
	get := func(name string, init model.VariableInitializer, k int) *Node {
		w := scoped.Variable(scope, x, name, init, members, 2, k, 3*m) // directions; reset, update, new
		return Reshape(Transpose(w, 0, 1), 2*members, k, 3*m)
	}
	both := Concatenate([]*Node{x, x}, 0) // [2E, B, T, in]
	inputs := exterior.Affine{W: get("input_weights", weights, in), B: get("input_biases", biases, 1)}
	from := inputs.Apply(both)
	recurrent := exterior.Affine{W: get("weights", weights, m), B: get("biases", biases, 1)}
	h := BroadcastToDims(ScalarZero(x.Graph(), x.DType()), 2*members, rows, m)
	there, back := AxisRange(0, members), AxisRange(members, 2*members)
	forward, backward := make([]*Node, points), make([]*Node, points)
	for t := range points {
		a := Concatenate([]*Node{
			Slice(from, there, AxisRange(), AxisElem(t)),
			Slice(from, back, AxisRange(), AxisElem(points-1-t)),
		}, 0)
		a = Reshape(a, 2*members, rows, 3*m)
		b := recurrent.Apply(h)
		gates := Sigmoid(Add(SliceAxis(a, 2, AxisRange(0, 2*m)), SliceAxis(b, 2, AxisRange(0, 2*m))))
		reset, update := SliceAxis(gates, 2, AxisRange(0, m)), SliceAxis(gates, 2, AxisRange(m, 2*m))
		n := Tanh(Add(SliceAxis(a, 2, AxisRange(2*m, 3*m)),
			Mul(reset, SliceAxis(b, 2, AxisRange(2*m, 3*m)))))
		h = Add(n, Mul(update, Sub(h, n)))
		steps := ExpandAxes(h, 2)
		forward[t], backward[points-1-t] = SliceAxis(steps, 0, there), SliceAxis(steps, 0, back)
	}
	return Concatenate([]*Node{Concatenate(forward, 2), Concatenate(backward, 2)}, 3)
}
