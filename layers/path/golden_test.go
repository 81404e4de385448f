package path

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"

	"github.com/neuralkforms/nkf/layers/backendtest"
)

// golden is the file of testdata, of networks side by side; its description says how it was made.
type golden struct {
	Paths      [][][]float64
	Deviations []float64     // of velocities
	Logits     [][][]float64 // [members, paths, classes]
	Gradient   []float64     // by the paths
	Weights    map[string]struct {
		Dims            []int // of weights, members first
		Value, Gradient []float64
	}
}

// of returns the part of a member.
func (n golden) of(all []float64, member int) []float64 {
	size := len(all) / len(n.Logits)
	return all[member*size : (member+1)*size]
}

// store returns the weights of a member as variables of the type.
func (n golden) store(dtype dtypes.DType, member int) *model.Store {
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
	for path, w := range n.Weights {
		value := n.of(w.Value, member)
		if strings.HasSuffix(path, "/weights") {
			set(path, value, w.Dims[1:]...)
		} else {
			set(path, value, len(value))
		}
	}
	// The prototype divides velocities by deviations, batch norm by √(variance + 1e-5).
	count := len(n.Deviations)
	variances, zeros, ones := make([]float64, count), make([]float64, count), make([]float64, count)
	for i, d := range n.Deviations {
		variances[i], ones[i] = d*d-1e-5, 1
	}
	for name, v := range map[string][]float64{
		"running_variance": variances, "running_mean": zeros, "gamma": ones, "beta": zeros,
	} {
		set("features/velocity/"+name, v, count)
	}
	return store
}

// TestPrototype compares two networks with the prototype that the recipe comes
// from: logits, and the gradients of the sum of their squares by all weights and,
// of both together, by the paths. The paths have 65 points, so that a layer leaves
// every second one.
func TestPrototype(t *testing.T) {
	var want golden
	backendtest.Golden(t, "testdata/network.json", &want)
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(want.Weights)),
		func(name string) bool { return want.Weights[name].Gradient == nil })
	config := Config{
		Points: len(want.Paths[0]), Width: 4, Forms: 5, Hidden: 6, Layers: 2, Windows: []int{1, 3, 0},
		Dropout: 0.2,
	}
	// The prototype has the Gauss points, and the file gradients, to ten digits; in float32 differences of
	// running sums cost two of seven.
	precisions := []backendtest.Precision{{DType: dtypes.Float64, Tolerance: 1e-8},
		{DType: dtypes.Float32, Tolerance: 2e-4}}
	backendtest.All(t, func(t *testing.T, backend compute.Backend) {
		for _, p := range backendtest.Compiled(backend, precisions) {
			byPaths := make([]float64, len(want.Gradient))
			for member, logits := range want.Logits {
				store := want.store(p.DType, member)
				got := values(t, backend, store, false, func(scope *model.Scope, g *Graph) []*Node {
					at := []*Node{ConvertDType(Const(g, want.Paths), p.DType)}
					out := Network(scope, flat(at[0], 0), config, len(logits[0]))
					for _, name := range names {
						v := store.GetVariable("/" + name)
						require.True(t, v.InUseByGraph(g), "the network has no variable %s", name)
						at = append(at, v.NodeValue(g))
					}
					return append([]*Node{out}, Gradient(ReduceAllSum(Square(out)), at...)...)
				})
				closeTo(t, slices.Concat(logits...), got[0], p.Tolerance, "logits")
				floats.Add(byPaths, got[1])
				for i, name := range names {
					closeTo(t, want.of(want.Weights[name].Gradient, member), got[i+2], p.Tolerance, name)
				}
			}
			closeTo(t, want.Gradient, byPaths, p.Tolerance, "gradient by the paths")
		}
	})
}
