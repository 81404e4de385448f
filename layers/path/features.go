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

// paths returns those of a batch, [B, T, n].
func (c Config) paths(scope *model.Scope, batch *layers.Batch) *Node {
	if c.Points < 2 {
		exceptions.Panicf("path: paths of %d points: set Config.Points to the number that all of them have",
			c.Points)
	}
	return c.Augment.apply(scope,
		signature.FromVertices(batch.Vertices(), batch.Of(0), batch.Complexes(), c.Points))
}

// input returns their places, velocities and times, [B, T, 2n+1], or places alone, [B, T, n].
func (c Config) input(scope *model.Scope, batch *layers.Batch) *Node {
	x := c.paths(scope, batch)
	if c.Place {
		return x
	}
	d := x.Shape().Dimensions
	v := batchNorm(scope.In("features").In("velocity"), velocity(x), batch.Mask())
	t := Iota(x.Graph(), shapes.Make(x.DType(), d[0], d[1], 1), 1)
	t = AddScalar(MulScalar(t, 2/float64(d[1]-1)), -1)
	return Concatenate([]*Node{x, v, t}, -1)
}

// ofPoints returns the mask of the points of paths, [B·T], from that of paths.
func ofPoints(mask *Node, points int) *Node {
	return Reshape(BroadcastToDims(ExpandAxes(mask, 1), mask.Shape().Size(), points), -1)
}

// reach is the number of points on either side over which velocities are taken.
const reach = 3

// velocity returns the differences of paths [B, T, n] over reach points on either side, fewer at the
// ends, divided by the number of edges between these points.
func velocity(x *Node) *Node {
	points := x.Shape().Dimensions[1]
	first, last := SliceAxis(x, 1, AxisElem(0)), SliceAxis(x, 1, AxisElem(-1))
	long := Concatenate([]*Node{first, first, first, x, last, last, last}, 1)
	edges := make([]float32, points)
	for t := range edges {
		edges[t] = float32(min(t+reach, points-1) - max(t-reach, 0))
	}
	between := Reshape(ConvertDType(Const(x.Graph(), edges), x.DType()), 1, points, 1)
	return Div(Sub(SliceAxis(long, 1, AxisRange(2*reach)), SliceAxis(long, 1, AxisRange(0, points))), between)
}

// Augment has the sizes of random changes to the paths of a training step, drawn again in every step. Zero
// means no change. With u from 0 to 1 along a path, Warp reads it at
//
//	w(u) = u + Warp · Σ_{k=1}^3 N(0, 1) · sin(πku)/(πk).
type Augment struct {
	Warp  float64 // of the pace along a path
	Cut   float64 // largest share of a path that is cut off at its ends, of any at random
	Scale float64 // standard deviation of a normal factor of each coordinate, about 1
	Shift float64 // standard deviation of a normal shift of each coordinate, about 0
}

// apply returns the paths [B, T, n] with changes.
func (a Augment) apply(scope *model.Scope, paths *Node) *Node {
	g := paths.Graph()
	if a == (Augment{}) || !scope.IsTraining(g) {
		return paths
	}
	dims := paths.Shape().Dimensions
	count, points := dims[0], dims[1]
	normal := func(dims ...int) *Node { return scope.RandomNormal(g, shapes.Make(paths.DType(), dims...)) }
	uniform := func() *Node { return scope.RandomUniform(g, shapes.Make(paths.DType(), count, 1)) }

	// w(u) = u + Σ_k warp·N(0,1)·sin(πku)/(πk), monotone and from 0 to 1.
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
	path := Iota(g, shapes.Make(dtypes.Int32, count, points), 0)
	at := Add(MulScalar(path, points), ConvertDType(from, dtypes.Int32))
	rows := Reshape(paths, -1, dims[2])
	x, next := Gather(rows, ExpandAxes(at, -1)), Gather(rows, ExpandAxes(AddScalar(at, 1), -1))
	x = Add(x, Mul(share, Sub(next, x)))
	x = Mul(x, AddScalar(MulScalar(normal(count, 1, dims[2]), a.Scale), 1))
	return Add(x, MulScalar(normal(count, 1, dims[2]), a.Shift))
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
