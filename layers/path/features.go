package path

import (
	"math"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/neuralkforms/nkf/layers"
)

// reach is the number of points on either side over which velocities are taken.
const reach = 3

// features returns places, velocities and times [E, B, T, 2n+1] of paths [E, B, T, n]. The velocities of each
// member have a norm of their own.
func features(scope *model.Scope, x, mask *Node) *Node {
	dims := x.Shape().Dimensions
	members, paths, points, n := dims[0], dims[1], dims[2], dims[3]
	v := Reshape(TransposeAllAxes(velocity(x), 1, 2, 0, 3), -1, members*n)
	rows := Reshape(BroadcastToDims(ExpandAxes(mask, 1), paths, points), -1)
	v = layers.BatchNorm(scope.In("velocity"), v, rows)
	v = TransposeAllAxes(Reshape(v, paths, points, members, n), 2, 0, 1, 3)
	time := Iota(x.Graph(), shapes.Make(x.DType(), dims[0], dims[1], dims[2], 1), 2)
	time = AddScalar(MulScalar(time, 2/float64(dims[2]-1)), -1)
	return Concatenate([]*Node{x, v, time}, -1)
}

// velocity returns the differences of paths [E, B, T, n] over reach points on either side, fewer at the
// ends, divided by the number of edges between these points.
func velocity(x *Node) *Node {
	points := x.Shape().Dimensions[2]
	from, to := make([]*Node, 0, reach+1), make([]*Node, 0, reach+1)
	first, last := SliceAxis(x, 2, AxisElem(0)), SliceAxis(x, 2, AxisElem(-1))
	near := min(reach, points-1)
	for range near {
		from, to = append(from, first), append(to, last)
	}
	from = append(from, SliceAxis(x, 2, AxisRange(0, points-near)))
	to = append([]*Node{SliceAxis(x, 2, AxisRange(near))}, to...)
	edges := make([]float32, points)
	for t := range edges {
		edges[t] = float32(min(t+near, points-1) - max(t-near, 0))
	}
	between := Reshape(ConvertDType(Const(x.Graph(), edges), x.DType()), 1, 1, points, 1)
	return Div(Sub(Concatenate(to, 2), Concatenate(from, 2)), between)
}

// Augment has the sizes of random changes to the paths of a training step, drawn again in every step and for
// every member. Zero changes nothing.
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
