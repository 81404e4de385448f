package layers

import (
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/model/initializer"
	"github.com/gomlx/gomlx/support/exceptions"

	"github.com/neuralkforms/nkf/layers/internal/scoped"
)

// Constants of [BatchNorm], those of PyTorch.
const (
	// batchNormEpsilon is added to the variance.
	batchNormEpsilon = 1e-5
	// batchNormMomentum is the share of a batch in the running statistics.
	batchNormMomentum = 0.1
)

// BatchNorm normalizes the columns of x [B, features] over the rows that the
// mask [B] keeps, scales and shifts them:
//
//	y = γ · (x - mean) / √(variance + ε) + β.
//
// In training the statistics are those of the batch (biased variance), with
// gradients through them, and the running mean and the running variance
// (unbiased) move towards them; in evaluation the running statistics are
// used. Rows that the mask drops count nowhere. Source: Ioffe and Szegedy,
// Batch Normalization, 2015, in the conventions of PyTorch.
//
// PyTorch refuses to train on a single row. Here a batch of which the mask
// keeps one row or none moves the running statistics like any other, with
// variance 0, and without rows with mean 0: do not train on such batches.
func BatchNorm(scope *model.Scope, x, mask *Node) *Node {
	if x.Rank() != 2 || mask.Rank() != 1 || mask.Shape().Dimensions[0] != x.Shape().Dimensions[0] {
		exceptions.Panicf(
			"layers.BatchNorm: rows of shape %s with a mask of shape %s: want [B, features] and [B]",
			x.Shape(),
			mask.Shape(),
		)
	}
	scoped.Own("layers.BatchNorm", scope, "gamma")
	g, features := x.Graph(), x.Shape().Dimensions[1]
	gamma := scoped.Variable(scope, x, "gamma", initializer.One, features)
	beta := scoped.Variable(scope, x, "beta", initializer.Zero, features)
	shape := shapes.Make(x.DType(), features)
	zeros, ones := scope.WithInitializer(initializer.Zero), scope.WithInitializer(initializer.One)
	runningMean := zeros.VariableWithShape("running_mean", shape).SetTrainable(false)
	runningVariance := ones.VariableWithShape("running_variance", shape).SetTrainable(false)

	mean, variance := runningMean.NodeValue(g), runningVariance.NodeValue(g)
	if scope.IsTraining(g) {
		weight := ConvertDType(mask, x.DType())
		count := ReduceAllSum(weight)
		weight = ExpandAxes(weight, -1)
		// A batch without rows has mean and variance zero rather than NaN.
		mean = Div(ReduceSum(Mul(x, weight), 0), MaxScalar(count, 1.0))
		squares := ReduceSum(Mul(Square(Sub(x, ExpandAxes(mean, 0))), weight), 0)
		variance = Div(squares, MaxScalar(count, 1.0))
		unbiased := Div(squares, MaxScalar(MinusOne(count), 1.0))
		move(runningMean, mean)
		move(runningVariance, unbiased)
	}
	scale := Div(gamma, Sqrt(AddScalar(variance, batchNormEpsilon)))
	return Add(Mul(Sub(x, ExpandAxes(mean, 0)), ExpandAxes(scale, 0)), ExpandAxes(beta, 0))
}

// move sets a running statistic to the average of itself and that of a batch.
func move(running *model.Variable, batch *Node) {
	old := running.NodeValue(batch.Graph())
	running.SetNodeValue(
		Add(MulScalar(old, 1-batchNormMomentum), MulScalar(StopGradient(batch), batchNormMomentum)),
	)
}
