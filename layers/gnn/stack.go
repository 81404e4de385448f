package gnn

import (
	"math"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/layers/activation"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/model/initializer"
	"github.com/gomlx/gomlx/support/exceptions"

	"github.com/neuralkforms/nkf/layers"
)

// sum returns the sums of the rows of h [V, width] over the vertices of each
// graph: [B, width].
func sum(b *layers.Batch, h *Node) *Node {
	return layers.Readout(layers.Sum, h, b.Of(0), b.Complexes())
}

// undirected returns the edges of the batch.
func undirected(b *layers.Batch) *Edges {
	if b.Degree() < 1 {
		exceptions.Panicf("gnn: a batch of degree %d has no edges", b.Degree())
	}
	return Undirected(b.Corners(1), b.Count(0))
}

// stack applies depth layers with ReLU between them, all of width hidden but the
// last, which has width outputs, and sums over the vertices of each graph:
// [B, outputs].
func stack(scope *model.Scope, b *layers.Batch, conv conv, hidden, depth, outputs int) *Node {
	if depth < 1 {
		exceptions.Panicf("gnn: %d layers: want 1 or more", depth)
	}
	edges, h := undirected(b), b.Vertices()
	in := func(i int) *model.Scope { return scope.In("layer_%d", i) }
	for i := range depth - 1 {
		h = activation.Relu(conv(in(i), h, edges, hidden))
	}
	return sum(b, conv(in(depth-1), h, edges, outputs))
}

// conv is what the layers have in common.
type conv func(scope *model.Scope, h *Node, edges *Edges, width int) *Node

// glorot is uniform in ±√(6 / (in + out)). Source: Glorot and Bengio,
// Understanding the difficulty of training deep feedforward neural networks,
// 2010.
func glorot(scope *model.Scope, in, out int) model.VariableInitializer {
	bound := math.Sqrt(6 / float64(in+out))
	return initializer.RandomUniformFn(scope, -bound, bound)
}
