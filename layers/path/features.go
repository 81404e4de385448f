package path

import (
	"math"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/support/exceptions"

	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/signature"
)

// paths returns those of a batch as each member has them, [E, B, T, n].
func (c Config) paths(scope *model.Scope, batch *layers.Batch) *Node {
	if c.Points < 2 {
		exceptions.Panicf("path: paths of %d points: set Config.Points to the number that all of them have",
			c.Points)
	}
	paths := signature.FromVertices(batch.Vertices(), batch.Of(0), batch.Complexes(), c.Points)
	return c.thinned(scope, c.Augment.apply(scope, paths, max(1, c.Members)))
}

// longest is the number of edges that one edge replaces at most where training leaves out points.
const longest = 8

// thinned returns the paths [E, B, T, n] of a training step, of which a share has every k-th point and the
// last alone, on the straight edges between them. Each draws its k, from 1 to longest.
func (c Config) thinned(scope *model.Scope, x *Node) *Node {
	g, d := x.Graph(), x.Shape().Dimensions
	if c.Thin == 0 || !scope.IsTraining(g) {
		return x
	}
	count, points := d[0]*d[1], d[2]
	uniform := func() *Node { return scope.RandomUniform(g, shapes.Make(x.DType(), count, 1)) }
	k := AddScalar(Floor(MulScalar(uniform(), longest)), 1)
	k = Where(LessThan(uniform(), Scalar(g, x.DType(), c.Thin)), k, OnesLike(k))
	at := Iota(g, shapes.Make(x.DType(), count, points), 1)
	from := Mul(k, Floor(Div(AddScalar(at, 0.5), k)))
	to := MinScalar(Add(from, k), float64(points-1))
	path := MulScalar(Iota(g, shapes.Make(dtypes.Int32, count, points), 0), points)
	rows := Reshape(x, -1, d[3])
	point := func(at *Node) *Node {
		return Gather(rows, ExpandAxes(Add(path, ConvertDType(at, dtypes.Int32)), -1))
	}
	a, b := point(from), point(to)
	share := ExpandAxes(Div(Sub(at, from), MaxScalar(Sub(to, from), 1)), -1)
	return Reshape(Add(a, Mul(share, Sub(b, a))), d...)
}

// input returns their places, velocities and times, [E, B, T, 2n+1], or places alone, [E, B, T, n]. The
// velocities of each member have a norm of their own.
func (c Config) input(scope *model.Scope, batch *layers.Batch) *Node {
	x := c.paths(scope, batch)
	if c.Place {
		return x
	}
	d := x.Shape().Dimensions
	v := Reshape(velocity(x), d[0], -1, d[3])
	v = Reshape(normRows(scope.In("features").In("velocity"), v, ofPoints(batch.Mask(), d[2])), d...)
	time := Iota(x.Graph(), shapes.Make(x.DType(), d[0], d[1], d[2], 1), 2)
	time = AddScalar(MulScalar(time, 2/float64(d[2]-1)), -1)
	return Concatenate([]*Node{x, v, time}, -1)
}

// ofPoints returns the mask of the points of paths, [B·T], from that of paths.
func ofPoints(mask *Node, points int) *Node {
	return Reshape(BroadcastToDims(ExpandAxes(mask, 1), mask.Shape().Size(), points), -1)
}

// normRows is the batch norm of rows [E, rows, columns], of each member.
func normRows(scope *model.Scope, h, mask *Node) *Node {
	d := h.Shape().Dimensions
	h = layers.BatchNorm(scope, Reshape(Transpose(h, 0, 1), d[1], -1), mask)
	return Transpose(Reshape(h, d[1], d[0], d[2]), 0, 1)
}

// reach is the number of points on either side over which velocities are taken.
const reach = 3

// velocity returns the differences of paths [E, B, T, n] over reach points on either side, fewer at the
// ends, divided by the number of edges between these points.
func velocity(x *Node) *Node {
	points := x.Shape().Dimensions[2]
	first, last := SliceAxis(x, 2, AxisElem(0)), SliceAxis(x, 2, AxisElem(-1))
	long := Concatenate([]*Node{first, first, first, x, last, last, last}, 2)
	edges := make([]float32, points)
	for t := range edges {
		edges[t] = float32(min(t+reach, points-1) - max(t-reach, 0))
	}
	between := Reshape(ConvertDType(Const(x.Graph(), edges), x.DType()), 1, 1, points, 1)
	return Div(Sub(SliceAxis(long, 2, AxisRange(2*reach)), SliceAxis(long, 2, AxisRange(0, points))), between)
}

// Augment has the sizes of random changes to the paths of a training step, drawn again in every step and for
// every member. Zero means no change.
type Augment struct {
	Warp  float64 // of time: the deviation of the coefficients of three sines
	Cut   float64 // the largest share of a path that is cut off at its ends
	Scale float64 // deviation of a factor of each channel from 1
	Shift float64 // deviation of a shift of each channel from 0
}

// apply returns the paths [B, T, n] of all members, [E, B, T, n].
func (a Augment) apply(scope *model.Scope, paths *Node, members int) *Node {
	dims := paths.Shape().Dimensions
	all := []int{members, dims[0], dims[1], dims[2]}
	g := paths.Graph()
	if a == (Augment{}) || !scope.IsTraining(g) {
		return BroadcastToDims(ExpandAxes(paths, 0), all...)
	}
	count := members * dims[0]
	normal := func(dims ...int) *Node { return scope.RandomNormal(g, shapes.Make(paths.DType(), dims...)) }
	uniform := func() *Node { return scope.RandomUniform(g, shapes.Make(paths.DType(), count, 1)) }

	// w(u) = u + Σ_k warp·N(0,1)·sin(πku)/(πk), monotone and from 0 to 1.
	points := dims[1]
	sines := make([][]float64, 3)
	for k := range sines {
		for t := range points {
			u := math.Pi * float64(k+1) * float64(t) / float64(points-1)
			sines[k] = append(sines[k], math.Sin(u)/(math.Pi*float64(k+1)))
		}
	}
	u := Iota(g, shapes.Make(paths.DType(), count, points), 1)
	w := MatMul(normal(count, len(sines)), ConvertDType(Const(g, sines), paths.DType()))
	w = Add(DivScalar(u, float64(points-1)), MulScalar(w, a.Warp))
	w = cumulativeMax(MaxScalar(MinScalar(w, 1), 0))
	w = Div(w, MaxScalar(SliceAxis(w, 1, AxisElem(-1)), 1e-3))
	// The window from a random place on.
	cut := MulScalar(uniform(), a.Cut)
	w = MulScalar(Add(Mul(cut, uniform()), Mul(OneMinus(cut), w)), float64(points-1))

	from := MaxScalar(MinScalar(Floor(w), float64(points-2)), 0)
	share := ExpandAxes(Sub(w, from), -1)
	path := Mod(Iota(g, shapes.Make(dtypes.Int32, count, points), 0), Scalar(g, dtypes.Int32, dims[0]))
	at := Add(MulScalar(path, points), ConvertDType(from, dtypes.Int32))
	rows := Reshape(paths, -1, dims[2])
	x, next := Gather(rows, ExpandAxes(at, -1)), Gather(rows, ExpandAxes(AddScalar(at, 1), -1))
	x = Add(x, Mul(share, Sub(next, x)))
	x = Mul(x, AddScalar(MulScalar(normal(count, 1, dims[2]), a.Scale), 1))
	x = Add(x, MulScalar(normal(count, 1, dims[2]), a.Shift))
	return Reshape(x, all...)
}

// cumulativeMax returns the largest value up to each column of x [rows, columns].
func cumulativeMax(x *Node) *Node {
	columns := x.Shape().Dimensions[1]
	for s := 1; s < columns; s *= 2 {
		later := Max(SliceAxis(x, 1, AxisRange(s)), SliceAxis(x, 1, AxisRange(0, columns-s)))
		x = Concatenate([]*Node{SliceAxis(x, 1, AxisRange(0, s)), later}, 1)
	}
	return x
}
