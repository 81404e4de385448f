package layers

import (
	"github.com/gomlx/compute/dtypes"
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
//	y = γ · (x - mean) / √(variance + ε) + β,   ε = 1e-5.
//
// In training, see Scope.IsTraining, the statistics are those of the batch (biased variance), with gradients
// through them, and the running mean and the running variance (unbiased) move a tenth of the way towards
// them; in evaluation the running statistics are used. Rows that the mask drops count nowhere, and may hold
// anything. Source: Ioffe and Szegedy, Batch Normalization, 2015, in the conventions of PyTorch.
//
// A single row is its own mean, so nothing can be learned from it: as in PyTorch it is an error to train on
// batches of one row. A longer batch with one unmasked row or none updates the running statistics like any
// other, with variance 0, and without rows with mean 0.
func BatchNorm(scope *model.Scope, x, mask *Node) *Node {
	scoped.Need("layers.BatchNorm", scope)
	if x.Rank() != 2 || !x.DType().IsFloat() || mask.Rank() != 1 || mask.DType() != dtypes.Bool ||
		mask.Shape().Size() != x.Shape().Dimensions[0] {
		exceptions.Panicf("layers.BatchNorm: rows of shape %s with a mask of shape %s: want floats [B, "+
			"features] and bool [B]", x.Shape(), mask.Shape())
	}
	x = Where(mask, x, ZerosLike(x)) // NaN times 0 is NaN
	scope.In("gamma")                // a second layer in the scope panics
	g, columns := x.Graph(), x.Shape().Dimensions[1]
	gamma := scoped.Variable(scope, x, "gamma", initializer.One, columns)
	beta := scoped.Variable(scope, x, "beta", initializer.Zero, columns)
	shape := shapes.Make(x.DType(), columns)
	zeros, ones := scope.WithInitializer(initializer.Zero), scope.WithInitializer(initializer.One)
	runningMean := zeros.VariableWithShape("running_mean", shape).SetTrainable(false)
	runningVariance := ones.VariableWithShape("running_variance", shape).SetTrainable(false)

	mean, variance := runningMean.NodeValue(g), runningVariance.NodeValue(g)
	if scope.IsTraining(g) {
		if mask.Shape().Size() == 1 {
			exceptions.Panicf("layers.BatchNorm: in a batch of one row all values are 0: train on batches " +
				"of two or more")
		}
		weight := ConvertDType(mask, x.DType())
		rows := ReduceAllSum(weight)
		count, freedom := MaxScalar(rows, 1.0), MaxScalar(MinusOne(rows), 1.0) // sums of nothing stay 0
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

// move sets a running statistic to the average of itself and that of a batch.
func move(running *model.Variable, batch *Node) {
	old := running.NodeValue(batch.Graph())
	running.SetNodeValue(
		Add(MulScalar(old, 1-batchNormMomentum), MulScalar(StopGradient(batch), batchNormMomentum)),
	)
}
