package layers_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/layers/activation"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/train/optimizer"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"

	"github.com/neuralkforms/nkf/datasets/simplicial"
	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/backendtest"
	"github.com/neuralkforms/nkf/layers/exterior"
	"github.com/neuralkforms/nkf/layers/quadrature"
)

// cube is the triangulated cube [-1, 1]ⁿ with the given cells an axis.
func cube(t *testing.T, n, cells int) *simplicial.Complex {
	t.Helper()
	sides := make([]int, n)
	for i := range sides {
		sides[i] = cells
	}
	grid, _, err := simplicial.Grid(sides...)
	require.NoError(t, err)
	coords := make([]float64, len(grid.Coords()))
	for i, x := range grid.Coords() {
		coords[i] = 2*x/float64(cells) - 1
	}
	grid = must(grid.Embed(n, coords))
	return grid
}

// TestUniversalApproximation fits a neural k-form to the cochain of a given
// smooth form, its integrals over the k-simplices of a grid: the relative
// error goes below 2 % on the grid and stays below 3 % on a finer one that was
// not seen, for full-batch Adam on one hidden layer.
func TestUniversalApproximation(t *testing.T) {
	backendtest.NeedLong(t)
	cases := []struct {
		name                string
		n, k, cells, hidden int
		target              exterior.Form
	}{
		{"1-form on the plane", 2, 1, 5, 32, exterior.Formula(2, 1, func(x []*Node) []*Node {
			return []*Node{Sin(MulScalar(x[1], 2)), Mul(x[0], Cos(x[1]))}
		})},
		{"2-form in space", 3, 2, 2, 32, exterior.Formula(3, 2, func(x []*Node) []*Node {
			return []*Node{Sin(Add(x[0], x[2])), Mul(x[0], x[1]), Exp(MulScalar(x[2], 0.5))}
		})},
		{"function on the line", 1, 0, 20, 16, exterior.Formula(1, 0, func(x []*Node) []*Node {
			return []*Node{Sin(MulScalar(x[0], 3))}
		})},
	}
	backend := backendtest.Get(t, "go")
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			store := model.NewStore()
			require.NoError(t, store.SetRNGStateFromSeed(3))
			target := c.target
			target.Rule = quadrature.Gauss(6)
			// table returns the vertices and simplices of the grid of so many cells, and ∫target, whose many
			// points are computed once.
			table := func(cells int) (in []any) {
				grid := cube(t, c.n, cells)
				vertices := tensors.FromFlatDataAndDimensions(grid.Coords(), grid.Count(0), c.n)
				simplices := tensors.FromFlatDataAndDimensions(grid.Simplices(c.k), grid.Count(c.k), c.k+1)
				want := must(CallOnce(backend, func(vertices, simplices *Node) *Node {
					return exterior.Integrate(target, vertices, simplices)
				}, vertices, simplices))
				return []any{vertices, simplices, want}
			}
			// difference returns the share of the sum of squares of ∫target that ∫ω - ∫target has.
			difference := func(scope *model.Scope, in []*Node) *Node {
				forms := layers.KForm(scope.In("forms"), c.n, c.k, 1).Hidden(c.hidden).Activation(Tanh).
					Initialization(layers.FanInUniform).Quadrature(quadrature.Gauss(2)).Done()
				off := Sub(exterior.Integrate(forms, in[0], in[1]), in[2])
				return Div(ReduceAllSum(Square(off)), ReduceAllSum(Square(in[2])))
			}
			exec := must(model.NewExec(backend, store, func(scope *model.Scope, in []*Node) []*Node {
				g := in[0].Graph()
				store.SetTraining(g, true)
				loss := difference(scope, in)
				optimizer.Adam().LearningRate(0.01).Done().UpdateGraph(scope, g, loss)
				return []*Node{loss}
			}))
			defer exec.Finalize()
			grid, relative := table(c.cells), math.Inf(1)
			for steps := 0; steps < 2500 && relative > 0.012; steps++ {
				relative = math.Sqrt(tensors.ToScalar[float64](must(exec.Call(grid...))[0]))
			}
			unseen := must(model.CallOnce(backend, store, difference, table(2*c.cells-1)...))
			finer := math.Sqrt(tensors.ToScalar[float64](unseen))
			require.Less(t, relative, 0.02)
			require.Less(t, finer, 0.03)
		})
	}
}

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
	out := call(backendtest.Get(t, "go"), store, func(scope *model.Scope, g *Graph) []*Node {
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
	text := must(os.ReadFile("quadrature/doc.go"))
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
