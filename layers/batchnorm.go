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
// In training the statistics are those of the batch (biased variance), with gradients through them, and the
// running mean and the running variance (unbiased) move towards them; in evaluation the running statistics
// are used. Rows that the mask drops count nowhere. Source: Ioffe and Szegedy, Batch Normalization, 2015, in
// the conventions of PyTorch.
//
// Of x [members, B, features], networks side by side, every member has statistics,
// scales and shifts of its own.
//
// A single row is its own mean, so nothing can be learned from it: as in PyTorch it is an error to train on
// batches of one row. A longer batch with one unmasked row or none updates the running statistics like any
// other, with variance 0, and without rows with mean 0.
func BatchNorm(scope *model.Scope, x, mask *Node) *Node {
	dims := x.Shape().Dimensions
	if x.Rank() != 2 && x.Rank() != 3 || mask.Rank() != 1 || mask.Shape().Size() != dims[x.Rank()-2] {
		exceptions.Panicf("layers.BatchNorm: rows of shape %s with a mask of shape %s: want [B, features] "+
			"and [B], or [members, B, features] and [B]", x.Shape(), mask.Shape())
	}
	scope.In("gamma") // a second layer in the scope panics
	sum, spread, columns := overRows(x)
	g := x.Graph()
	gamma := scoped.Variable(scope, x, "gamma", initializer.One, columns...)
	beta := scoped.Variable(scope, x, "beta", initializer.Zero, columns...)
	shape := shapes.Make(x.DType(), columns...)
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
		weight = ExpandLeftToRank(ExpandAxes(weight, -1), x.Rank())
		mean = Div(sum(Mul(x, weight)), count)
		squares := sum(Mul(Square(Sub(x, spread(mean))), weight))
		variance = Div(squares, count)
		unbiased := Div(squares, freedom)
		move(runningMean, mean)
		move(runningVariance, unbiased)
	}
	scale := Div(gamma, Sqrt(AddScalar(variance, batchNormEpsilon)))
	return Add(Mul(Sub(x, spread(mean)), spread(scale)), spread(beta))
}

// overRows returns how columns of x are summed over the rows, how sums are spread over them, and the shape of
// sums. Members, which have many rows in convolutions, are summed by products with ones, as are gradients of
// what products spread: XLA on the CPU adds up rows column by column, and a training step of three
// convolutional networks takes more than twice as long with that.
func overRows(x *Node) (sum, spread func(*Node) *Node, columns []int) {
	d := x.Shape().Dimensions
	if len(d) == 2 {
		return func(v *Node) *Node { return ReduceSum(v, 0) },
			func(v *Node) *Node { return ExpandAxes(v, 0) }, d[1:]
	}
	one := ScalarOne(x.Graph(), x.DType())
	row, column := BroadcastToDims(one, d[0], 1, d[1]), BroadcastToDims(one, d[0], d[1], 1)
	product := func(a, b *Node) *Node { return Dot(a, b).General([]int{2}, []int{0}, []int{1}, []int{0}) }
	return func(v *Node) *Node { return product(row, v) },
		func(v *Node) *Node { return product(column, v) }, []int{d[0], 1, d[2]}
}

// move sets a running statistic to the average of itself and that of a batch.
func move(running *model.Variable, batch *Node) {
	old := running.NodeValue(batch.Graph())
	running.SetNodeValue(
		Add(MulScalar(old, 1-batchNormMomentum), MulScalar(StopGradient(batch), batchNormMomentum)),
	)
}
