package gnn

import (
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/model/initializer"

	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/internal/scoped"
)

// GCNConv is the graph convolution with the symmetrically normalised
// adjacency matrix,
//
//	h'_i = b + Σ_{j ∈ N(i) ∪ {i}} h_j W / √(d_i d_j),
//
// where d_i = 1 + |N(i)|. W begins as Glorot's, b at zero.
//
// Shapes:
//   - h: [V, in], features of the vertices
//   - variables: weights W [in, width], biases b [width]
//   - result: [V, width]
//
// Source: Kipf and Welling, Semi-Supervised Classification with Graph
// Convolutional Networks, ICLR 2017.
func GCNConv(scope *model.Scope, h *Node, edges *Edges, width int) *Node {
	h = edges.features("GCNConv", h, width)
	in := h.Shape().Dimensions[1]
	scope.In("weights") // a second layer in the scope panics
	w := scoped.Variable(scope, h, "weights", glorot(scope, in, width), in, width)
	b := scoped.Variable(scope, h, "biases", initializer.Zero, width)
	norm := edges.invSqrtDegree(h.DType())
	average := func(h *Node) *Node {
		h = Mul(h, norm)
		return Mul(Add(h, edges.neighbors(h)), norm)
	}
	// The two commute: messages are as narrow as possible.
	if in < width {
		h = MatMul(average(h), w)
	} else {
		h = average(MatMul(h, w))
	}
	return Add(h, ExpandAxes(b, 0))
}

// GCN stacks depth layers [GCNConv], of width hidden and with ReLU after each but
// the last, and sums the last over the vertices of each graph: [graphs, outputs].
// Layer i has its variables in scope "layer_i".
func GCN(scope *model.Scope, batch *layers.Batch, hidden, depth, outputs int) *Node {
	return stack(scope, batch, GCNConv, hidden, depth, outputs)
}
