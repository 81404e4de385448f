// Siren integrates forms whose coefficients are a custom network, with sines.
package main

import (
	"fmt"
	"log"

	. "github.com/gomlx/gomlx/core/graph"
	gomlx "github.com/gomlx/gomlx/ml/layers"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/model/initializer"
	"github.com/neuralkforms/nkf/layers/backends"
	"github.com/neuralkforms/nkf/layers/exterior"
	"github.com/neuralkforms/nkf/layers/quadrature"
)

// siren returns count k-forms on Rⁿ whose network has sines, with their weights (Sitzmann et al. 2020).
func siren(scope *model.Scope, n, k, count int) exterior.Form {
	rule, bound := quadrature.Gauss(40), 1/float64(n)
	return exterior.Form{Dim: n, Degree: k, Count: count, Rule: rule, Coefficients: func(x *Node) *Node {
		in := scope.ResetVisited().WithInitializer(initializer.RandomUniformFn(scope, -bound, bound))
		hidden := Sin(MulScalar(gomlx.Dense(in.In("first"), x, true, 16), 30))
		return gomlx.Dense(in.In("last"), hidden, true, exterior.Components(n, k), count)
	}}
}

func main() {
	backend, err := backends.New()
	if err != nil {
		log.Fatal(err)
	}
	square := [][]float32{{0, 0}, {1, 0}, {1, 1}, {0, 1}}
	around, inside := [][]int32{{0, 1}, {1, 2}, {2, 3}, {3, 0}}, [][]int32{{0, 1, 2}, {0, 2, 3}}
	stokes := func(scope *model.Scope, square, around, inside *Node) []*Node {
		forms := siren(scope, 2, 1, 3)
		return []*Node{ReduceSum(exterior.Integrate(forms, square, around), 0),
			ReduceSum(exterior.Integrate(forms.D(), square, inside), 0)}
	}
	fmt.Println(model.CallOnceN(backend, model.NewStore(), stokes, square, around, inside))
}
