package gnn

import (
	"math"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/layers/activation"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/model/initializer"
	"github.com/gomlx/gomlx/support/exceptions"

	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/internal/scoped"
)

// GCN stacks depth graph convolutions with the symmetrically normalized adjacency
// matrix,
//
//	h'_i = b + Σ_{j ∈ N(i) ∪ {i}} h_j W / √(d_i d_j),
//
// where d_i = 1 + |N(i)|, of width hidden and with ReLU after each but the last,
// and sums the last over the vertices of each graph: [graphs, outputs]. Layer i has
// the weights W and biases b in scope "layer_i"; W begins as Glorot's, b at zero.
//
// Source: Kipf and Welling, Semi-Supervised Classification with Graph
// Convolutional Networks, ICLR 2017.
func GCN(scope *model.Scope, batch *layers.Batch, hidden, depth, outputs int) *Node {
	return stack(scope, batch, gcn, hidden, depth, outputs)
}

// GAT stacks layers of graph attention with one head like those of [GCN]: with z = h W and
//
//	e_ij = LeakyReLU(a_source · z_j + a_target · z_i),  j ∈ N(i) ∪ {i},
//
// of slope 0.2 below zero, a layer is
//
//	h'_i = b + Σ_j α_ij z_j,  α_ij = exp(e_ij) / Σ_l exp(e_il).
//
// Variables are weights W, source and target a, and biases b; W and a begin as
// Glorot's, b at zero.
//
// Source: Veličković et al., Graph Attention Networks, ICLR 2018.
func GAT(scope *model.Scope, batch *layers.Batch, hidden, depth, outputs int) *Node {
	return stack(scope, batch, gat, hidden, depth, outputs)
}

// GIN stacks layers of graph isomorphism networks like those of [GCN],
//
//	h'_i = ReLU(s_i A + a) B + b,  s_i = h_i + Σ_{j ∈ N(i)} h_j,
//
// with fixed ε = 0. The maps A, a and B, b, in scopes "inner" and "outer", begin as PyTorch's Linear.
//
// Source: Xu et al., How Powerful are Graph Neural Networks?, ICLR 2019.
func GIN(scope *model.Scope, batch *layers.Batch, hidden, depth, outputs int) *Node {
	return stack(scope, batch, gin, hidden, depth, outputs)
}

// layer returns new features [V, width] of the vertices.
type layer func(scope *model.Scope, h *Node, edges *edges, width int) *Node

// stack applies depth layers with ReLU between them, all of width hidden but the
// last, which has width outputs, and sums over the vertices of each graph.
func stack(scope *model.Scope, b *layers.Batch, layer layer, hidden, depth, outputs int) *Node {
	check(scope, b, hidden, depth, outputs)
	edges, h := newEdges(b)
	in := func(i int) *model.Scope { return scope.In("layer_%d", i) }
	for i := range depth - 1 {
		h = activation.Relu(layer(in(i), h, edges, hidden))
	}
	return sum(b, layer(in(depth-1), h, edges, outputs))
}

// check panics for a network that cannot be.
func check(scope *model.Scope, b *layers.Batch, hidden, depth, outputs int) {
	scoped.Need("gnn", scope)
	if b == nil {
		exceptions.Panicf("gnn: the batch is nil: want one of layers.Unpack or layers.NewBatch")
	}
	if depth < 1 || hidden < 1 || outputs < 1 {
		exceptions.Panicf("gnn: %d layers, width %d, %d outputs: want 1 or more", depth, hidden, outputs)
	}
}

// sum returns the sums of the rows of h [V, width] over the vertices of each
// graph: [B, width].
func sum(b *layers.Batch, h *Node) *Node {
	return layers.Readout(layers.Sum, h, b.Of(0), b.Complexes())
}

// gcn is the layer of [GCN].
func gcn(scope *model.Scope, h *Node, edges *edges, width int) *Node {
	w, b := affine(scope, h, width)
	norm := edges.invSqrtDegree(h)
	h = narrow(h, w, func(h *Node) *Node {
		h = Mul(h, norm)
		return Mul(Add(h, edges.batch.Neighbors(h)), norm)
	})
	return Add(h, ExpandAxes(b, 0))
}

// gin is the layer of [GIN].
func gin(scope *model.Scope, h *Node, edges *edges, width int) *Node {
	inner := scoped.Affine(scope.In("inner"), h, h.Shape().Dimensions[1], width)
	h = narrow(h, inner.W, func(h *Node) *Node { return Add(h, edges.batch.Neighbors(h)) })
	h = activation.Relu(Add(h, ExpandAxes(inner.B, 0)))
	return layers.Linear(scope.In("outer"), h, width)
}

// narrow applies w [in, width] and what passes messages to h [V, in]. The two
// commute: messages are as narrow as possible.
func narrow(h, w *Node, pass func(h *Node) *Node) *Node {
	if d := w.Shape().Dimensions; d[0] < d[1] {
		return MatMul(pass(h), w)
	}
	return pass(MatMul(h, w))
}

// gat is the layer of [GAT].
func gat(scope *model.Scope, h *Node, edges *edges, width int) *Node {
	w, b := affine(scope, h, width)
	attention := func(name string) *Node {
		return ExpandAxes(scoped.Variable(scope, h, name, glorot(scope, 1, width), width), -1)
	}
	z := MatMul(h, w)
	source, target := MatMul(z, attention("source")), MatMul(z, attention("target")) // [V, 1]

	// One gather brings what a message needs of its source.
	from, to := edges.batch.Directed()
	sender := Gather(Concatenate([]*Node{z, source}, 1), from)
	sent := SliceAxis(sender, 1, AxisRangeFromStart(width))
	score := SliceAxis(sender, 1, AxisElem(width))

	// The largest score of a vertex is taken off all of them, which changes no α
	// but keeps exp from overflowing. LeakyReLU ascends, so the largest score
	// is that of the largest a_source · z_j.
	largest := ScatterMax(StopGradient(source), to, StopGradient(score), false, false)
	largest = leaky(Add(largest, StopGradient(target)))
	receiver := Gather(Concatenate([]*Node{target, largest}, 1), to)
	weight := leaky(Add(score, SliceAxis(receiver, 1, AxisElem(0))))
	weight = Exp(Sub(weight, SliceAxis(receiver, 1, AxisElem(1))))
	self := Exp(Sub(leaky(Add(source, target)), largest))

	// Numerators and denominators are summed up together.
	sums := edges.sum(Concatenate([]*Node{Mul(sent, weight), weight}, 1))
	numerator := Add(SliceAxis(sums, 1, AxisRangeFromStart(width)), Mul(z, self))
	denominator := Add(SliceAxis(sums, 1, AxisElem(width)), self)
	return Add(Div(numerator, denominator), ExpandAxes(b, 0))
}

// leaky is the leaky ReLU of the scores.
func leaky(x *Node) *Node { return activation.LeakyReluWith(x, 0.2) }

// affine returns weights and biases for h [V, in], as PyTorch Geometric begins them.
func affine(scope *model.Scope, h *Node, width int) (w, b *Node) {
	in := h.Shape().Dimensions[1]
	scope.In("weights") // a second layer in the scope panics
	w = scoped.Variable(scope, h, "weights", glorot(scope, in, width), in, width)
	return w, scoped.Variable(scope, h, "biases", initializer.Zero, width)
}

// glorot is uniform in ±√(6 / (in + out)). Source: Glorot and Bengio,
// Understanding the difficulty of training deep feedforward neural networks,
// 2010.
func glorot(scope *model.Scope, in, out int) model.VariableInitializer {
	bound := math.Sqrt(6 / float64(in+out))
	return initializer.RandomUniformFn(scope, -bound, bound)
}
