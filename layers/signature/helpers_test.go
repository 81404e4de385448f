package signature

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers/exterior"
	"github.com/neuralkforms/nkf/layers/quadrature"
)

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
	data, err := os.ReadFile("testdata/signature.json")
	require.NoError(t, err)
	var cases []goldenCase
	require.NoError(t, json.Unmarshal(data, &cases))
	require.Len(t, cases, 9)
	return cases
}

// value returns the values of the node that build makes.
func value(t testing.TB, backend compute.Backend, build func(g *Graph) *Node) []float64 {
	t.Helper()
	return values(t, backend, func(g *Graph) []*Node { return []*Node{build(g)} })[0]
}

// values returns those of several nodes.
func values(t testing.TB, backend compute.Backend, build func(g *Graph) []*Node) [][]float64 {
	t.Helper()
	out, err := CallOnceN(backend, func(g *Graph) []*Node {
		nodes := build(g)
		for i := range nodes {
			nodes[i] = ConvertDType(nodes[i], dtypes.Float64)
		}
		return nodes
	})
	require.NoError(t, err)
	values := make([][]float64, len(out))
	for i, x := range out {
		values[i] = tensors.MustCopyFlatData[float64](x)
	}
	return values
}

// near asks that got equals want up to a tolerance relative to the largest
// value.
func near(t testing.TB, want, got []float64, tolerance float64, about ...any) {
	t.Helper()
	require.Len(t, got, len(want), about...)
	scale := 0.0
	for _, w := range want {
		scale = math.Max(scale, math.Abs(w))
	}
	for i := range want {
		// The condition is written so that NaN fails it.
		if !(math.Abs(want[i]-got[i]) <= tolerance*scale) {
			t.Fatalf("%v: entry %d is %.17g, want %.17g within %.1e",
				about, i, got[i], want[i], tolerance*scale)
		}
	}
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
