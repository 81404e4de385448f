package devices

import (
	"github.com/gomlx/compute"
	"github.com/gomlx/compute/distributed"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/train"
	"github.com/gomlx/gomlx/ml/train/optimizer"
	"github.com/gomlx/gomlx/support/exceptions"
)

// Sum returns the sums of nodes over all devices, in one all-reduce with gradients. On one device it returns
// x.
func Sum(x *Node) *Node {
	if !each(x.Graph()) {
		return x
	}
	sum := StopGradient(allReduce(StopGradient(x)))
	// GoMLX (v0.28.3) has no gradient of an all-reduce, which is the sum of the adjoints of all devices: a
	// term x - x has it.
	through := IdentityWithCustomGradient(x, func(_, v *Node) *Node { return Sum(v) })
	return Add(sum, Sub(through, StopGradient(x)))
}

// each reports whether every device runs the graph on its part of a batch, as in a [Program] on several.
func each(g *Graph) bool { return g.DistributedStrategy() == distributed.SPMD && g.NumDevices() > 1 }

// allReduce sums over the devices, without a gradient.
func allReduce(x *Node) *Node {
	return x.Graph().Distributed().AllReduceOne(x, compute.ReduceOpSum)
}

// Ratio returns a loss that is a ratio of sums over the batch, from the numerator and the denominator of the
// part on each device, scalars. The mean of its results over the devices is the ratio of the sums. A
// denominator 0 counts as 1. No gradient passes through the denominator.
func Ratio(numerator, denominator *Node) *Node {
	total := denominator
	if each(numerator.Graph()) {
		total = allReduce(StopGradient(denominator))
		numerator = MulScalar(numerator, float64(numerator.Graph().NumDevices()))
	}
	empty := Equal(total, ScalarZero(total.Graph(), total.DType()))
	return Div(numerator, Where(empty, OnesLike(total), total))
}

// mean returns the means of nodes over all devices, in one all-reduce, without a gradient. On one device it
// returns x.
func mean(x ...*Node) []*Node {
	if len(x) == 0 || !each(x[0].Graph()) {
		return x
	}
	var flat []*Node
	for _, node := range x {
		flat = append(flat, Reshape(node, -1))
	}
	sums := allReduce(Concatenate(flat, 0))
	means := make([]*Node, len(x))
	from := 0
	for i, node := range x {
		to := from + node.Shape().Size()
		sum := Reshape(SliceAxis(sums, 0, AxisRange(from, to)), node.Shape().Dimensions...)
		means[i], from = DivScalar(sum, float64(node.Graph().NumDevices())), to
	}
	return means
}

// Optimizer returns an optimizer that takes the mean of the gradients of all devices. On several devices it
// panics unless GoMLX's train.OptimizeWithGradients is implemented, or if gradients are of more than one
// type.
func Optimizer(o optimizer.Interface) optimizer.Interface { return averaging{o} }

// averaging is an optimizer of the mean of the losses of all devices.
type averaging struct{ optimizer.Interface }

// UpdateGraph updates the trainable variables by the mean of the gradients of all devices.
func (a averaging) UpdateGraph(scope *model.Scope, g *Graph, loss *Node) {
	if !each(g) {
		a.Interface.UpdateGraph(scope, g, loss)
		return
	}
	o, ok := a.Interface.(train.OptimizeWithGradients)
	if !ok {
		exceptions.Panicf("devices.Optimizer: %T has no UpdateGraphWithGradients, which several devices need",
			a.Interface)
	}
	gradients := mean(scope.BuildTrainableVariablesGradientsGraph(loss)...)
	o.UpdateGraphWithGradients(scope, gradients, loss.DType())
}
