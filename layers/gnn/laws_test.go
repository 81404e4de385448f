package gnn

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/backendtest"
	"github.com/neuralkforms/nkf/layers/cochain"
)

// features, width, depth and classes of the networks that obey the laws.
const (
	features = 3
	width    = 6
	depth    = 3
	classes  = 4
)

// sample is a batch of graphs on the host.
type sample struct {
	x     []float64
	edges [][]int32
	of    []int32
	count int
}

// someGraphs are five graphs: one without vertices, one with a single vertex,
// one without edges, and one with an isolated vertex.
func someGraphs() sample {
	rng := rand.New(rand.NewPCG(5, 6))
	var s sample
	for graph, vertices := range []int{6, 0, 1, 3, 7} {
		base := int32(len(s.of))
		for v := range vertices {
			s.of = append(s.of, int32(graph))
			for range features {
				s.x = append(s.x, rng.NormFloat64())
			}
			if v > 0 && graph != 3 && v != 4 {
				s.edges = append(s.edges, []int32{base + int32(v), base + int32(rng.IntN(v))})
			}
		}
		s.count++
	}
	return s
}

// padded returns the sample with so many padding vertices and edges.
func (s sample) padded(vertices, edges int) sample {
	s.x = append(slices.Clone(s.x), make([]float64, vertices*features)...)
	s.of = append(slices.Clone(s.of), slices.Repeat([]int32{int32(s.count)}, vertices)...)
	last := int32(len(s.of) - 1)
	s.edges = slices.Clone(s.edges)
	for range edges {
		s.edges = append(s.edges, []int32{last, last})
	}
	return s
}

// graphs puts the sample on the graph.
func (s sample) graphs(g *Graph) *layers.Batch {
	corners, of := edgesOf(g, s.edges, s.of)
	return layers.NewBatch(layers.Parts{
		Vertices: Reshape(Const(g, s.x), len(s.of), features),
		VertexOf: Const(g, s.of), Corners: []*Node{1: corners}, Of: []*Node{1: of},
		Mask: Const(g, slices.Repeat([]bool{true}, s.count)),
	})
}

// edgesOf returns the edges of graphs of vertices, and the graph of each, in the order of the graphs.
func edgesOf(g *Graph, corners [][]int32, vertexOf []int32) (edges, edgeOf *Node) {
	if len(corners) == 0 {
		return Zeros(g, shapes.Make(dtypes.Int32, 0, 2)), nil
	}
	corners = slices.Clone(corners)
	slices.SortStableFunc(corners, func(a, b []int32) int { return int(vertexOf[a[0]] - vertexOf[b[0]]) })
	of := make([]int32, len(corners))
	for i, e := range corners {
		of[i] = vertexOf[e[0]]
	}
	return Const(g, corners), Const(g, of)
}

// someNetworks are the networks of this package, and cochain networks.
func someNetworks() []string {
	return append(slices.Sorted(maps.Keys(networks)), "cochain", "cochain of neighbors")
}

// build makes the network of that name.
func build(name string, scope *model.Scope, b *layers.Batch) *Node {
	if network, ok := networks[name]; ok {
		return network(scope, b, width, depth, classes)
	}
	config := cochain.Config{Width: 4, Layers: 2, Hidden: 5, Points: 3, Functions: 2, Head: 6, Forms: 3}
	if name != "cochain" {
		config.Forms, config.Neighbors = 0, true
	}
	return cochain.Network(scope, b, config, classes)
}

// outcome is what a network makes of a sample: logits, and the gradients of a
// fixed combination of them at the features and at all variables.
type outcome struct {
	logits, features, variables []float64
}

// weights returns a store with the variables of a network, all of them random
// numbers, biases too.
func weights(t *testing.T, name string) *model.Store {
	t.Helper()
	store := model.NewStore()
	backend := backendtest.Get(t, "go")
	_, err := model.CallOnce(backend, store, func(scope *model.Scope, g *Graph) *Node {
		return build(name, scope, someGraphs().graphs(g))
	})
	require.NoError(t, err)
	rng := rand.New(rand.NewPCG(1, 2))
	for v := range store.IterVariables() {
		if v.Trainable {
			numbers := make([]float64, v.Shape().Size())
			for i := range numbers {
				numbers[i] = rng.NormFloat64() / 2
			}
			require.NoError(t,
				v.SetValue(tensors.FromFlatDataAndDimensions(numbers, v.Shape().Dimensions...)))
		}
	}
	return store
}

// apply runs a network on a sample, in evaluation, with the same weights
// whatever the sample.
func apply(t *testing.T, backend compute.Backend, name string, s sample) outcome {
	t.Helper()
	store := weights(t, name)
	out := backendtest.Values(t, backend, store, false, func(scope *model.Scope, g *Graph) []*Node {
		b := s.graphs(g)
		logits := build(name, scope, b)
		combination := Sin(Iota(g, logits.Shape(), 0))
		at := []*Node{b.Vertices()}
		for v := range store.IterVariables() {
			if v.Trainable {
				at = append(at, v.NodeValue(g))
			}
		}
		grads := Gradient(ReduceAllSum(Mul(logits, Add(combination, Square(logits)))), at...)
		return append([]*Node{logits}, grads...)
	})
	return outcome{logits: out[0], features: out[1], variables: slices.Concat(out[2:]...)}
}

// each runs a law for every network. Golden values hold on every backend, so
// one of them is enough for the laws; the Go backend compiles faster.
func each(t *testing.T, law func(t *testing.T, backend compute.Backend, name string)) {
	for _, name := range someNetworks() {
		t.Run(name, func(t *testing.T) { law(t, backendtest.Get(t, "go"), name) })
	}
}

// rounding bounds float64 sums in another order behind three layers.
const rounding = 1e-10

func requireEqual(t *testing.T, want, got outcome) {
	t.Helper()
	closeTo(t, want.logits, got.logits, rounding, "logits")
	closeTo(t, want.features, got.features, rounding, "gradient of features")
	closeTo(t, want.variables, got.variables, rounding, "gradient of variables")
}

// TestPadding: padding changes no value and no gradient, and has none.
func TestPadding(t *testing.T) {
	each(t, func(t *testing.T, backend compute.Backend, name string) {
		s := someGraphs()
		want := apply(t, backend, name, s)
		for _, extra := range [][2]int{{1, 0}, {1, 5}, {4, 2}} {
			got := apply(t, backend, name, s.padded(extra[0], extra[1]))
			require.Equal(t, make([]float64, extra[0]*features), got.features[len(s.x):])
			got.features = got.features[:len(s.x)]
			requireEqual(t, want, got)
		}
	})
}

// TestPermutation: the order of vertices within a graph, of the edges, and of
// their ends makes no difference.
func TestPermutation(t *testing.T) {
	each(t, func(t *testing.T, backend compute.Backend, name string) {
		s := someGraphs()
		want := apply(t, backend, name, s)
		rng := rand.New(rand.NewPCG(7, 8))
		place := make([]int, len(s.of)) // place[v]: where vertex v goes
		for v := range place {
			place[v] = v
		}
		for from := 0; from < len(s.of); {
			to := from
			for to < len(s.of) && s.of[to] == s.of[from] {
				to++
			}
			part := place[from:to]
			rng.Shuffle(len(part), func(i, j int) { part[i], part[j] = part[j], part[i] })
			from = to
		}
		moved := sample{x: make([]float64, len(s.x)), of: s.of, count: s.count}
		for v, p := range place {
			copy(moved.x[p*features:(p+1)*features], s.x[v*features:(v+1)*features])
		}
		for _, e := range s.edges {
			end := rng.IntN(2)
			moved.edges = append(moved.edges, []int32{int32(place[e[end]]), int32(place[e[1-end]])})
		}
		rng.Shuffle(len(moved.edges), func(i, j int) {
			moved.edges[i], moved.edges[j] = moved.edges[j], moved.edges[i]
		})
		got := apply(t, backend, name, moved)
		back := make([]float64, len(s.x))
		for v, p := range place {
			copy(back[v*features:(v+1)*features], got.features[p*features:(p+1)*features])
		}
		got.features = back
		requireEqual(t, want, got)
	})
}

// TestGraphsApart: a graph of the batch is computed as if it were alone; one
// without vertices depends on no features.
func TestGraphsApart(t *testing.T) {
	each(t, func(t *testing.T, backend compute.Backend, name string) {
		s := someGraphs()
		all := apply(t, backend, name, s)
		for graph := range s.count {
			// Vertices and edges of the others, in the same places, are padding.
			first := slices.IndexFunc(s.of, func(of int32) bool { return int(of) == graph })
			if first < 0 {
				continue
			}
			one := sample{count: 1}
			for v, of := range s.of {
				if int(of) == graph {
					one.of = append(one.of, 0)
					one.x = append(one.x, s.x[v*features:(v+1)*features]...)
				}
			}
			for _, e := range s.edges {
				if int(s.of[e[0]]) == graph {
					one.edges = append(one.edges, []int32{e[0] - int32(first), e[1] - int32(first)})
				}
			}
			got := apply(t, backend, name, one.padded(1, 1))
			row := all.logits[graph*classes : (graph+1)*classes]
			closeTo(t, row, got.logits, rounding, fmt.Sprint("graph ", graph))
		}
	})
}

// TestEqualPoints: neighbors with the same features have distance zero and
// gradients that are numbers.
func TestEqualPoints(t *testing.T) {
	each(t, func(t *testing.T, backend compute.Backend, name string) {
		s := someGraphs()
		for i := range s.x {
			s.x[i] = 0.5
		}
		got := apply(t, backend, name, s)
		closeTo(t, got.logits, got.logits, rounding, "logits")
		closeTo(t, got.features, got.features, rounding, "gradient of features")
		closeTo(t, got.variables, got.variables, rounding, "gradient of variables")
	})
}

// onPath returns the edges of three of four vertices in a row.
func onPath(h *Node) *edges {
	corners, of := edgesOf(h.Graph(), [][]int32{{0, 1}, {1, 2}}, make([]int32, 4))
	e, _ := newEdges(layers.NewBatch(layers.Parts{
		Vertices: h, VertexOf: Const(h.Graph(), make([]int32, 4)), Mask: Const(h.Graph(), []bool{true}),
		Corners: []*Node{1: corners}, Of: []*Node{1: of},
	}))
	return e
}

// TestAttentionIsStable: scores of thousands give weights, not NaN, and a
// vertex listens to the neighbor of the largest score alone.
func TestAttentionIsStable(t *testing.T) {
	backendtest.Each(t, func(t *testing.T, backend compute.Backend) {
		store := model.NewStore()
		for path, value := range map[string]any{
			"/weights": [][]float32{{1}}, "/biases": []float32{0},
			"/source": []float32{1e4}, "/target": []float32{-1e4},
		} {
			_, err := store.CreateVariable(path, tensors.MustFromAnyValue(value))
			require.NoError(t, err)
		}
		out, err := model.CallOnceN(backend, store, func(scope *model.Scope, g *Graph) []*Node {
			h := Const(g, [][]float32{{1}, {2}, {3}, {-4}})
			y := gat(scope, h, onPath(h), 1)
			return []*Node{y, Gradient(ReduceAllSum(y), h)[0]}
		})
		require.NoError(t, err)
		require.Equal(t, [][]float32{{2}, {3}, {3}, {-4}}, out[0].Value())
		require.Equal(t, [][]float32{{0}, {1}, {2}, {1}}, out[1].Value())
	})
}

// TestInitialization: bounds, and the mean square of a uniform distribution,
// of weights that begin as PyTorch Geometric's.
func TestInitialization(t *testing.T) {
	store := model.NewStore()
	const in, out = 300, 200
	_, err := model.CallOnceN(backendtest.Get(t, "go"), store, func(scope *model.Scope, g *Graph) []*Node {
		h := Zeros(g, shapes.Make(dtypes.Float64, 4, in))
		return []*Node{
			gcn(scope.In("gcn"), h, onPath(h), out), gat(scope.In("gat"), h, onPath(h), out),
			gin(scope.In("gin"), h, onPath(h), out),
		}
	})
	require.NoError(t, err)
	for path, square := range map[string]float64{ // of the bound
		"/gcn/weights": 6.0 / (in + out), "/gcn/biases": 0,
		"/gat/weights": 6.0 / (in + out), "/gat/biases": 0,
		"/gat/source": 6.0 / (1 + out), "/gat/target": 6.0 / (1 + out),
		"/gin/inner/weights": 1.0 / in, "/gin/inner/biases": 1.0 / in,
		"/gin/outer/weights": 1.0 / out, "/gin/outer/biases": 1.0 / out,
	} {
		x := real(store.GetVariable(path).MustValue())
		mean := 0.0
		for _, v := range x {
			require.LessOrEqual(t, v*v, square, path)
			mean += v * v / float64(len(x))
		}
		// The relative deviation of the mean of 200 squares is 6 %: 5 of them.
		require.InDelta(t, square/3, mean, 0.3*square/3, path)
	}
}

// TestShapesThatDoNotFit: networks that cannot be are refused in words.
func TestShapesThatDoNotFit(t *testing.T) {
	for want, widths := range map[string][3]int{"0 layers": {4, 0, 2}, "width 0": {0, 2, 2}} {
		for _, network := range []func(*model.Scope, *layers.Batch, int, int, int) *Node{GIN, EGNN} {
			_, err := model.CallOnce(backendtest.Get(t, "go"), model.NewStore(),
				func(scope *model.Scope, g *Graph) *Node {
					return network(scope, someGraphs().graphs(g), widths[0], widths[1], widths[2])
				})
			require.ErrorContains(t, err, want)
		}
	}
}
