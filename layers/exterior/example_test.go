package exterior_test

import (
	"fmt"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"

	_ "github.com/gomlx/compute/gobackend"

	"github.com/neuralkforms/nkf/layers/exterior"
	"github.com/neuralkforms/nkf/layers/quadrature"
)

// evaluate computes one node on the pure Go backend.
func evaluate(build func(g *Graph) *Node) any {
	backend, err := compute.NewWithConfig("go")
	if err != nil {
		panic(err)
	}
	defer backend.Finalize()
	out, err := CallOnce(backend, build)
	if err != nil {
		panic(err)
	}
	return out.Value()
}

// swirl is the rotation -y dx + x dy of the plane, for which one Gauss point is
// exact.
func swirl() exterior.Form {
	form := exterior.Formula(2, 1, func(x []*Node) []*Node { return []*Node{Neg(x[1]), x[0]} })
	form.Rule = quadrature.Gauss(1)
	return form
}

// The circulation of a rotation along two sides of the unit square.
func ExampleIntegrate() {
	fmt.Println(evaluate(func(g *Graph) *Node {
		vertices := Const(g, [][]float64{{0, 0}, {1, 0}, {1, 1}})
		edges := Const(g, [][]int32{{0, 1}, {1, 2}})
		return exterior.Integrate(swirl(), vertices, edges)
	}))
	// Output: [[0] [1]]
}

// A function times a 1-form, at one point.
func ExampleFormula() {
	fmt.Println(evaluate(func(g *Graph) *Node {
		height := exterior.Formula(2, 0, func(x []*Node) []*Node { return []*Node{x[1]} })
		return height.Wedge(swirl()).At(Const(g, [][]float64{{3, 2}}))
	}))
	// Output: [[[-4] [6]]]
}

// The derivative of the rotation is twice the area form: by Stokes' theorem
// its integral over a triangle is the circulation around it.
func ExampleForm_D() {
	fmt.Println(evaluate(func(g *Graph) *Node {
		vertices := Const(g, [][]float64{{0, 0}, {1, 0}, {0, 1}})
		return exterior.Integrate(swirl().D(), vertices, Const(g, [][]int32{{0, 1, 2}}))
	}))
	// Output: [[1]]
}

// In polar coordinates the rotation is r² dθ.
func ExampleForm_Pullback() {
	fmt.Println(evaluate(func(g *Graph) *Node {
		polar := func(x *Node) *Node {
			r, theta := SliceAxis(x, 1, AxisElem(0)), SliceAxis(x, 1, AxisElem(1))
			return Concatenate([]*Node{Mul(r, Cos(theta)), Mul(r, Sin(theta))}, 1)
		}
		return swirl().Pullback(2, polar).At(Const(g, [][]float64{{3, 0}}))
	}))
	// Output: [[[0] [9]]]
}

// Minus the divergence of x dx + y dy.
func ExampleForm_Codifferential() {
	fmt.Println(evaluate(func(g *Graph) *Node {
		radial := exterior.Formula(2, 1, func(x []*Node) []*Node { return x })
		return radial.Codifferential().At(Const(g, [][]float64{{3, 2}}))
	}))
	// Output: [[[-2]]]
}

// A network that is a single affine map, integrated by the paper's rule.
func ExampleNeural() {
	fmt.Println(evaluate(func(g *Graph) *Node {
		rotate := exterior.Affine{W: Const(g, [][]float64{{0, 1}, {-1, 0}})}
		form := exterior.Neural(2, 1, 1, nil, func(*Node) []exterior.Affine {
			return []exterior.Affine{rotate}
		})
		form.Rule = quadrature.Trapezoid(5)
		vertices := Const(g, [][]float64{{1, 0}, {1, 1}})
		return exterior.Integrate(form, vertices, Const(g, [][]int32{{0, 1}}))
	}))
	// Output: [[1]]
}

// The closed path of three edges, the last one against its orientation.
func ExampleChains() {
	fmt.Println(evaluate(func(g *Graph) *Node {
		integrals := Const(g, [][]float64{{1, 10}, {2, 20}, {4, 40}})
		edge, path := Const(g, []int32{0, 1, 2}), Const(g, []int32{0, 0, 0})
		return exterior.Chains(integrals, edge, path, Const(g, []float64{1, 1, -1}), 1)
	}))
	// Output: [[-1 -10]]
}

// The 1-form x² dy along a polyline, edge by edge: u = y and f = x, squared.
func ExampleDecomposable() {
	fmt.Printf("%.2f\n", evaluate(func(g *Graph) *Node {
		swap := exterior.Affine{W: Const(g, [][]float64{{0, 1}, {1, 0}})} // (x, y) ↦ (u, f)
		form := exterior.Decomposable(2, 1, 1, swap.Apply, Square)
		form.Rule = quadrature.Gauss(2)
		return exterior.IntegratePaths(form, Const(g, [][]float64{{0, 0}, {1, 0}, {1, 2}, {0, 0}}))
	}))
	// Output: [[0.00] [2.00] [-0.67]]
}
