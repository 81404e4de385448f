package layers_test

import (
	"fmt"
	"testing"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/model/initializer"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/backendtest"
	"github.com/neuralkforms/nkf/layers/exterior"
	"github.com/neuralkforms/nkf/layers/quadrature"
)

// siren returns two 1-forms on the plane whose coefficients are a network with
// sines, built by hand in the scope (Sitzmann et al., Implicit Neural
// Representations with Periodic Activation Functions, 2020).
func siren(scope *model.Scope) exterior.Form {
	uniform := scope.WithInitializer(initializer.RandomUniformFn(scope, -1, 1))
	return exterior.Form{Dim: 2, Degree: 1, Count: 2, Coefficients: func(points *Node) *Node {
		g, h := points.Graph(), points
		for i, width := range []int{8, 8, 2 * 2} {
			if i > 0 {
				h = Sin(h)
			}
			shape := h.Shape().Clone()
			shape.Dimensions[0], shape.Dimensions[1] = shape.Dimensions[1], width
			h = MatMul(h, uniform.At("layer_%d", i).VariableWithShape("weights", shape).NodeValue(g))
		}
		return Reshape(h, -1, 2, 2)
	}}
}

// potential returns the differentials of two neural functions.
func potential(scope *model.Scope) exterior.Form {
	return layers.KForm(scope.In("potential"), 2, 0, 2).Hidden(6).Done().D()
}

// TestOwnForms: forms that are not those of KForm are integrated in batches and
// in chunks, and trained, as their coefficients say.
func TestOwnForms(t *testing.T) {
	const vertices, edges = 11, 10
	x, s := mesh(2, 1, vertices, edges)
	for i := range x {
		x[i] /= 8 // edges that a rule of 12 points integrates to rounding
	}
	for name, build := range map[string]func(*model.Scope) exterior.Form{"siren": siren, "exact": potential} {
		t.Run(name, func(t *testing.T) {
			backendtest.Each(t, func(t *testing.T, backend compute.Backend) {
				store := model.NewStore()
				store.SetParam(model.ParamInitialSeed, int64(5))
				form := build(store.RootScope())
				form.Rule = quadrature.Gauss(12)
				plain := exterior.Form{Dim: form.Dim, Degree: form.Degree, Count: form.Count,
					Rule: form.Rule, Coefficients: form.Coefficients}

				it, err := layers.NewIntegrator(backend, store, form, 4)
				require.NoError(t, err)
				defer it.Finalize()
				chunks, err := it.Integrate(x, s)
				require.NoError(t, err)
				gradients, err := it.Gradient(x, s, chunks)
				require.NoError(t, err)
				require.Greater(t, len(gradients), 2)
				graph := func(_ *model.Scope, in []*Node) []*Node {
					y := exterior.Integrate(plain, in[0], in[1])
					by := make([]*Node, len(gradients))
					for i, v := range ordered(gradients) {
						by[i] = v.NodeValue(in[0].Graph())
					}
					out := []*Node{y, exterior.Integrate(form, in[0], in[1])}
					loss := DivScalar(ReduceAllSum(Square(y)), 2)
					return append(out, Gradient(loss, by...)...)
				}
				whole, err := model.CallOnceN(backend, store, graph,
					tensors.FromFlatDataAndDimensions(x, vertices, 2),
					tensors.FromFlatDataAndDimensions(s, edges, 2))
				require.NoError(t, err)
				want := tensors.MustCopyFlatData[float32](whole[0])
				near(t, want, chunks, "chunks")
				near(t, want, tensors.MustCopyFlatData[float32](whole[1]), "a batch")
				for i, v := range ordered(gradients) {
					near(t, tensors.MustCopyFlatData[float32](whole[2+i]),
						tensors.MustCopyFlatData[float32](gradients[v]), v.Path())
				}
			})
		})
	}
}

// TestIntegratorOfFormulas: forms without variables have no gradients.
func TestIntegratorOfFormulas(t *testing.T) {
	form := exterior.Formula(2, 1, func(x []*Node) []*Node { return []*Node{Neg(x[1]), x[0]} })
	it, err := layers.NewIntegrator(backendtest.Get(t, "go"), model.NewStore(), form, 0)
	require.NoError(t, err)
	defer it.Finalize()
	x, err := it.Integrate([]float32{1, 0, 1, 1}, []int32{0, 1})
	require.NoError(t, err)
	near(t, []float32{1}, x, "circulation")
	gradients, err := it.Gradient([]float32{1, 0, 1, 1}, []int32{0, 1}, x)
	require.NoError(t, err)
	require.Empty(t, gradients)
}

// A network of one's own is a form: here sines of the coordinates, integrated
// over the edges of two triangles at once.
func Example_form() {
	store := model.NewStore()
	x, err := model.CallOnce(goBackend(), store, func(scope *model.Scope, g *Graph) *Node {
		form := siren(scope.In("siren"))
		vertices := Const(g, [][]float32{{0, 0}, {1, 0}, {0, 1}, {2, 1}, {1, 1}})
		edges := Const(g, [][]int32{{0, 1}, {1, 2}, {2, 0}, {2, 1}, {1, 3}, {3, 2}})
		triangleOf := Const(g, []int32{0, 0, 0, 1, 1, 1})
		return layers.Readout(layers.Sum, exterior.Integrate(form, vertices, edges), triangleOf, 2)
	})
	if err != nil {
		panic(err)
	}
	fmt.Println("circulations", x.Shape())
	// Output: circulations (Float32)[2, 2]
}

// The differential of a neural function is exact: around a closed path its
// integral is zero, however few points integrate it.
func ExampleKForm_exact() {
	store := model.NewStore()
	x, err := model.CallOnce(goBackend(), store, func(scope *model.Scope, g *Graph) *Node {
		form := layers.KForm(scope.In("potential"), 2, 0, 3).Done().D()
		vertices := Const(g, [][]float64{{0, 0}, {1, 0}, {0, 1}})
		edges := Const(g, [][]int32{{0, 1}, {1, 2}, {2, 0}})
		circulations := ReduceSum(exterior.Integrate(form, vertices, edges), 0)
		return LessThan(ReduceAllMax(Abs(circulations)), Const(g, 1e-12))
	})
	if err != nil {
		panic(err)
	}
	fmt.Println("closed paths have the integral zero:", x.Value())
	// Output: closed paths have the integral zero: true
}

// goBackend returns the pure Go backend.
func goBackend() compute.Backend {
	backend, err := compute.NewWithConfig("go")
	if err != nil {
		panic(err)
	}
	return backend
}
