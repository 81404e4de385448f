package layers_test

import (
	"fmt"

	"github.com/gomlx/compute"
	_ "github.com/gomlx/compute/gobackend"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/exterior"
	"github.com/neuralkforms/nkf/layers/quadrature"
)

// Five neural 1-forms on the plane are integrated over the edges of two
// graphs, a path and a triangle, and read out per graph.
func Example() {
	store := model.NewStore()
	out := must(model.CallOnceN(goBackend(), store, func(scope *model.Scope, g *Graph) []*Node {
		vertices := Const(g, [][]float32{{0, 0}, {1, 0}, {2, 1}, {0, 0}, {1, 0}, {0, 1}})
		edges := Const(g, [][]int32{{0, 1}, {1, 2}, {3, 4}, {4, 5}, {5, 3}})
		graphOf := Const(g, []int32{0, 0, 1, 1, 1})

		forms := layers.KForm(scope.In("forms"), 2, 1, 5).
			Hidden(16, 8).
			Quadrature(quadrature.Trapezoid(5)).
			Done()
		x := exterior.Integrate(forms, vertices, edges)
		h := layers.Readout(layers.SquaredL2, x, graphOf, 2)
		h = layers.BatchNorm(scope.In("norm"), h, Const(g, []bool{true, true}))
		logits := layers.MLP(scope.In("head"), h, 16, 8, 3)
		return []*Node{x, h, logits}
	}))
	fmt.Println("integration matrix", out[0].Shape())
	fmt.Println("one row per graph", out[1].Shape())
	fmt.Println("logits", out[2].Shape())
	// Output:
	// integration matrix (Float32)[5, 5]
	// one row per graph (Float32)[2, 5]
	// logits (Float32)[2, 3]
}

// A path that comes back has the integral zero over the sum of its edges,
// whatever the form, but not the norm zero.
func ExampleReadout() {
	store := model.NewStore()
	store.SetParam(model.ParamInitialSeed, int64(1))
	out := must(model.CallOnceN(goBackend(), store, func(scope *model.Scope, g *Graph) []*Node {
		vertices := Const(g, [][]float64{{0, 0}, {1, 2}})
		thereAndBack := Const(g, [][]int32{{0, 1}, {1, 0}})
		pathOf := Const(g, []int32{0, 0})
		x := exterior.Integrate(layers.KForm(scope.In("forms"), 2, 1, 1).Done(), vertices, thereAndBack)
		sum := layers.Readout(layers.Sum, x, pathOf, 1)
		norm := layers.Readout(layers.L2, x, pathOf, 1)
		// Rounding: two sums of three terms in opposite order.
		return []*Node{
			LessThan(ReduceAllMax(Abs(sum)), Const(g, 1e-12)),
			GreaterThan(norm, Const(g, [][]float64{{1e-3}})),
		}
	}))
	fmt.Println("sum is zero:", out[0].Value())
	fmt.Println("norm is positive:", out[1].Value())
	// Output:
	// sum is zero: true
	// norm is positive: [[true]]
}

// A complex of any size is integrated in bounded memory, here three edges of a path, and a sum of squares of
// integrals in one pass with its gradients.
func ExampleIntegrator() {
	store := model.NewStore()
	// Without hidden layers, the weights and biases at zero but one: dx.
	forms := layers.KForm(store.RootScope(), 2, 1, 1).Hidden().Done()
	layer := store.RootScope().In("layer_0")
	layer.VariableWithValue("weights", [][]float32{{0, 0}, {0, 0}})
	layer.VariableWithValue("biases", []float32{1, 0})

	backend := goBackend()
	integrator := must(layers.NewIntegrator(backend, store, forms, nil))
	defer integrator.Finalize()
	vertices, edges := []float32{0, 0, 1, 0, 3, 1, 2, 5}, []int32{0, 1, 1, 2, 2, 3}
	x, err := integrator.Integrate(vertices, edges)
	fmt.Println(x, err)
	squares := must(layers.NewIntegrator(backend, store, forms, Square))
	defer squares.Finalize()
	sum, gradients, err := squares.SumGradient(vertices, edges, []float32{1})
	fmt.Println(sum, gradients[layer.GetVariable("biases")].Value(), err)
	// Output:
	// [1 2 -1] <nil>
	// 6 [12 -4] <nil>
}

// A network of one's own is a form: here sines of the coordinates, integrated
// over the edges of two triangles at once.
func Example_form() {
	store := model.NewStore()
	x := must(model.CallOnce(goBackend(), store, func(scope *model.Scope, g *Graph) *Node {
		form := siren(scope.In("siren"))
		vertices := Const(g, [][]float32{{0, 0}, {1, 0}, {0, 1}, {2, 1}, {1, 1}})
		edges := Const(g, [][]int32{{0, 1}, {1, 2}, {2, 0}, {2, 1}, {1, 3}, {3, 2}})
		triangleOf := Const(g, []int32{0, 0, 0, 1, 1, 1})
		return layers.Readout(layers.Sum, exterior.Integrate(form, vertices, edges), triangleOf, 2)
	}))
	fmt.Println("circulations", x.Shape())
	// Output: circulations (Float32)[2, 2]
}

// goBackend returns the pure Go backend.
func goBackend() compute.Backend { return must(compute.NewWithConfig("go")) }
