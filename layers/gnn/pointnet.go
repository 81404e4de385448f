package gnn

import (
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	gomlx "github.com/gomlx/gomlx/ml/layers"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/support/exceptions"

	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/internal/scoped"
)

// PointNetConfig is the size of a [PointNet].
type PointNetConfig struct {
	Members  int     // networks side by side; 0: one
	Hidden   int     // width of the first two layers that every point goes through
	Features int     // of every point
	Head     int     // hidden width of the classifier
	Dropout  float64 // share of the readout, and of Head, that a training step does without
	// A training step turns each complex at random, multiplies its size by
	// exp(Scale·N(0, 1)) and adds N(0, Noise²) to coordinates in units of its
	// radius.
	Scale, Noise float64
}

// check panics for a network that cannot be.
func (c PointNetConfig) check(b *layers.Batch) {
	if c.Members < 0 || c.Hidden < 1 || c.Features < 1 || c.Head < 1 || c.Dropout < 0 || c.Dropout >= 1 ||
		b.Dim() != 3 {
		exceptions.Panicf("gnn.PointNet: %+v for points in R^%d: want widths of 1 or more, a share in "+
			"[0, 1) to drop, and points in R³", c, b.Dim())
	}
}

// PointNet returns the logits [B, outputs] of a network on clouds of points in
// R³, the vertices of the complexes, or those of its members, [members, B,
// outputs]. Each point, relative to the mean of its cloud and in units of the
// root mean square distance from it, passes through the same three layers with
// SiLU. Maxima and means over the cloud, and the logarithm of the unit, are
// classified; for a cloud without points they are 0. Logits are invariant under
// translations, but not under rotations.
//
// Source: Qi, Su, Mo and Guibas, PointNet, CVPR 2017, without the networks that
// transform points and features.
func PointNet(scope *model.Scope, batch *layers.Batch, config PointNetConfig, outputs int) *Node {
	config.check(batch)
	return scoped.Members(scope, config.Members, func(scope *model.Scope) *Node {
		return config.logits(scope, batch, outputs)
	})
}

// logits returns those of one network.
func (c PointNetConfig) logits(scope *model.Scope, batch *layers.Batch, outputs int) *Node {
	in := scope.In
	x, size := c.points(scope, batch)
	layer := func(name string, x *Node, width int) *Node {
		return layers.SiLU(layers.Linear(in("%s", name), x, width))
	}
	h := layer("first", x, c.Hidden)
	h = layer("second", h, c.Hidden)
	h = layer("third", h, c.Features)
	of, complexes := batch.Of(0), batch.Complexes()
	h = Concatenate([]*Node{layers.Mean(h, ones(h), of, complexes), largest(h, of, complexes), size}, 1)
	h = layers.BatchNorm(in("norm"), h, batch.Mask())
	head := in("head")
	h = gomlx.DropoutStatic(head, h, c.Dropout)
	h = layers.SiLU(layers.Linear(head.In("first"), h, c.Head))
	h = gomlx.DropoutStatic(head, h, c.Dropout)
	return layers.Linear(head.In("last"), h, outputs)
}

// ones returns a weight of 1 for each row of x.
func ones(x *Node) *Node { return Ones(x.Graph(), shapes.Make(x.DType(), x.Shape().Dimensions[0])) }

// points returns the points of a network [V, 3] and the logarithms of the units
// that they are in [B, 1].
func (c PointNetConfig) points(scope *model.Scope, batch *layers.Batch) (x, size *Node) {
	x = batch.Vertices()
	g, of, complexes := x.Graph(), batch.Of(0), batch.Complexes()
	one := ones(x)
	x = Sub(x, layers.Spread(layers.Mean(x, one, of, complexes), of, 0))
	square := layers.Mean(ReduceAndKeep(Square(x), ReduceSum, -1), one, of, complexes)
	square = Where(LessOrEqual(square, ZerosLike(square)), OnesLike(square), square)
	x, size = Div(x, Sqrt(layers.Spread(square, of, 1))), MulScalar(Log(square), 0.5)
	if !scope.IsTraining(g) {
		return x, size
	}
	quaternions := scope.RandomNormal(g, shapes.Make(x.DType(), complexes+1, 4))
	turns := Gather(rotations(quaternions), ExpandAxes(of, -1))
	x = ReduceSum(Mul(turns, ExpandAxes(x, 1)), 2)
	x = Add(x, MulScalar(scope.RandomNormal(g, x.Shape()), c.Noise))
	return x, Add(size, MulScalar(scope.RandomNormal(g, size.Shape()), c.Scale))
}

// rotations returns the rotations [N, 3, 3] of quaternions [N, 4], which need not
// be of length 1: of four normal numbers they are uniform.
func rotations(q *Node) *Node {
	at := func(i int) *Node { return SliceAxis(q, 1, AxisElem(i)) }
	w, x, y, z := at(0), at(1), at(2), at(3)
	twice := func(a, b *Node) *Node { return MulScalar(Mul(a, b), 2) }
	norm := ReduceAndKeep(Square(q), ReduceSum, 1)
	sum := func(a, b, c, d *Node) *Node {
		return Sub(Add(Square(a), Square(b)), Add(Square(c), Square(d)))
	}
	r := Concatenate([]*Node{
		sum(w, x, y, z), Sub(twice(x, y), twice(w, z)), Add(twice(x, z), twice(w, y)),
		Add(twice(x, y), twice(w, z)), sum(w, y, x, z), Sub(twice(y, z), twice(w, x)),
		Sub(twice(x, z), twice(w, y)), Add(twice(y, z), twice(w, x)), sum(w, z, x, y),
	}, 1)
	return Reshape(Div(r, norm), q.Shape().Dimensions[0], 3, 3)
}

// largest returns the maxima of the rows of h [V, width] of each complex, zeros
// for one without rows. Rows that are equally large share the gradient.
func largest(h, of *Node, complexes int) *Node {
	index := ExpandAxes(of, -1)
	values := StopGradient(h)
	floor := MulScalar(Ones(h.Graph(), shapes.Make(h.DType(), complexes+1, h.Shape().Dimensions[1])), -1e30)
	most := Gather(ScatterMax(floor, index, values, true, false), index)
	at := ConvertDType(Equal(values, most), h.DType())
	sums := layers.Readout(layers.Sum, Concatenate([]*Node{Mul(h, at), at}, 1), of, complexes)
	width := h.Shape().Dimensions[1]
	return Div(SliceAxis(sums, 1, AxisRange(0, width)),
		MaxScalar(SliceAxis(sums, 1, AxisRange(width)), 1))
}
