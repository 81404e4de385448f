// Method shows the method of the paper on one screen: neural 1-forms, their integrals over the edges of a
// path, the readout, and Stokes' theorem. The symbols are those of sections 2 to 4.
package main

import (
	"fmt"
	"log"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/backends"
	"github.com/neuralkforms/nkf/layers/exterior"
	"github.com/neuralkforms/nkf/layers/quadrature"
)

// method integrates three forms around the triangle [0 1 2].
func method(scope *model.Scope, g *Graph) []*Node {
	// The embedding φ has the coordinates of each vertex; β are the edges of a path from vertex 0 back to it.
	φ := Const(g, [][]float32{{0, 0}, {1, 0}, {0.3, 0.8}})
	β := Const(g, [][]int32{{0, 1}, {1, 2}, {2, 0}})

	// Three 1-forms ω = f₁ dx + f₂ dy on R²: an MLP ψ: R² → R^(2×3), with hidden layers of 16 and 8, has
	// their coefficients. Eight Gauss points on an edge integrate them; the paper takes equal steps.
	ω := layers.KForm(scope.In("ω"), 2, 1, 3).Hidden(16, 8).Quadrature(quadrature.Gauss(8)).Done()

	// The integration matrix has a row for each edge and a column for each form; its sum over the edges, the
	// readout, is ∫ω along the path: three numbers, the input of a classifier.
	X := exterior.Integrate(ω, φ, β)
	path := ReduceSum(X, 0)

	// The path is the boundary of the triangle σ. Stokes: ∫ω over ∂σ is ∫dω over σ.
	σ := Const(g, [][]int32{{0, 1, 2}})
	inside := exterior.Integrate(ω.D(), φ, σ)
	return []*Node{X, path, Reshape(inside, 3)}
}

func main() {
	backend, err := backends.New()
	if err != nil {
		log.Fatal(err)
	}
	store := model.NewStore()
	store.SetParam(model.ParamInitialSeed, int64(1))
	out, err := model.CallOnceN(backend, store, method)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("X(β, ω):", out[0].Value())
	fmt.Println("∫ω over ∂σ:", out[1].Value())
	fmt.Println("∫dω over σ:", out[2].Value())
}
