package path

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers/backendtest"
)

// golden is a file of testdata; its description says how it was made.
type golden struct {
	Paths      [][][]float64
	X          [][][][]float64 // of gated units
	Deviations []float64       // of velocities
	Logits     [][][]float64
	States     []float64
	Gradient   []float64 // by the paths or X
	Weights    map[string]struct {
		Dims            []int
		Value, Gradient []float64
	}
}

// read reads a file of testdata.
func read(t *testing.T, name string) (want golden) {
	backendtest.Golden(t, "testdata/"+name, &want)
	return want
}

// store returns the weights as variables of the type.
func (n golden) store(dtype dtypes.DType, members int) *model.Store {
	store := model.NewStore()
	set := func(path string, values []float64, dims ...int) {
		scope, name := store.RootScope(), path
		for strings.Contains(name, "/") {
			var first string
			first, name, _ = strings.Cut(name, "/")
			scope = scope.At("%s", first)
		}
		scope.VariableWithValue(name, backendtest.Tensor(values, dtype, dims...))
	}
	for _, path := range slices.Sorted(maps.Keys(n.Weights)) {
		w := n.Weights[path]
		set(path, w.Value, w.Dims...)
	}
	// The prototype divides velocities by deviations, batch norm by √(variance + 1e-5).
	count := members * len(n.Deviations)
	variances, zeros, ones := make([]float64, count), make([]float64, count), make([]float64, count)
	for i := range variances {
		d := n.Deviations[i%len(n.Deviations)]
		variances[i], ones[i] = d*d-1e-5, 1
	}
	for name, v := range map[string][]float64{
		"running_variance": variances, "running_mean": zeros, "gamma": ones, "beta": zeros,
	} {
		set("features/velocity/"+name, v, count)
	}
	return store
}

// TestPrototype compares a network of two members with the prototype that the
// recipe comes from: logits, and the gradients of the sum of their squares by
// all weights and by the paths. The paths have 65 points, so that a layer
// leaves every second one.
func TestPrototype(t *testing.T) {
	want := read(t, "network.json")
	config := Config{
		Members: len(want.Logits), Points: len(want.Paths[0]), Width: 4, Forms: 5, Hidden: 6, Layers: 2,
		Windows: []int{1, 3, 0}, Dropout: 0.2,
	}
	// The prototype has the Gauss points, and the file gradients, to ten digits; in float32 differences of
	// running sums cost two of seven.
	want.require(t, want.Paths, slices.Concat(slices.Concat(want.Logits...)...), config.Members, 1e-8, 2e-4,
		func(scope *model.Scope, x *Node) (logits, loss *Node) {
			logits = Network(scope, flat(x, 0), config, len(want.Logits[0][0]))
			return logits, ReduceAllSum(Square(logits))
		})
}

// TestGRU compares gated units with PyTorch's; the description in the file says
// what it has.
func TestGRU(t *testing.T) {
	want := read(t, "gru.json")
	// Some ten roundings in each of seven steps.
	want.require(t, want.X, want.States, 0, 1e-14, 5e-6,
		func(scope *model.Scope, x *Node) (states, loss *Node) {
			states = gru(scope, x, 5)
			by := Cos(Iota(x.Graph(), shapes.Make(x.DType(), states.Shape().Size()), 0))
			return states, ReduceAllSum(Mul(states, Reshape(by, states.Shape().Dimensions...)))
		})
}

// require compares the outputs of a network on x, and the gradients of a loss by x and by the weights that
// have one in the file, in both precisions with their tolerances.
func (n golden) require(t *testing.T, x any, outputs []float64, members int, double, single float64,
	build func(scope *model.Scope, x *Node) (outputs, loss *Node)) {
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(n.Weights)),
		func(name string) bool { return n.Weights[name].Gradient == nil })
	precisions := []backendtest.Precision{{DType: dtypes.Float64, Tolerance: double},
		{DType: dtypes.Float32, Tolerance: single}}
	backendtest.All(t, func(t *testing.T, backend compute.Backend) {
		for _, p := range backendtest.Compiled(backend, precisions) {
			store := n.store(p.DType, members)
			got := values(t, backend, store, false, func(scope *model.Scope, g *Graph) []*Node {
				at := []*Node{ConvertDType(Const(g, x), p.DType)}
				outputs, loss := build(scope, at[0])
				for _, name := range names {
					v := store.GetVariable("/" + name)
					require.True(t, v.InUseByGraph(g), "the network has no variable %s", name)
					at = append(at, v.NodeValue(g))
				}
				return append([]*Node{outputs}, Gradient(loss, at...)...)
			})
			closeTo(t, outputs, got[0], p.Tolerance, "outputs")
			closeTo(t, n.Gradient, got[1], p.Tolerance, "gradient by the input")
			for i, name := range names {
				closeTo(t, n.Weights[name].Gradient, got[i+2], p.Tolerance, name)
			}
		}
	})
}
