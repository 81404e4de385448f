package train

import (
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/neuralkforms/nkf/layers"
)

// Model builds the outputs of a batch: logits [B, classes], or a logit or
// number for every task, [B, tasks]; numbers are in units of the standard
// deviation of the training part about its mean. With one axis more in front,
// [members, B, …], they are those of an ensemble: networks that are trained
// side by side, each by its own loss, and whose probabilities, or numbers, are
// averaged. It is called once for every
// program that is compiled, always with a root scope.
type Model func(scope *model.Scope, batch *layers.Batch) *Node
