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
// used. Rows that the mask drops count nowhere. In the place of a mask there
// may be weights, floats of 0 or more: the mean is Σ w_i x_i / Σ w_i, and the
// variance and its unbiased form, with Σ w_i - Σ w_i² / Σ w_i below, likewise.
// With [Batch.VertexVolumes] functions on the vertices of a mesh are normalized
// over the surface, however densely its vertices lie. Source: Ioffe and Szegedy,
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
		count, freedom := freedoms(weight, mask.DType().IsFloat())
		weight = ExpandAxes(weight, -1)
		mean = Div(ReduceSum(Mul(x, weight), 0), count)
		squares := ReduceSum(Mul(Square(Sub(x, ExpandAxes(mean, 0))), weight), 0)
		variance = Div(squares, count)
		unbiased := Div(squares, freedom)
		move(runningMean, mean)
		move(runningVariance, unbiased)
	}
	scale := Div(gamma, Sqrt(AddScalar(variance, batchNormEpsilon)))
	return Add(Mul(Sub(x, ExpandAxes(mean, 0)), ExpandAxes(scale, 0)), ExpandAxes(beta, 0))
}

// freedoms returns what sums over the rows of a batch are divided by for a mean
// and for an unbiased variance: the number of rows and one less, 1 where there is
// nothing, so that sums of zeros stay zero.
func freedoms(weight *Node, weighted bool) (count, freedom *Node) {
	count = ReduceAllSum(weight)
	if !weighted {
		return MaxScalar(count, 1.0), MaxScalar(MinusOne(count), 1.0)
	}
	one := OnesLike(count)
	count = Where(LessOrEqual(count, ZerosLike(count)), one, count)
	freedom = Sub(count, Div(ReduceAllSum(Square(weight)), count))
	// A single row leaves rounding.
	return count, Where(LessOrEqual(freedom, MulScalar(count, 1e-6)), one, freedom)
}

// move sets a running statistic to the average of itself and that of a batch.
func move(running *model.Variable, batch *Node) {
	old := running.NodeValue(batch.Graph())
	running.SetNodeValue(
		Add(MulScalar(old, 1-batchNormMomentum), MulScalar(StopGradient(batch), batchNormMomentum)),
	)
}
