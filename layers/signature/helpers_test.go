package signature

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers/backendtest"
	"github.com/neuralkforms/nkf/layers/exterior"
	"github.com/neuralkforms/nkf/layers/quadrature"
)

// near compares numbers, see package backendtest.
var near = backendtest.Close

// goldenCase is a path with its signature, computed by other programs.
type goldenCase struct {
	Path         [][]float64
	Depth        int
	Signature    []float64
	Logsignature []float64
	LyndonWords  []string `json:"lyndon_words"`
	Lyndon       []float64
}

// golden reads the golden values.
func golden(t testing.TB) []goldenCase {
	var cases []goldenCase
	backendtest.Golden(t, "testdata/signature.json", &cases)
	require.Len(t, cases, 9)
	return cases
}

// values returns those of some nodes.
func values(t testing.TB, backend compute.Backend, build func(g *Graph) []*Node) [][]float64 {
	t.Helper()
	return backendtest.Values(t, backend, model.NewStore(), false,
		func(_ *model.Scope, g *Graph) []*Node { return build(g) })
}

// value returns the values of the node that build makes.
func value(t testing.TB, backend compute.Backend, build func(g *Graph) *Node) []float64 {
	t.Helper()
	return values(t, backend, func(g *Graph) []*Node { return []*Node{build(g)} })[0]
}

// walk draws a path of points with steps of size 1/√points.
func walk(rng *rand.Rand, points, n int) [][]float64 {
	path := make([][]float64, points)
	for t := range path {
		path[t] = make([]float64, n)
		for i := range path[t] {
			path[t][i] = rng.NormFloat64()
			if t > 0 {
				path[t][i] = path[t-1][i] + path[t][i]/math.Sqrt(float64(points))
			}
		}
	}
	return path
}

// on puts numbers on the graph.
func on(g *Graph, dtype dtypes.DType, x any) *Node { return ConvertDType(Const(g, x), dtype) }

// coordinates are the forms dx_1, …, dx_n.
func coordinates(n int) exterior.Form {
	return exterior.Form{Dim: n, Degree: 1, Count: n, Rule: quadrature.Gauss(4),
		Coefficients: func(points *Node) *Node {
			ones := OnesLike(ExpandAxes(points, -1))
			identity := make([][]float64, n)
			for i := range identity {
				identity[i] = make([]float64, n)
				identity[i][i] = 1
			}
			return Mul(ones, ExpandAxes(ConstAsDType(points.Graph(), points.DType(), identity), 0))
		}}
}

// waves are two smooth 1-forms in the plane.
func waves(rule quadrature.Rule) exterior.Form {
	return exterior.Form{Dim: 2, Degree: 1, Count: 2, Rule: rule, Coefficients: func(points *Node) *Node {
		x, y := SliceAxis(points, 1, AxisElem(0)), SliceAxis(points, 1, AxisElem(1))
		first := Stack([]*Node{Sin(y), Mul(x, y)}, 1)
		second := Stack([]*Node{Cos(Add(x, y)), Exp(MulScalar(x, 0.3))}, 1)
		return Concatenate([]*Node{first, second}, -1)
	}}
}
