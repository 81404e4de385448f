package exterior

import (
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/support/exceptions"
)

// Decomposable returns count k-forms on Rⁿ, each a function times a product of
// differentials,
//
//	ω_j = a(f_j) du_{1,j} ∧ … ∧ du_{k,j},
//
// where u and f are affine functions, the function affine returns their values at
// points [..., n] as [..., (k+1)·count], u_1 before u_2 and so on and f last, and a
// is computed element by element; nil is the identity. They are pull-backs of the
// forms a(y_0) dy_1 ∧ … ∧ dy_k by affine maps: u and f are computed once per vertex,
// and the wedge is a determinant of their differences, whatever the dimension.
//
// Where affine treats leading axes differently, such as networks side by side,
// the forms can be integrated along paths, see [IntegratePaths], but have no
// coefficients.
func Decomposable(n, k, count int, affine, a func(x *Node) *Node) Form {
	if k < 0 || k > n || count < 1 {
		exceptions.Panicf("exterior.Decomposable: %d %d-forms in dimension %d", count, k, n)
	}
	if a == nil {
		a = func(x *Node) *Node { return x }
	}
	part := func(x *Node, from, to int) *Node { return SliceAxis(x, -1, AxisRange(from*count, to*count)) }
	form := Form{Dim: n, Degree: k, Count: count, onVertices: true}
	form.Coefficients = func(points *Node) *Node {
		value := ExpandAxes(a(part(affine(points), k, k+1)), 1)
		if k == 0 {
			return value
		}
		// The slopes of u along the axes, [n, k·count], are the same everywhere.
		slopes := partials(affine, ZerosLike(SliceAxis(points, 0, AxisElem(0))), axes(points))
		slopes = TransposeAllAxes(Reshape(part(slopes, 0, k), 1, n, k, count), 2, 0, 1, 3)
		covectors := make([]*Node, k)
		for i := range covectors {
			covectors[i] = Squeeze(SliceAxis(slopes, 0, AxisElem(i)), 0)
		}
		return Mul(value, blade(covectors...))
	}
	form.own = func(*Node) steps {
		return steps{
			panels: 16, first: affine,
			between: func(points *Node) *Node { return a(part(points, k, k+1)) },
			last: func(mean *Node, _, first []*Node, _ float64) *Node {
				switch du := edges(first); k {
				case 0:
					return mean
				case 1:
					return Mul(mean, part(du[0], 0, 1))
				default:
					// Points of the blade are simplices, and forms are its last axis.
					for i, e := range du {
						du[i] = Reshape(part(e, 0, k), -1, k, count)
					}
					return Mul(mean, Reshape(blade(du...), mean.Shape().Dimensions...))
				}
			},
		}
	}
	return form
}
