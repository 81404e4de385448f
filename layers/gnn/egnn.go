package gnn

import (
	. "github.com/gomlx/gomlx/core/graph"
	gomlx "github.com/gomlx/gomlx/ml/layers"
	"github.com/gomlx/gomlx/ml/layers/activation"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/internal/scoped"
)

// egnnDropout is the share of the features of a graph that [EGNN] drops
// before its last two layers in training.
const egnnDropout = 0.4

// EGNN stacks depth layers of equivariant graph networks of width hidden:
//
//	h = Linear(x), the layers, Linear – SiLU – Linear, the sum over the
//	vertices of a graph, dropout of 40 %, Linear – SiLU – Linear,
//
// with the result [graphs, outputs]. As in the published code of neural k-forms, distances are those of all
// features x of the vertices, one-hot labels among them, and coordinates are not updated. The features are
// inputs, too, so the network is equivariant under no motion: it is named after its layers. A layer has an
// edge inference gate: with
//
//	m_ij = φ_e([h_i, h_j, |x_i - x_j|]),  j ∈ N(i),
//	m_i  = Σ_j sigmoid(φ_inf(m_ij)) · m_ij,
//
// it is h'_i = h_i + φ_h([h_i, m_i]), where φ_e is Linear – SiLU – Linear –
// SiLU, φ_inf is Linear and φ_h is Linear – SiLU – Linear. All maps begin as
// PyTorch's Linear. They are in the scopes embedding, layer_i, vertices_0,
// vertices_1, graphs_0 and graphs_1, and those of a layer in message_0, message_1,
// gate, update_0 and update_1.
//
// Source: Satorras, Hoogeboom and Welling, E(n) Equivariant Graph Neural
// Networks, ICML 2021, equations 3, 5, 6 and 8.
func EGNN(scope *model.Scope, batch *layers.Batch, hidden, depth, outputs int) *Node {
	return egnn(scope, batch, hidden, depth, outputs, func(x *Node) *Node {
		return gomlx.DropoutStatic(scope, x, egnnDropout)
	})
}

// egnn is EGNN with a dropout of its own.
func egnn(scope *model.Scope, batch *layers.Batch, hidden, depth, outputs int,
	drop func(*Node) *Node) *Node {
	check(scope, batch, hidden, depth, outputs)
	in := scope.In
	edges, x := newEdges(batch)
	distances := distances(x, edges)
	h := layers.Linear(in("embedding"), x, hidden)
	for i := range depth {
		h = egnnLayer(in("layer_%d", i), h, distances, edges)
	}
	h = activation.Swish(layers.Linear(in("vertices_0"), h, hidden))
	h = sum(batch, layers.Linear(in("vertices_1"), h, hidden))
	h = activation.Swish(layers.Linear(in("graphs_0"), drop(h), hidden))
	return layers.Linear(in("graphs_1"), h, outputs)
}

// distances returns the Euclidean distances of the ends of the edges, [M, 1]. The
// gradient at distance zero is taken as zero.
func distances(x *Node, edges *edges) *Node {
	from, to := edges.batch.Directed()
	square := Square(Sub(Gather(x, to), Gather(x, from)))
	return layers.SafeSqrt(ReduceAndKeep(square, ReduceSum, 1))
}

// egnnLayer is a layer of [EGNN], for features h [V, H] and distances [M, 1].
func egnnLayer(scope *model.Scope, h, distances *Node, edges *edges) *Node {
	in := scope.In
	width := h.Shape().Dimensions[1]
	// The first map is applied to the vertices, before the gathers.
	first := scoped.Affine(in("message_0"), h, 2*width+1, width)
	rows := func(x *Node, from, to int) *Node { return MatMul(x, SliceAxis(first.W, 0, AxisRange(from, to))) }
	receiver, sender := Add(rows(h, 0, width), ExpandAxes(first.B, 0)), rows(h, width, 2*width)
	from, to := edges.batch.Directed()
	m := Add(Gather(receiver, to), Gather(sender, from))
	m = activation.Swish(Add(m, rows(distances, 2*width, 2*width+1)))
	m = activation.Swish(layers.Linear(in("message_1"), m, width))
	m = edges.sum(Mul(m, Sigmoid(layers.Linear(in("gate"), m, 1))))

	update := activation.Swish(layers.Linear(in("update_0"), Concatenate([]*Node{h, m}, 1), width))
	return Add(h, layers.Linear(in("update_1"), update, width))
}
