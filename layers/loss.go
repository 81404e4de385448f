package layers

import (
	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/support/exceptions"
)

// CrossEntropy returns the cross-entropy of logits [B, classes] with class
// numbers labels [B], weighted by class and averaged over the rows that the
// mask [B] keeps,
//
//	Σ_b w[y_b] · (-log softmax(logits_b)[y_b]) / Σ_b w[y_b],
//
// as PyTorch does: the weights of the batch are normalized away. labels are integers, mask is bool, and
// weights is [classes]; nil weighs all classes equally. A batch without rows has loss 0. Rows that the mask
// drops may hold anything, NaN as well.
//
// A label out of range has term 0 in the numerator. In the denominator its row
// counts as 1 without weights, and as 0 with them: mask rows without a label.
func CrossEntropy(logits, labels, mask, weights *Node) *Node {
	if logits.Rank() != 2 || !logits.DType().IsFloat() || labels.Rank() != 1 || !labels.DType().IsInt() ||
		mask.Rank() != 1 || mask.DType() != dtypes.Bool ||
		labels.Shape().Dimensions[0] != logits.Shape().Dimensions[0] ||
		mask.Shape().Dimensions[0] != logits.Shape().Dimensions[0] {
		exceptions.Panicf("layers.CrossEntropy: logits %s, labels %s, mask %s: want floats [B, classes], "+
			"integers [B], bool [B]",
			logits.Shape(), labels.Shape(), mask.Shape())
	}
	classes := logits.Shape().Dimensions[1]
	if weights != nil && (weights.Rank() != 1 || weights.Shape().Dimensions[0] != classes) {
		exceptions.Panicf("layers.CrossEntropy: weights %s for logits %s: want one for each class, [%d], "+
			"or nil", weights.Shape(), logits.Shape(), classes)
	}
	logits = Where(mask, logits, ZerosLike(logits)) // NaN times 0 is NaN
	oneHot := OneHot(labels, classes, logits.DType())
	weight := ConvertDType(mask, logits.DType())
	if weights != nil {
		weight = Mul(weight, ReduceSum(Mul(oneHot, ExpandAxes(weights, 0)), 1))
	}
	loss := Neg(ReduceSum(Mul(oneHot, LogSoftmax(logits, 1)), 1))
	total := ReduceAllSum(weight)
	empty := Equal(total, ZerosLike(total))
	return Div(ReduceAllSum(Mul(loss, weight)), Where(empty, OnesLike(total), total))
}
