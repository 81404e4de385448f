package layers_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/layers/activation"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"

	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/backendtest"
	"github.com/neuralkforms/nkf/layers/exterior"
	"github.com/neuralkforms/nkf/layers/quadrature"
)

// edges returns edges of the given length in R³, in random places and directions.
func edges(rng *rand.Rand, count int, length float64) (vertices [][]float64, edges [][]int32) {
	for range count {
		draws := make([]float64, 9) // of triangles these were the corners
		for i := range draws {
			draws[i] = rng.NormFloat64()
		}
		from, direction := draws[:3], draws[3:6]
		to := slices.Clone(from)
		floats.AddScaled(to, length/floats.Norm(direction, 2), direction)
		edges = append(edges, []int32{int32(len(vertices)), int32(len(vertices) + 1)})
		vertices = append(vertices, from, to)
	}
	return vertices, edges
}

// accuracy returns how far Gauss(3) is off for ten random forms with a hidden layer of 16 over a hundred
// edges each, in units of the root mean square of the integrals of the form: the worst of the forms. A rule
// of 16 points counts as exact.
func accuracy(t *testing.T, activation func(*Node) *Node, init layers.Initialization,
	length float64) float64 {
	store := model.NewStore()
	store.SetParam(model.ParamInitialSeed, int64(1))
	out := call(t, backendtest.Get(t, "go"), store, func(scope *model.Scope, g *Graph) []*Node {
		corners, indices := edges(rand.New(rand.NewPCG(1, 2)), 100, length)
		var all []*Node
		for i := range 10 {
			integrals := func(scope *model.Scope, rule quadrature.Rule) *Node {
				forms := layers.KForm(scope, 3, 1, 1).Activation(activation).Initialization(init).
					Quadrature(rule).Done()
				return exterior.Integrate(forms, Const(g, corners), Const(g, indices))
			}
			all = append(all, integrals(scope.In("form_%d", i), quadrature.Gauss(3)),
				integrals(scope.Shared("form_%d", i), quadrature.Gauss(16)))
		}
		return all
	})
	worst := 0.0
	for i := 0; i < len(out); i += 2 {
		got, want := values(out[i]), values(out[i+1])
		worst = math.Max(worst, floats.Distance(got, want, 2)/floats.Norm(want, 2))
	}
	return worst
}

// TestAccuracyIsDocumented: package quadrature says what is measured, for edges
// and networks with one hidden layer.
func TestAccuracyIsDocumented(t *testing.T) {
	text, err := os.ReadFile("quadrature/doc.go")
	require.NoError(t, err)
	for _, a := range []struct {
		name     string
		function func(*Node) *Node
	}{{"SiLU", layers.SiLU}, {"tanh", Tanh}, {"ReLU", activation.Relu}} {
		for name, init := range map[string]layers.Initialization{"the scope": nil,
			"FanInUniform": layers.FanInUniform} {
			line := fmt.Sprintf("%-11s %-12s ", a.name, name)
			for _, length := range []float64{1, 0.3, 0.1} {
				line += fmt.Sprintf("  %.0e", accuracy(t, a.function, init, length))
			}
			require.Contains(t, string(text), line)
		}
	}
}
