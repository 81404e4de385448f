package train

import (
	"fmt"
	"math"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model/initializer"
	"github.com/gomlx/gomlx/support/exceptions"
	"gonum.org/v1/gonum/stat"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/layers"
)

// What is learned is a class, with the cross-entropy as loss; several answers
// yes or no, with the cross-entropy of each; or several numbers, with the
// squared error in units of the standard deviation of the training part. What
// is unknown takes no part in a loss.

// UnitsScope is where a regression keeps the mean and the standard deviation of
// the numbers of the training part, as the variables "mean" and "deviation",
// [1, tasks].
const UnitsScope = "targets"

// outputs builds what the model puts out.
func (e *engine) outputs(batch *layers.Batch) *Node {
	out := e.model(e.store.RootScope(), batch)
	rows, outputs, of := batch.Complexes(), e.data.Outputs(), "complexes"
	if k := batch.Labeled(); k >= 0 {
		rows = batch.Count(k)
		of = fmt.Sprintf("simplices of degree %d", k)
	}
	if out == nil {
		exceptions.Panicf("the model puts out nothing: want [%d %s, %d outputs]", rows, of, outputs)
	}
	dims := out.Shape().Dimensions
	if len(dims) == 3 {
		dims = dims[1:]
	}
	if len(dims) != 2 || dims[0] != rows || dims[1] != outputs || !out.DType().IsFloat() {
		exceptions.Panicf("the model puts out %s: want floats [%d %s, %d outputs], or of several members",
			out.Shape(), rows, of, outputs)
	}
	return out
}

// Together returns what the members of an ensemble say together of data of that
// kind, [complexes, outputs] from [members, complexes, outputs]: the logarithm
// of their mean probabilities, or the mean of their numbers. One network's
// [complexes, outputs] are returned as they are.
func Together(out *Node, kind datasets.Info) *Node {
	log := func(probabilities *Node) *Node { return Log(MaxScalar(ReduceMean(probabilities, 0), tiny)) }
	switch {
	case out.Rank() == 2:
		return out
	case kind.Regression:
		return ReduceMean(out, 0)
	case kind.Tasks != nil:
		return Sub(log(Sigmoid(out)), log(Sigmoid(Neg(out))))
	}
	return log(Softmax(out, -1))
}

// tiny keeps the logarithm of a probability finite.
const tiny = 1e-30

// output builds the model's predictions: logits, or numbers in the units of
// the data.
func (e *engine) output(batch *layers.Batch) *Node {
	out := Together(e.outputs(batch), e.data.Info)
	if !e.data.Regression {
		return out
	}
	mean, deviation := e.units(out.Graph())
	return Add(Mul(out, deviation), mean)
}

// units returns mean and standard deviation of the targets, [1, tasks].
func (e *engine) units(g *Graph) (mean, deviation *Node) {
	scope := e.store.RootScope().At(UnitsScope).WithInitializer(initializer.Zero)
	shape := shapes.Make(dtypes.Float32, 1, len(e.data.Tasks))
	if e.mean == nil { // with the declaration, before workers read them
		e.mean = scope.VariableWithShape("mean", shape).SetTrainable(false)
		e.deviation = scope.VariableWithShape("deviation", shape).SetTrainable(false)
	}
	return e.mean.NodeValue(g), e.deviation.NodeValue(g)
}

// loss is what a step lowers: of an ensemble the mean of its members' losses.
func (e *engine) loss(batch *layers.Batch) *Node {
	out := e.outputs(batch)
	if out.Rank() == 2 {
		return e.lossOf(out, batch)
	}
	members := out.Shape().Dimensions[0]
	var sum *Node
	for i := range members {
		loss := e.lossOf(Squeeze(SliceAxis(out, 0, AxisElem(i)), 0), batch)
		if sum == nil {
			sum = loss
		} else {
			sum = Add(sum, loss)
		}
	}
	return DivScalar(sum, float64(members))
}

// lossOf is the loss of one network with these outputs.
func (e *engine) lossOf(out *Node, batch *layers.Batch) *Node {
	g := out.Graph()
	if e.data.Tasks == nil {
		var weights *Node
		if e.weights != nil {
			weights = ConvertDType(Const(g, e.weights), out.DType())
		}
		labels, known := batch.Classes()
		loss := layers.CrossEntropy(out, labels, known, weights)
		if e.smoothing == 0 {
			return loss
		}
		mask := ConvertDType(known, out.DType())
		even := Neg(ReduceMean(LogSoftmax(out, 1), 1))
		even = Div(ReduceAllSum(Mul(even, mask)), MaxScalar(ReduceAllSum(mask), 1))
		return Add(MulScalar(loss, 1-e.smoothing), MulScalar(even, e.smoothing))
	}
	// A NaN must not reach a product, not even with 0.
	known := Equal(batch.Targets(), batch.Targets())
	y := Where(known, batch.Targets(), ZerosLike(batch.Targets()))
	if e.data.Regression {
		mean, deviation := e.units(g)
		y = Div(Sub(y, mean), deviation)
	}
	y = ConvertDType(y, out.DType())
	each := Square(Sub(out, y))
	if !e.data.Regression {
		// -y·log σ(x) - (1-y)·log(1-σ(x)) without overflow.
		each = Add(Sub(MaxScalar(out, 0), Mul(out, y)), Log1P(Exp(Neg(Abs(out)))))
	}
	count := ReduceAllSum(ConvertDType(known, out.DType()))
	return Div(ReduceAllSum(Where(known, each, ZerosLike(each))), MaxScalar(count, 1))
}

// setUnits sets mean and standard deviation of the numbers of the training
// part. Numbers that do not differ, or of which none is known, have deviation
// 1.
func (e *engine) setUnits(state *snapshot, train []int32) {
	if !e.data.Regression {
		return
	}
	tasks := len(e.data.Tasks)
	means, deviations := make([]float32, tasks), make([]float32, tasks)
	for task := range tasks {
		var known []float64
		for _, id := range train {
			if y := float64(e.data.Targets[int(id)*tasks+task]); !math.IsNaN(y) {
				known = append(known, y)
			}
		}
		mean, deviation := 0.0, 0.0
		if len(known) > 0 {
			mean, deviation = stat.PopMeanStdDev(known, nil)
		}
		if !(deviation > 0) {
			deviation = 1
		}
		means[task], deviations[task] = float32(mean), float32(deviation)
	}
	e.set(state, e.mean, tensors.FromFlatDataAndDimensions(means, 1, tasks))
	e.set(state, e.deviation, tensors.FromFlatDataAndDimensions(deviations, 1, tasks))
}
