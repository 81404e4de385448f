package experiments

import (
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// network is a network of package gnn.
type network func(scope *model.Scope, batch *layers.Batch, hidden, depth, outputs int) *Node

// messagePassing is a baseline of the paper (appendix E): twice as wide as
// the neural forms, sums over the vertices, no normalisation.
func messagePassing(build network) builder {
	return func(size Size, _, classes int) train.Model {
		return func(scope *model.Scope, b *layers.Batch) *Node {
			return build(scope, b, 2*size.Hidden, size.Layers, classes)
		}
	}
}
