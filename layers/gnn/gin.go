package gnn

import (
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/layers/activation"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/neuralkforms/nkf/layers"
)

// GINConv is the layer of graph isomorphism networks,
//
//	h'_i = ReLU(s_i A + a) B + b,  s_i = h_i + Σ_{j ∈ N(i)} h_j,
//
// that is ε = 0, not learned. It begins as PyTorch's Linear.
//
// Shapes:
//   - h: [V, in], features of the vertices
//   - variables: inner/weights A [in, width], inner/biases a [width],
//     outer/weights B [width, width], outer/biases b [width]
//   - result: [V, width]
//
// Source: Xu et al., How Powerful are Graph Neural Networks?, ICLR 2019.
func GINConv(scope *model.Scope, h *Node, edges *Edges, width int) *Node {
	h = edges.features("GINConv", h, width)
	in := h.Shape().Dimensions[1]
	inner := layers.Affine(scope.In("inner"), h, in, width)
	sum := func(h *Node) *Node { return Add(h, edges.neighbors(h)) }
	// The two commute: messages are as narrow as possible.
	if in < width {
		h = MatMul(sum(h), inner.W)
	} else {
		h = sum(MatMul(h, inner.W))
	}
	h = activation.Relu(Add(h, ExpandAxes(inner.B, 0)))
	return layers.Linear(scope.In("outer"), h, width)
}

// GIN stacks depth layers [GINConv], of width hidden and with ReLU after each but
// the last, and sums the last over the vertices of each graph: [graphs, outputs].
// Layer i has its variables in scope "layer_i".
func GIN(scope *model.Scope, batch *layers.Batch, hidden, depth, outputs int) *Node {
	return stack(scope, batch, GINConv, hidden, depth, outputs)
}
