package gnn

import (
	. "github.com/gomlx/gomlx/core/graph"
	gomlx "github.com/gomlx/gomlx/ml/layers"
	"github.com/gomlx/gomlx/ml/layers/activation"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/support/exceptions"

	"github.com/neuralkforms/nkf/layers"
)

// egnnDropout is the share of the features of a graph that [EGNN] drops
// before its last two layers in training.
const egnnDropout = 0.4

// Distances returns the Euclidean distances of the ends of the edges,
// [M, 1] for vertices with coordinates x [V, n]. They change when x turns
// or moves no more than the points do. The gradient at distance zero is
// taken as zero.
func Distances(x *Node, edges *Edges) *Node {
	x = edges.features("Distances", x, 1)
	square := ReduceAndKeep(Square(Sub(Gather(x, edges.to), Gather(x, edges.from))), ReduceSum, 1)
	zero := Equal(square, ScalarZero(x.Graph(), x.DType()))
	return Where(zero, ZerosLike(square), Sqrt(Where(zero, OnesLike(square), square)))
}

// EGNNConv is the layer of equivariant graph networks with an edge inference
// gate, whose coordinates stay as they are: with
//
//	m_ij = φ_e([h_i, h_j, |x_i - x_j|]),  j ∈ N(i),
//	m_i  = Σ_j sigmoid(φ_inf(m_ij)) · m_ij,
//
// it is h'_i = h_i + φ_h([h_i, m_i]), where φ_e is Linear – SiLU – Linear –
// SiLU, φ_inf is Linear and φ_h is Linear – SiLU – Linear. It begins as
// PyTorch's Linear.
//
// Shapes, where H is the width, that of h:
//   - h: [V, H], features of the vertices
//   - distances: [M, 1], those of the edges, see [Distances]
//   - variables: weights and biases of message_0 [2H+1, H], message_1 [H, H],
//     gate [H, 1], update_0 [2H, H], update_1 [H, H]
//   - result: [V, H]
//
// Source: Satorras, Hoogeboom and Welling, E(n) Equivariant Graph Neural
// Networks, ICML 2021, equations 3, 5, 6 and 8.
func EGNNConv(scope *model.Scope, h, distances *Node, edges *Edges) *Node {
	h = edges.features("EGNNConv", h, 1)
	if want := edges.from.Shape(); distances.Rank() != 2 || !want.EqualDimensions(distances.Shape()) {
		exceptions.Panicf("gnn.EGNNConv: distances of shape %s: want %v, one for each directed edge",
			distances.Shape(), want.Dimensions)
	}
	in := scope.In
	width := h.Shape().Dimensions[1]
	// The first map is applied to the vertices, before the gathers.
	first := layers.Affine(in("message_0"), h, 2*width+1, width)
	rows := func(x *Node, from, to int) *Node { return MatMul(x, SliceAxis(first.W, 0, AxisRange(from, to))) }
	receiver, sender := Add(rows(h, 0, width), ExpandAxes(first.B, 0)), rows(h, width, 2*width)
	m := Add(Gather(receiver, edges.to), Gather(sender, edges.from))
	m = activation.Swish(Add(m, rows(distances, 2*width, 2*width+1)))
	m = activation.Swish(layers.Linear(in("message_1"), m, width))
	m = edges.sum(Mul(m, Sigmoid(layers.Linear(in("gate"), m, 1))))

	update := activation.Swish(layers.Linear(in("update_0"), Concatenate([]*Node{h, m}, 1), width))
	return Add(h, layers.Linear(in("update_1"), update, width))
}

// EGNN stacks depth layers [EGNNConv] of width hidden:
//
//	h = Linear(x), the layers, Linear – SiLU – Linear, the sum over the
//	vertices of a graph, dropout, Linear – SiLU – Linear,
//
// with the result [graphs, outputs]. The features x of the vertices are also
// their coordinates, as in the experiments of the paper on neural k-forms.
// Variables are in the scopes embedding, layer_i, vertices_0, vertices_1,
// graphs_0 and graphs_1.
func EGNN(scope *model.Scope, batch *layers.Batch, hidden, depth, outputs int) *Node {
	drop := func(x *Node) *Node { return gomlx.DropoutStatic(scope, x, egnnDropout) }
	return egnn(scope, batch, undirected(batch), hidden, depth, outputs, drop)
}

// egnn is EGNN with messages along the given edges and its own dropout.
func egnn(scope *model.Scope, batch *layers.Batch, edges *Edges, hidden, depth, outputs int,
	drop func(*Node) *Node) *Node {
	in := scope.In
	distances := Distances(batch.Vertices(), edges)
	h := layers.Linear(in("embedding"), batch.Vertices(), hidden)
	for i := range depth {
		h = EGNNConv(in("layer_%d", i), h, distances, edges)
	}
	h = activation.Swish(layers.Linear(in("vertices_0"), h, hidden))
	h = sum(batch, layers.Linear(in("vertices_1"), h, hidden))
	h = activation.Swish(layers.Linear(in("graphs_0"), drop(h), hidden))
	return layers.Linear(in("graphs_1"), h, outputs)
}
