package layers_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/layers/activation"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/exterior"
	"github.com/neuralkforms/nkf/layers/quadrature"
)

// regular returns regular simplices of dimension 1 or 2 in R³, about random
// places and in random directions, whose edges have the given length.
func regular(rng *rand.Rand, k, count int, length float64) (vertices [][]float64, simplices [][]int32) {
	normal := func() (x [3]float64) {
		for i := range x {
			x[i] = rng.NormFloat64()
		}
		return x
	}
	dot := func(x, y [3]float64) float64 { return x[0]*y[0] + x[1]*y[1] + x[2]*y[2] }
	for range count {
		place, u, v := normal(), normal(), normal()
		share := dot(u, v) / dot(u, u)
		for i := range v {
			v[i] -= share * u[i] // Gram and Schmidt
		}
		corners := [][2]float64{{0, 0}, {1, 0}, {0.5, math.Sqrt(3) / 2}}
		simplex := make([]int32, k+1)
		for a := range simplex {
			x := make([]float64, 3)
			for i := range x {
				x[i] = place[i] + length*(corners[a][0]*u[i]/math.Sqrt(dot(u, u))+
					corners[a][1]*v[i]/math.Sqrt(dot(v, v)))
			}
			simplex[a] = int32(len(vertices))
			vertices = append(vertices, x)
		}
		simplices = append(simplices, simplex)
	}
	return vertices, simplices
}

// smooth are activations and beginnings of forms whose integrals are measured.
type smooth struct {
	activation func(*Node) *Node
	init       layers.Initialization
	hidden     []int
}

// accuracy returns how far Gauss(3) is off for ten random forms over a hundred
// simplices each, in units of the root mean square of the integrals of the
// form: the worst of the forms. A rule of 16 points in each direction counts
// as exact.
func accuracy(s smooth, k int, length float64) float64 {
	const count, simplices = 10, 100
	backend, err := compute.NewWithConfig("go:ops_sequential")
	if err != nil {
		panic(err)
	}
	defer backend.Finalize()
	store := model.NewStore()
	store.SetParam(model.ParamInitialSeed, int64(1))
	out, err := model.CallOnceN(backend, store, func(scope *model.Scope, g *Graph) []*Node {
		corners, indices := regular(rand.New(rand.NewPCG(1, 2)), k, simplices, length)
		var all []*Node
		for i := range count {
			form := func(scope *model.Scope, rule quadrature.Rule) *Node {
				forms := layers.KForm(scope, len(corners[0]), k, 1).Hidden(s.hidden...).
					Activation(s.activation).Initialization(s.init).Quadrature(rule).Done()
				return exterior.Integrate(forms, Const(g, corners), Const(g, indices))
			}
			all = append(all, form(scope.In("form_%d", i), quadrature.Gauss(3)),
				form(scope.Shared("form_%d", i), quadrature.Gauss(16)))
		}
		return all
	})
	if err != nil {
		panic(err)
	}
	worst := 0.0
	for i := 0; i < len(out); i += 2 {
		got, want := tensors.MustCopyFlatData[float64](out[i]), tensors.MustCopyFlatData[float64](out[i+1])
		off, size := 0.0, 0.0
		for j := range got {
			off += (got[j] - want[j]) * (got[j] - want[j])
			size += want[j] * want[j]
		}
		worst = math.Max(worst, math.Sqrt(off/size))
	}
	return worst
}

// activations are those of the table.
var activations = []struct {
	name     string
	function func(*Node) *Node
}{{"SiLU", layers.SiLU}, {"tanh", Tanh}, {"ReLU", activation.Relu}}

// accuracyTable is the table in the documentation of package quadrature.
func accuracyTable() []string {
	lines := []string{"activation  begins as     length 1  0.3    0.1"}
	for _, a := range activations {
		for _, init := range []struct {
			name string
			init layers.Initialization
		}{{"the scope", nil}, {"FanInUniform", layers.FanInUniform}} {
			line := fmt.Sprintf("%-11s %-12s ", a.name, init.name)
			for _, length := range []float64{1, 0.3, 0.1} {
				line += fmt.Sprintf("  %.0e", accuracy(smooth{a.function, init.init, []int{16}}, 1, length))
			}
			lines = append(lines, line)
		}
	}
	return lines
}

// What three Gauss points on an edge are worth depends on its length, on the
// activation and on how the weights begin.
func ExampleKFormBuilder_Activation() {
	for _, line := range accuracyTable() {
		fmt.Println(line)
	}
	// Output:
	// activation  begins as     length 1  0.3    0.1
	// SiLU        the scope      3e-05  3e-08  5e-11
	// SiLU        FanInUniform   4e-08  3e-11  4e-14
	// tanh        the scope      9e-04  2e-06  3e-09
	// tanh        FanInUniform   8e-07  8e-10  1e-12
	// ReLU        the scope      4e-03  8e-04  1e-04
	// ReLU        FanInUniform   3e-03  5e-04  1e-04
}

// TestAccuracyIsDocumented: package quadrature says what is measured, for edges
// and networks with one hidden layer, and that triangles are no worse and a
// second layer costs at most a digit.
func TestAccuracyIsDocumented(t *testing.T) {
	text, err := os.ReadFile("quadrature/doc.go")
	require.NoError(t, err)
	for _, line := range accuracyTable() {
		require.Contains(t, string(text), line)
	}
	for _, a := range activations {
		one := smooth{a.function, nil, []int{16}}
		two := smooth{a.function, nil, []int{32, 32}}
		edge := accuracy(one, 1, 1)
		require.Less(t, accuracy(one, 2, 1), edge, a.name)
		require.Less(t, accuracy(two, 1, 1), 10*edge, a.name)
	}
	require.False(t, strings.Contains(string(text), "to about 1e-8"))
}
