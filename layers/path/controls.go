package path

import (
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/layers/activation"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/exterior"
	"github.com/neuralkforms/nkf/layers/internal/scoped"
	"github.com/neuralkforms/nkf/layers/signature"
)

// kernels are the lengths of the convolutions of a block.
var kernels = []int{9, 5, 3}

// CNN returns the logits of residual convolutional networks, as [Network] does, on the same positions,
// velocities and times of the same augmented paths: Layers blocks of three convolutions of Width channels
// with kernels of 9, 5 and 3 points, batch norm and ReLU, and the mean over time. Source: Wang, Yan and
// Oates, Time series classification from scratch with deep neural networks, 2017.
func CNN(scope *model.Scope, batch *layers.Batch, config Config, outputs int) *Node {
	x := config.input(scope, batch) // [E, B, T, 2n+1]
	for i := range config.Layers {
		block, y := scope.In("block_%d", i), x
		for j, k := range kernels {
			if j > 0 {
				y = activation.Relu(y)
			}
			in := block.In("convolution_%d", j)
			y = batchNorm(in.In("norm"), convolve(in, y, k, config.Width), batch.Mask())
		}
		if x.Shape().Dimensions[3] != config.Width {
			x = layers.Linear(block.In("shortcut"), x, config.Width)
		}
		x = activation.Relu(Add(batchNorm(block.In("norm"), x, batch.Mask()), y))
	}
	return config.vote(scope.In("head"), ReduceMean(x, 2), outputs)
}

// scales are the lengths of the convolutions side by side of an Inception block.
var scales = []int{39, 19, 9}

// Inception returns the logits of InceptionTime's networks on the inputs of [CNN]: Layers blocks of
// convolutions of 39, 19 and 9 points, of Width channels each, after a linear map to Width channels, and a
// maximum over three points; batch norm and ReLU; a skip connection over every three blocks. Source: Ismail
// Fawaz et al., InceptionTime: finding AlexNet for time series classification, 2020, with kernels of odd
// lengths.
func Inception(scope *model.Scope, batch *layers.Batch, config Config, outputs int) *Node {
	x := config.input(scope, batch)
	earlier := x
	for i := range config.Layers {
		block := scope.In("block_%d", i)
		neck := layers.Linear(block.In("bottleneck"), x, config.Width)
		parts := []*Node{layers.Linear(block.In("pool"), maximum(x), config.Width)}
		for j, k := range scales {
			parts = append(parts, convolve(block.In("convolution_%d", j), neck, k, config.Width))
		}
		x = activation.Relu(batchNorm(block.In("norm"), Concatenate(parts, 3), batch.Mask()))
		if i%3 == 2 {
			shortcut := block.In("shortcut")
			earlier = layers.Linear(shortcut, earlier, len(parts)*config.Width)
			x = activation.Relu(Add(x, batchNorm(shortcut.In("norm"), earlier, batch.Mask())))
			earlier = x
		}
	}
	return config.vote(scope.In("head"), ReduceMean(x, 2), outputs)
}

// maximum returns the largest of every point of x [E, B, T, channels] and its neighbors.
func maximum(x *Node) *Node {
	d := x.Shape().Dimensions
	// Less than all: a copy of the end would be as large as the end but for rounding, which XLA may do anew
	// for the gradient.
	least := BroadcastToDims(Scalar(x.Graph(), x.DType(), -1e30), d[0], d[1], 1, d[3])
	before := Concatenate([]*Node{least, SliceAxis(x, 2, AxisRangeFromStart(-1))}, 2)
	after := Concatenate([]*Node{SliceAxis(x, 2, AxisRangeToEnd(1)), least}, 2)
	return Max(x, Max(before, after))
}

// GRU returns the logits of recurrent networks of gated units, as [Network] does, on the inputs of [CNN]:
// Layers layers of Width units in each direction, each on both directions of the previous layer, and the mean
// over time. Source: Cho et al., Learning phrase representations using RNN encoder–decoder for statistical
// machine translation, 2014, in PyTorch's variant, where the reset gate acts after the product.
func GRU(scope *model.Scope, batch *layers.Batch, config Config, outputs int) *Node {
	x := config.input(scope, batch) // [E, B, T, 2n+1]
	for i := range config.Layers {
		x = gru(scope.In("layer_%d", i), x, config.Width)
	}
	return config.vote(scope.In("head"), ReduceMean(x, 2), outputs)
}

// gru returns the states [E, B, T, 2m] of m gated units that go through x [E, B, T, in] and of m that come
// back. Both directions of all members are steps of one product.
func gru(scope *model.Scope, x *Node, m int) *Node {
	d := x.Shape().Dimensions
	members, rows, points, in := d[0], d[1], d[2], d[3]
	weights, biases := layers.FanInUniform(scope, 0, m)
	get := func(name string, init model.VariableInitializer, k int) *Node {
		w := scoped.Variable(scope, x, name, init, members, 2, k, 3*m) // directions; reset, update, new
		return Reshape(Transpose(w, 0, 1), 2*members, k, 3*m)
	}
	inputs := exterior.Affine{W: get("input_weights", weights, in), B: get("input_biases", biases, 1)}
	from := inputs.Apply(Concatenate([]*Node{x, x}, 0)) // [2E, B, T, 3m]
	recurrent := exterior.Affine{W: get("weights", weights, m), B: get("biases", biases, 1)}
	h := BroadcastToDims(ScalarZero(x.Graph(), x.DType()), 2*members, rows, m)
	there, back := AxisRange(0, members), AxisRange(members, 2*members)
	forward, backward := make([]*Node, points), make([]*Node, points)
	for t := range points {
		a := Concatenate([]*Node{
			Slice(from, there, AxisRange(), AxisElem(t)),
			Slice(from, back, AxisRange(), AxisElem(points-1-t)),
		}, 0)
		a = Reshape(a, 2*members, rows, 3*m)
		b := recurrent.Apply(h)
		gates := Sigmoid(Add(SliceAxis(a, 2, AxisRange(0, 2*m)), SliceAxis(b, 2, AxisRange(0, 2*m))))
		reset, update := SliceAxis(gates, 2, AxisRange(0, m)), SliceAxis(gates, 2, AxisRange(m, 2*m))
		n := Tanh(Add(SliceAxis(a, 2, AxisRange(2*m, 3*m)),
			Mul(reset, SliceAxis(b, 2, AxisRange(2*m, 3*m)))))
		h = Add(n, Mul(update, Sub(h, n)))
		steps := ExpandAxes(h, 2)
		forward[t], backward[points-1-t] = SliceAxis(steps, 0, there), SliceAxis(steps, 0, back)
	}
	return Concatenate([]*Node{Concatenate(forward, 2), Concatenate(backward, 2)}, 3)
}

// Entries returns the entries [B, columns] of the signatures of paths of the given number of points, with
// time and basepoint, without augmentation. Their depth is the largest with at most 1000 entries, or 1.
func Entries(scope *model.Scope, batch *layers.Batch, points int) *Node {
	x := Squeeze(Config{Points: points}.paths(scope, batch), 0)
	x = signature.WithBasepoint(signature.WithTime(x))
	depth := 1
	for signature.Entries(x.Shape().Dimensions[2], depth+1) <= 1000 {
		depth++
	}
	return signature.Signature(x, depth)
}

// convolve returns the convolutions [E, B, T, out] of x [E, B, T, in] with kernels of k points, an odd
// number, with zeros beyond the ends. All shifts of x are rows of one product.
func convolve(scope *model.Scope, x *Node, k, out int) *Node {
	d := x.Shape().Dimensions
	in, points := d[3], d[2]
	zeros := BroadcastToDims(ScalarZero(x.Graph(), x.DType()), d[0], d[1], k/2, in)
	padded := Concatenate([]*Node{zeros, x, zeros}, 2)
	shifts := make([]*Node, k)
	for i := range shifts {
		shifts[i] = SliceAxis(padded, 2, AxisRange(i, i+points))
	}
	weights, _ := layers.FanInUniform(scope, 0, k*in)
	w := scoped.Variable(scope, x, "weights", weights, d[0], k*in, out)
	return exterior.Affine{W: w}.Apply(Concatenate(shifts, 3))
}

// batchNorm normalizes the channels of x [E, B, T, channels] over the paths that the mask keeps and their
// points.
func batchNorm(scope *model.Scope, x, mask *Node) *Node {
	d := x.Shape().Dimensions
	return Reshape(layers.BatchNorm(scope, Reshape(x, d[0], -1, d[3]), ofPoints(mask, d[2])), d...)
}
