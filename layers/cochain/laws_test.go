package cochain

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/backendtest"
)

// tetrahedron is the boundary of a tetrahedron and one more edge: edges and
// triangles stored with orientations of their own, and the edges of triangles
// with the signs that follow.
var tetrahedron = struct {
	edges     [][]int32
	triangles [][]int32
	faces     [][]int32
	signs     [][]float64
}{
	edges:     [][]int32{{0, 1}, {2, 0}, {0, 3}, {1, 2}, {3, 1}, {2, 3}, {3, 4}},
	triangles: [][]int32{{0, 1, 2}, {0, 3, 1}, {2, 3, 0}, {1, 2, 3}},
	// [a, b, c] is bounded by [b, c] - [a, c] + [a, b].
	faces: [][]int32{{3, 1, 0}, {4, 0, 2}, {2, 1, 5}, {5, 4, 3}},
	signs: [][]float64{{1, 1, 1}, {1, -1, 1}, {-1, -1, 1}, {1, 1, 1}},
}

// random returns numbers of a normal distribution.
func random(seed uint64, n int) []float64 {
	rng := rand.New(rand.NewPCG(seed, 1))
	out := make([]float64, n)
	for i := range out {
		out[i] = rng.NormFloat64()
	}
	return out
}

func TestNeighborsAndStar(t *testing.T) {
	got := compute64(t, backendtest.Get(t, "go"), model.NewStore(), false,
		func(_ *model.Scope, g *Graph) []*Node {
			path := layers.Edges(Const(g, [][]int32{{0, 1}, {2, 1}}), 4)
			return []*Node{
				path.Neighbors(
					rows(g, []float64{1, 10, 100, 1000}, 1),
				), path.Cofaces(rows(g, []float64{3, 5}, 1)),
				path.Boundary(rows(g, []float64{3, 5}, 1)),
			}
		})
	require.Equal(t, [][]float64{{10, 101, 10, 0}, {3, 8, 5, 0}, {-3, 8, -5, 0}}, got)
}

// scene is a batch of graphs that can be turned around, renumbered and
// padded.
type scene struct {
	x         []float64 // [V, 3]
	of        []int32
	edges     [][]int32
	edgeOf    []int32
	complexes int
}

// newScene returns three graphs, the last without edges.
func newScene() scene {
	return scene{
		x: random(8, 9*3), of: []int32{0, 0, 0, 0, 1, 1, 1, 1, 2},
		edges:  [][]int32{{0, 1}, {1, 2}, {3, 2}, {0, 3}, {4, 5}, {5, 6}, {7, 5}},
		edgeOf: []int32{0, 0, 0, 0, 1, 1, 1}, complexes: 3,
	}
}

// graphs returns the scene on a graph.
func (s scene) graphs(g *Graph) *layers.Batch {
	return s.with(g, []*Node{1: Const(g, s.edges)}, []*Node{1: Const(g, s.edgeOf)})
}

// with returns the vertices of the scene with other simplices.
func (s scene) with(g *Graph, corners, of []*Node) *layers.Batch {
	return layers.NewBatch(layers.Parts{
		Vertices: rows(g, s.x, 3), VertexOf: Const(g, s.of), Corners: corners, Of: of,
		Mask: Const(g, slices.Repeat([]bool{true}, s.complexes)),
	})
}

// small is a network of everything.
var small = Config{Width: 4, Layers: 2, Forms: 3, Hidden: 5, Points: 3, Functions: 2, Head: 6}

// TestHodge turns edges and triangles around: a cochain follows its own
// simplices and no others.
func TestHodge(t *testing.T) {
	backend := backendtest.Get(t, "go")
	const edges, triangles, width = 7, 4, 3
	build := func(edgeSign, triangleSign []float64) []float64 {
		return compute64(t, backend, seeded(t), false, func(scope *model.Scope, g *Graph) []*Node {
			ends, signs := make([][]int32, edges), make([][]float64, triangles)
			for e := range ends {
				if ends[e] = slices.Clone(tetrahedron.edges[e]); edgeSign[e] < 0 {
					slices.Reverse(ends[e])
				}
			}
			for f := range signs {
				for i, e := range tetrahedron.faces[f] {
					signs[f] = append(signs[f], tetrahedron.signs[f][i]*edgeSign[e]*triangleSign[f])
				}
			}
			down := layers.Edges(Const(g, ends), 5)
			up := layers.NewIncidence(Const(g, tetrahedron.faces), Const(g, signs), edges)
			column := func(s []float64) *Node { return rows(g, s, 1) }
			x := Mul(rows(g, random(1, edges*width), width), column(edgeSign))
			z := Mul(rows(g, random(2, triangles*2), 2), column(triangleSign))
			return []*Node{Hodge(scope, x, down, up, rows(g, random(3, 10), 2), z)}
		})[0]
	}
	want := build([]float64{1, 1, 1, 1, 1, 1, 1}, []float64{1, 1, 1, 1})
	turned := []float64{-1, 1, 1, -1, 1, -1, 1}
	got := build(turned, []float64{1, -1, 1, -1})
	for e, sign := range turned {
		for j := range width {
			want[e*width+j] *= sign
		}
	}
	closeTo(t, want, got, tolerances[dtypes.Float64], "cochains")
}

// TestHodgeTerms asks what comes from where: without incidences an edge is
// alone, and every further term makes a difference.
func TestHodgeTerms(t *testing.T) {
	store := seeded(t)
	got := compute64(t, backendtest.Get(t, "go"), store, false, func(scope *model.Scope, g *Graph) []*Node {
		down := layers.Edges(Const(g, tetrahedron.edges), 5)
		up := layers.NewIncidence(Const(g, tetrahedron.faces), Const(g, tetrahedron.signs), 7)
		x, y, z := rows(g, random(1, 7), 1), rows(g, random(2, 5), 1), rows(g, random(3, 4), 1)
		hodge := func(x *Node, down, up *layers.Incidence, below, above *Node) *Node {
			return Hodge(scope.ResetVisited(), x, down, up, below, above)
		}
		return []*Node{
			hodge(x, nil, nil, nil, nil), hodge(x, down, nil, nil, nil), hodge(x, down, nil, y, nil),
			hodge(x, down, up, y, nil), hodge(x, down, up, y, z), hodge(ZerosLike(x), down, up, nil, nil),
		}
	})
	for i := range got[:4] {
		require.NotEqual(t, got[i], got[i+1])
	}
	require.Equal(t, make([]float64, 7), got[5], "maps have no bias")
}

// TestMessagesOfDegrees has messages of points, edges and triangles.
func TestMessagesOfDegrees(t *testing.T) {
	got := compute64(t, backendtest.Get(t, "go"), model.NewStore(), false,
		func(_ *model.Scope, g *Graph) []*Node {
			x := rows(g, []float64{-1, 2}, 1)
			var out []*Node
			for _, corners := range [][][]int32{{{2}, {0}}, {{0, 1}, {1, 2}}, {{0, 1, 2}, {1, 3, 2}}} {
				out = append(out, messages(x, Const(g, corners), 4))
			}
			return out
		})
	require.Equal(t, [][]float64{{2, 0, -1, 0}, {1, -3, 2, 0}, {1, 3, 3, 2}}, got)
}

// Comparisons, see package backendtest.
var (
	closeTo   = backendtest.Close
	seeded    = backendtest.Seeded
	compute64 = backendtest.Values
)

// tolerances of comparisons, relative to the largest value: what rounding
// costs in a few hundred operations, a digit left.
var tolerances = map[dtypes.DType]float64{dtypes.Float64: 1e-11, dtypes.Float32: 1e-4}

// rows makes a float64 matrix.
func rows(g *Graph, data []float64, width int) *Node { return Reshape(Const(g, data), -1, width) }
