package cochain

import (
	"math"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/support/exceptions"

	"github.com/neuralkforms/nkf/layers"
)

// place sets the places of vertices, in units of their root mean square distance
// from the origin, and the normals of triangles.
func (s *surface) place() {
	x := s.batch.Vertices()
	if x.Rank() != 2 || x.Shape().Dimensions[1] != 3 {
		exceptions.Panicf("cochain.Surface: vertices of shape %s: want [V, 3]", x.Shape())
	}
	square := orOne(s.mean(0, ReduceAndKeep(Square(x), ReduceSum, 1), s.share))
	s.places = Div(x, Sqrt(layers.Spread(square, s.batch.Of(0), 1)))
	at := func(i int) *Node {
		return Gather(s.places, SliceAxis(s.batch.Corners(2), 1, AxisElem(i)))
	}
	a, b := Sub(at(1), at(0)), Sub(at(2), at(0))
	turned := func(x *Node, by int) *Node { // x_{i+by}
		return Concatenate([]*Node{SliceAxis(x, 1, AxisRange(by)), SliceAxis(x, 1, AxisRange(0, by))}, 1)
	}
	normal := Sub(Mul(turned(a, 1), turned(b, 2)), Mul(turned(a, 2), turned(b, 1)))
	s.twice = Sqrt(AddScalar(ReduceSum(Square(normal), 1), 1e-20))
	s.normals = Div(traceless(normal), ExpandAxes(Square(s.twice), -1))
}

// traceless returns x xᵀ - |x|²/3 of rows x [rows, 3], as six numbers, the sum
// of whose squares is that of the nine.
func traceless(x *Node) *Node {
	at := func(i int) *Node { return SliceAxis(x, 1, AxisElem(i)) }
	third := DivScalar(ReduceAndKeep(Square(x), ReduceSum, 1), 3)
	mixed := func(i, j int) *Node { return MulScalar(Mul(at(i), at(j)), math.Sqrt2) }
	return Concatenate([]*Node{Sub(Square(at(0)), third), Sub(Square(at(1)), third),
		Sub(Square(at(2)), third), mixed(0, 1), mixed(0, 2), mixed(1, 2)}, 1)
}

// outer returns the products [rows, a·b] of the columns of x [rows, a] and of y
// [rows, b].
func outer(x, y *Node) *Node {
	return Reshape(Mul(ExpandAxes(x, 2), ExpandAxes(y, 1)), x.Shape().Dimensions[0], -1)
}

// lengths returns for functions g [V, 3·Tensors] on the vertices the lengths, in the
// space of matrices, of the means over the surface of
//
//	g₁ x, g₂ (x xᵀ - |x|²/3) and g₃ (n nᵀ - 1/3),
//
// where x are points and n normals, as logarithms.
func (s *surface) lengths(g *Node) []*Node {
	part := func(i int) *Node { return SliceAxis(g, 1, AxisRange(i*s.Tensors, (i+1)*s.Tensors)) }
	points := Concatenate([]*Node{outer(part(0), s.places), outer(part(1), traceless(s.places))}, 1)
	points = s.mean(0, points, s.share)
	normals := s.mean(2, outer(s.cornerMeans(2, func() *Node { return part(2) }), s.normals), s.twice)
	logs := func(x *Node, each int) *Node {
		square := ReduceSum(Square(Reshape(x, -1, s.Tensors, each)), 2)
		return Log(AddScalar(square, 1e-3))
	}
	return []*Node{logs(SliceAxis(points, 1, AxisRange(0, 3*s.Tensors)), 3),
		logs(SliceAxis(points, 1, AxisRange(3*s.Tensors)), 6), logs(normals, 6)}
}
