package cochain

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

	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/backendtest"
)

// goldenNetwork is testdata/network.json; its description says how it was made.
type goldenNetwork struct {
	Vertices [][]float64
	Sizes    []int
	Edges    [][][2]int32 // by graph, vertex numbers within it
	Logits   [][]float64
	Weights  map[string]struct {
		Dims            []int
		Value, Gradient []float64
	}
}

// complexes returns the graphs as a batch with some padding: two vertices, and
// three edges at the last of them.
func (n goldenNetwork) complexes(g *Graph, dtype dtypes.DType) *layers.Batch {
	var of, edgeOf []int32
	var edges [][]int32
	x := slices.Clone(n.Vertices)
	for graph, size := range n.Sizes {
		for _, e := range n.Edges[graph] {
			base := int32(len(of))
			edges, edgeOf = append(edges, []int32{base + e[0], base + e[1]}), append(edgeOf, int32(graph))
		}
		of = append(of, slices.Repeat([]int32{int32(graph)}, size)...)
	}
	dummy := int32(len(n.Sizes))
	last := int32(len(of)) + 1
	of = append(of, dummy, dummy)
	for range 2 {
		x = append(x, make([]float64, len(x[0])))
	}
	for range 3 {
		edges, edgeOf = append(edges, []int32{last, last}), append(edgeOf, dummy)
	}
	return layers.NewBatch(layers.Parts{
		Vertices: ConvertDType(Const(g, x), dtype), VertexOf: Const(g, of),
		Corners: []*Node{1: Const(g, edges)}, Of: []*Node{1: Const(g, edgeOf)},
		Mask: Const(g, slices.Repeat([]bool{true}, len(n.Sizes))),
	})
}

// TestPrototype compares a network with the prototype that the recipe comes
// from: logits, and the gradients of the sum of their squares.
func TestPrototype(t *testing.T) {
	var want goldenNetwork
	backendtest.Golden(t, "testdata/network.json", &want)
	config := Config{Width: 3, Layers: 2, Forms: 2, Hidden: 4, Points: 3, Functions: 3, Head: 5}
	// The prototype has the Gauss points to eleven digits, of which sums and
	// the division by small standard deviations cost some.
	precisions := []backendtest.Precision{{DType: dtypes.Float64, Tolerance: 1e-8},
		{DType: dtypes.Float32, Tolerance: 2e-4}}
	backendtest.All(t, func(t *testing.T, backend compute.Backend) {
		for _, p := range backendtest.Compiled(backend, precisions) {
			dtype, tolerance := p.DType, p.Tolerance
			store := model.NewStore()
			paths := slices.Sorted(maps.Keys(want.Weights))
			for _, path := range paths {
				scope, name := store.RootScope(), renamed(path)
				for strings.Contains(name, "/") {
					var first string
					first, name, _ = strings.Cut(name, "/")
					scope = scope.At("%s", first)
				}
				w := want.Weights[path]
				dims := w.Dims
				if len(dims) == 2 && strings.HasSuffix(path, "biases") {
					dims = dims[1:]
				}
				scope.VariableWithValue(name, backendtest.Tensor(w.Value, dtype, dims...))
			}
			got := compute64(t, backend, store, true, func(scope *model.Scope, g *Graph) []*Node {
				batch := want.complexes(g, dtype)
				logits := Network(scope, batch, config, len(want.Logits[0]))
				var at []*Node
				for _, path := range paths {
					v := store.GetVariable("/" + renamed(path))
					require.True(t, v.InUseByGraph(g), "the network has no variable %s", path)
					at = append(at, v.NodeValue(g))
				}
				return append([]*Node{logits}, Gradient(ReduceAllSum(Square(logits)), at...)...)
			})
			closeTo(t, slices.Concat(want.Logits...), got[0], tolerance, "logits")
			var wants, gots []float64 // one scale for all gradients, some of which are zero
			for i, path := range paths {
				wants, gots = append(wants, want.Weights[path].Gradient...), append(gots, got[i+1]...)
			}
			closeTo(t, wants, gots, tolerance, "gradients")
		}
	})
}

// renamed returns the path of a variable of the prototype in a network.
func renamed(path string) string {
	if strings.HasPrefix(path, "forms_") {
		return strings.NewReplacer("/first/", "/layer_0/", "/last/", "/layer_1/").Replace(path)
	}
	return path
}
