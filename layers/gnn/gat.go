package gnn

import (
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/layers/activation"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/model/initializer"

	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/internal/scoped"
)

// gatSlope is the slope of the leaky ReLU of [GATConv] below zero.
const gatSlope = 0.2

// GATConv is graph attention with one head: with z = h W and
//
//	e_ij = LeakyReLU(a_source · z_j + a_target · z_i),  j ∈ N(i) ∪ {i},
//
// of slope 0.2 below zero, it is
//
//	h'_i = b + Σ_j α_ij z_j,  α_ij = exp(e_ij) / Σ_l exp(e_il).
//
// W and a begin as Glorot's, b at zero.
//
// Shapes:
//   - h: [V, in], features of the vertices
//   - variables: weights W [in, width], source and target a [width], biases b [width]
//   - result: [V, width]
//
// Source: Veličković et al., Graph Attention Networks, ICLR 2018.
func GATConv(scope *model.Scope, h *Node, edges *Edges, width int) *Node {
	h = edges.features("GATConv", h, width)
	in := h.Shape().Dimensions[1]
	scope.In("weights") // a second layer in the scope panics
	w := scoped.Variable(scope, h, "weights", glorot(scope, in, width), in, width)
	b := scoped.Variable(scope, h, "biases", initializer.Zero, width)
	attention := func(name string) *Node {
		return ExpandAxes(scoped.Variable(scope, h, name, glorot(scope, 1, width), width), -1)
	}
	z := MatMul(h, w)
	source, target := MatMul(z, attention("source")), MatMul(z, attention("target")) // [V, 1]

	// One gather brings what a message needs of its source.
	from := Gather(Concatenate([]*Node{z, source}, 1), edges.from)
	sent := SliceAxis(from, 1, AxisRangeFromStart(width))
	score := SliceAxis(from, 1, AxisElem(width))

	// The largest score of a vertex is taken off all of them, which changes no α
	// but keeps exp from overflowing. LeakyReLU ascends, so the largest score
	// is that of the largest a_source · z_j.
	largest := ScatterMax(StopGradient(source), edges.to, StopGradient(score), false, false)
	largest = leaky(Add(largest, StopGradient(target)))
	to := Gather(Concatenate([]*Node{target, largest}, 1), edges.to)
	weight := Exp(Sub(leaky(Add(score, SliceAxis(to, 1, AxisElem(0)))), SliceAxis(to, 1, AxisElem(1))))
	self := Exp(Sub(leaky(Add(source, target)), largest))

	// Numerators and denominators are summed up together.
	sums := edges.sum(Concatenate([]*Node{Mul(sent, weight), weight}, 1))
	numerator := Add(SliceAxis(sums, 1, AxisRangeFromStart(width)), Mul(z, self))
	denominator := Add(SliceAxis(sums, 1, AxisElem(width)), self)
	return Add(Div(numerator, denominator), ExpandAxes(b, 0))
}

// leaky is the leaky ReLU of the scores.
func leaky(x *Node) *Node { return activation.LeakyReluWith(x, gatSlope) }

// GAT stacks depth layers [GATConv], of width hidden and with ReLU after each but
// the last, and sums the last over the vertices of each graph: [graphs, outputs].
// Layer i has its variables in scope "layer_i".
func GAT(scope *model.Scope, batch *layers.Batch, hidden, depth, outputs int) *Node {
	return stack(scope, batch, GATConv, hidden, depth, outputs)
}
