package train

import (
	"errors"
	"math"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/model/initializer"
	"github.com/gomlx/gomlx/support/exceptions"
	"gonum.org/v1/gonum/stat"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/packing"
	"github.com/neuralkforms/nkf/layers"
)

// What is learned is a class, with the cross-entropy as loss; several binary
// tasks, with the cross-entropy of each; or several numbers, with the squared
// error in units of the standard deviation of the training part. Unknown values
// take no part in a loss.

// unitsScope has the mean and the standard deviation of the numbers of the
// training part, as the variables "mean" and "deviation", [1, tasks].
const unitsScope = "targets"

// raw builds the outputs of the model itself.
func (t *trainer) raw(batch *layers.Batch) *Node {
	out := located(func() *Node { return t.Model(t.store.RootScope(), batch) })
	complexes, outputs := batch.Complexes(), t.Data.Outputs()
	if out == nil {
		exceptions.Panicf("the model has no outputs: want [%d complexes, %d outputs]", complexes, outputs)
	}
	dims := out.Shape().Dimensions
	if len(dims) != 2 || dims[0] != complexes || dims[1] != outputs || !out.DType().IsFloat() {
		exceptions.Panicf("the model's outputs are %s: want floats [%d complexes, %d outputs]", out.Shape(),
			complexes, outputs)
	}
	return out
}

// output builds the model's predictions.
func (t *trainer) output(batch *layers.Batch) *Node {
	return Predicted(t.store.RootScope(), t.raw(batch), t.Data.Info)
}

// Predicted builds predictions from the outputs of a [Model] for data of that
// kind, [complexes, outputs]: logits, or numbers in the units of the data, for
// which the scope has the mean and standard deviation of the training part.
func Predicted(scope *model.Scope, out *Node, kind datasets.Info) *Node {
	if !kind.Regression {
		return out
	}
	mean, deviation := unitsOf(scope, out.Graph(), len(kind.Tasks))
	return Add(Mul(out, deviation), mean)
}

// unitsOf returns mean and standard deviation of the targets, [1, tasks].
func unitsOf(scope *model.Scope, g *Graph, tasks int) (mean, deviation *Node) {
	scope = scope.At(unitsScope).WithInitializer(initializer.Zero)
	shape := shapes.Make(dtypes.Float32, 1, tasks)
	return scope.VariableWithShape("mean", shape).SetTrainable(false).NodeValue(g),
		scope.VariableWithShape("deviation", shape).SetTrainable(false).NodeValue(g)
}

// units returns the values of mean and standard deviation of the targets.
func (t *trainer) units() (means, deviations []float32) {
	value := func(name string) []float32 {
		v := t.store.GetVariable("/" + unitsScope + "/" + name)
		return tensors.MustCopyFlatData[float32](v.MustValue())
	}
	return value("mean"), value("deviation")
}

// setUnits sets mean and standard deviation of the numbers of the training
// part. Numbers that do not differ, or of which none is known, have deviation 1.
func (t *trainer) setUnits(train []int32) error {
	if !t.Data.Regression {
		return nil
	}
	var means, deviations []float64
	for task := range t.Data.Tasks {
		known := t.known(train, task)
		mean, deviation := 0.0, 0.0
		if len(known) > 0 {
			mean, deviation = stat.PopMeanStdDev(known, nil)
		}
		if !(deviation > 0) {
			deviation = 1
		}
		means, deviations = append(means, mean), append(deviations, deviation)
	}
	return errors.Join(t.set(unitsScope, "mean", means), t.set(unitsScope, "deviation", deviations))
}

// set sets a variable.
func (t *trainer) set(scope, name string, values []float64) error {
	v := t.store.GetVariable("/" + scope + "/" + name)
	return v.SetValue(tensors.FromFlatDataAndDimensions(packing.Round(values), v.Shape().Dimensions...))
}

// known returns the known values of a task.
func (t *trainer) known(ids []int32, task int) (values []float64) {
	for _, id := range ids {
		if y := float64(t.Data.Targets[int(id)*len(t.Data.Tasks)+task]); !math.IsNaN(y) {
			values = append(values, y)
		}
	}
	return values
}

// loss is what a step lowers.
func (t *trainer) loss(batch *layers.Batch) *Node {
	out := t.raw(batch)
	if t.Data.Tasks != nil {
		return t.targetLoss(out, batch.Targets())
	}
	var weights *Node
	if w := t.Protocol.weights(t.Data); w != nil {
		weights = ConvertDType(Const(out.Graph(), w), out.DType())
	}
	loss := layers.CrossEntropy(out, batch.Labels(), batch.Mask(), weights)
	smoothing := t.Protocol.Smoothing
	if smoothing == 0 {
		return loss
	}
	mask := ConvertDType(batch.Mask(), out.DType())
	even := Neg(ReduceMean(LogSoftmax(out, 1), 1))
	even = Div(ReduceAllSum(Mul(even, mask)), MaxScalar(ReduceAllSum(mask), 1))
	return Add(MulScalar(loss, 1-smoothing), MulScalar(even, smoothing))
}

// targetLoss is the loss of tasks.
func (t *trainer) targetLoss(out, targets *Node) *Node {
	// A NaN must not reach a product, not even with 0.
	known := Equal(targets, targets)
	y := Where(known, targets, ZerosLike(targets))
	if t.Data.Regression {
		mean, deviation := unitsOf(t.store.RootScope(), out.Graph(), len(t.Data.Tasks))
		y = Div(Sub(y, mean), deviation)
	}
	y = ConvertDType(y, out.DType())
	each := Square(Sub(out, y))
	if !t.Data.Regression {
		// -y·log σ(x) - (1-y)·log(1-σ(x)) without overflow.
		each = Add(Sub(MaxScalar(out, 0), Mul(out, y)), Log1P(Exp(Neg(Abs(out)))))
	}
	count := ReduceAllSum(ConvertDType(known, out.DType()))
	return Div(ReduceAllSum(Where(known, each, ZerosLike(each))), MaxScalar(count, 1))
}
