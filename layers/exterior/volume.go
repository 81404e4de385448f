package exterior

import (
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/support/exceptions"
)

// Volumes returns the k-volumes of simplices in Rⁿ,
//
//	|σ| = √det(DᵀD) / k!,   D = [v_1-v_0 | … | v_k-v_0],
//
// lengths for k = 1, areas for k = 2, and 1 for a vertex: [S] for vertices
// [V, n] and simplices [S, k+1] as in [Integrate]. They do not depend on
// orientations, and are differentiable in the vertices. A simplex that is
// flat up to rounding, such as padding or any for k > n, has volume and
// gradient 0.
func Volumes(vertices, simplices *Node) *Node {
	if simplices.Rank() != 2 || simplices.Shape().Dimensions[1] == 0 {
		exceptions.Panicf("exterior.Volumes: simplices of shape %s: want [S, k+1]", simplices.Shape())
	}
	checkSimplices("Volumes", simplices, simplices.Shape().Dimensions[1]-1)
	if vertices.Rank() != 2 || !vertices.DType().IsFloat() {
		exceptions.Panicf("exterior.Volumes: vertices of shape %s: want floats [V, n]", vertices.Shape())
	}
	corners := Corners(vertices, simplices)
	volume := OnesLike(SliceAxis(corners[0], 1, AxisElem(0)))
	// Gram-Schmidt on the edges: the determinant is the product of squared heights.
	var units []*Node
	for j, corner := range corners[1:] {
		edge := Sub(corner, corners[0])
		length := ReduceAndKeep(Square(edge), ReduceSum, 1)
		for _, unit := range units {
			edge = Sub(edge, Mul(unit, ReduceAndKeep(Mul(unit, edge), ReduceSum, 1)))
		}
		height := ReduceAndKeep(Square(edge), ReduceSum, 1)
		angle := flatAngle(vertices)
		flat := LessOrEqual(height, MulScalar(length, angle*angle))
		height = Sqrt(Where(flat, OnesLike(height), height))
		units = append(units, Div(edge, height))
		volume = Where(flat, ZerosLike(volume), DivScalar(Mul(volume, height), float64(j+1)))
	}
	return Squeeze(volume, 1)
}

// flatAngle is the angle in radians below which an edge counts as lying in the
// span of others: some sixteen roundings, below which neither volumes nor
// integrals over such a simplex have a correct digit.
func flatAngle(x *Node) float64 {
	switch x.DType().Size() {
	case 8:
		return 4e-15
	case 4:
		return 2e-6
	}
	return 2e-2
}
