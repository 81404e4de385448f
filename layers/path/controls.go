package path

import (
	. "github.com/gomlx/gomlx/core/graph"
	gomlx "github.com/gomlx/gomlx/ml/layers"
	"github.com/gomlx/gomlx/ml/layers/activation"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/exterior"
	"github.com/neuralkforms/nkf/layers/internal/scoped"
)

// kernels are the lengths of the convolutions of a block.
var kernels = []int{9, 5, 3}

// CNN returns the logits of a residual convolutional network, as [Network] does, on the same positions,
// velocities and times of the same augmented paths: Layers blocks of three convolutions of Width channels
// with kernels of 9, 5 and 3 points, batch norm and ReLU, and the mean over time. Of the configuration it
// takes Points, Width, Layers, Dropout, Augment and Place. Source: Wang, Yan and Oates, Time series
// classification from scratch with deep neural networks, 2017.
func CNN(scope *model.Scope, batch *layers.Batch, config Config, outputs int) *Node {
	x := config.input(scope, batch) // [B, T, 2n+1]
	for i := range config.Layers {
		block, y := scope.In("block_%d", i), x
		for j, k := range kernels {
			if j > 0 {
				y = activation.Relu(y)
			}
			in := block.In("convolution_%d", j)
			y = batchNorm(in.In("norm"), convolve(in, y, k, config.Width), batch.Mask())
		}
		if x.Shape().Dimensions[2] != config.Width {
			x = layers.Linear(block.In("shortcut"), x, config.Width)
		}
		x = activation.Relu(Add(batchNorm(block.In("norm"), x, batch.Mask()), y))
	}
	head := scope.In("head")
	return layers.Linear(head, gomlx.DropoutStatic(head, ReduceMean(x, 1), config.Dropout), outputs)
}

// convolve returns the convolutions [B, T, out] of x [B, T, in] with kernels of k points, an odd
// number, with zeros beyond the ends. All shifts of x are rows of one product.
func convolve(scope *model.Scope, x *Node, k, out int) *Node {
	d := x.Shape().Dimensions
	points, in := d[1], d[2]
	zeros := BroadcastToDims(ScalarZero(x.Graph(), x.DType()), d[0], k/2, in)
	padded := Concatenate([]*Node{zeros, x, zeros}, 1)
	shifts := make([]*Node, k)
	for i := range shifts {
		shifts[i] = SliceAxis(padded, 1, AxisRange(i, i+points))
	}
	weights, _ := layers.FanInUniform(scope, 0, k*in)
	w := scoped.Variable(scope, x, "weights", weights, k*in, out)
	return exterior.Affine{W: w}.Apply(Concatenate(shifts, 2))
}

// batchNorm normalizes the channels of x [B, T, channels] over the paths that the mask keeps and their
// points.
func batchNorm(scope *model.Scope, x, mask *Node) *Node {
	d := x.Shape().Dimensions
	return Reshape(layers.BatchNorm(scope, Reshape(x, -1, d[2]), ofPoints(mask, d[1])), d...)
}
