package indices_test

import (
	"math"
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/support/exceptions"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/backendtest"
	"github.com/neuralkforms/nkf/layers/exterior"
	"github.com/neuralkforms/nkf/layers/gnn"
	"github.com/neuralkforms/nkf/layers/internal/indices"
)

// on switches the debug mode on for a test.
func on(t *testing.T) { t.Setenv(indices.Variable, "1") }

// TestNothingWhenOff: a graph without checks is the same, node by node.
func TestNothingWhenOff(t *testing.T) {
	build := func(setting string) int {
		t.Setenv(indices.Variable, setting)
		g := NewGraph(backendtest.Get(t, "go"), "off")
		defer g.Finalize()
		x, s := Const(g, [][]float64{{0, 1}, {2, 3}}), Const(g, [][]int32{{0, 1}})
		before := len(g.Nodes())
		require.Equal(t, setting == "", indices.New("here", "s", "vertices", s, 2) == nil)
		require.Equal(t, setting == "", len(g.Nodes()) == before)
		exterior.Corners(x, s)
		require.Len(t, g.LoggedNodes(), map[string]int{"": 0, "1": 2}[setting])
		return len(g.Nodes())
	}
	require.Less(t, build(""), build("1"))
	for value, want := range map[string]bool{"0": false, "false": false, "yes": true} {
		t.Setenv(indices.Variable, value)
		require.Equal(t, want, indices.Enabled(), value)
	}
}

// edgesWith returns two edges, the last end of which is given.
func edgesWith(end int32) [][]int32 { return [][]int32{{0, 1}, {1, end}} }

// vertices returns three vertices in the plane.
func vertices(g *Graph) *Node { return Const(g, [][]float64{{0, 1}, {2, 3}, {1, -1}}) }

// integrate returns the integrals of two 1-forms over edges.
func integrate(scope *model.Scope, edges *Node) *Node {
	return exterior.Integrate(layers.KForm(scope.In("forms"), 2, 1, 2).Done(), vertices(edges.Graph()), edges)
}

// TestEveryConsumer gives wrong indices to the functions of nkf that take
// them: with the debug mode they are NaN and named, and without it numbers.
func TestEveryConsumer(t *testing.T) {
	one := func(g *Graph) *Node { return Const(g, [][]float64{{1}, {2}, {3}}) }
	ends := func(v int32) any { return edgesWith(v) }
	three := func(v int32) any { return []int32{0, 1, v} }
	type scope = *model.Scope
	for name, c := range map[string]struct {
		table func(entry int32) any
		good  int32 // in the place of the wrong entry
		wrong int32
		build func(scope scope, table *Node) *Node
		want  string
	}{
		"forms": {ends, 2, 7, integrate,
			"exterior.Integrate: entry [1 1] of simplices is 7: want one of 3 vertices, 0 to 2"},
		"below zero": {ends, 2, -1, integrate,
			"exterior.Integrate: entry [1 1] of simplices is -1: want one of 3 vertices, 0 to 2"},
		"formula": {ends, 0, 3, func(_ scope, s *Node) *Node {
			form := exterior.Formula(2, 1, func(x []*Node) []*Node { return x })
			return exterior.Integrate(form, vertices(s.Graph()), s)
		}, "exterior.Integrate: entry [1 1] of simplices is 3: want one of 3 vertices"},
		"readout": {three, 2, 5, func(_ scope, of *Node) *Node {
			return layers.Readout(layers.SquaredL2, one(of.Graph()), of, 2)
		}, "layers.Readout: entry [2] of complexOf is 5: want one of 3 complexes with the dummy, 0 to 2"},
		"chains": {func(v int32) any { return []int32{v, 1} }, 2, 3, func(_ scope, s *Node) *Node {
			g := s.Graph()
			return exterior.Chains(one(g), s, Const(g, []int32{0, 0}), Const(g, []float64{1, -1}), 1)
		}, "exterior.Chains: entry [0] of simplex is 3: want one of 3 simplices"},
		"segments": {three, 2, 9, func(_ scope, s *Node) *Node {
			return exterior.SegmentSum(one(s.Graph()), s, 3, true)
		}, "exterior.SegmentSum: entry [2] of segments is 9: want one of 3 segments"},
		"incidence": {func(v int32) any { return [][]int32{{0, 1, v}} }, 2, 8, func(_ scope, f *Node) *Node {
			signs := Const(f.Graph(), [][]int32{{1, -1, 1}})
			return layers.NewIncidence(f, signs, 3).Coboundary(one(f.Graph()))
		}, "layers.NewIncidence: entry [0 2] of faces is 8: want one of 3 faces"},
		"ends": {ends, 0, 3, func(_ scope, s *Node) *Node {
			return layers.Edges(s, 3).Codifferential(Const(s.Graph(), [][]float64{{1}, {2}}))
		}, "layers.Edges: entry [1 1] of edges is 3: want one of 3 vertices"},
		"messages": {ends, 0, 3, func(in scope, s *Node) *Node {
			g := s.Graph()
			return gnn.GCN(in, layers.NewBatch(layers.Parts{
				Vertices: vertices(g), VertexOf: Const(g, []int32{0, 0, 0}), Mask: Const(g, []bool{true}),
				Simplices: []layers.Simplices{1: {Corners: s, Of: Const(g, []int32{0, 0})}},
			}), 2, 1, 2)
		}, "gnn: entry [1 1] of edges is 3: want one of 3 vertices"},
	} {
		t.Run(name, func(t *testing.T) {
			on(t)
			backendtest.Each(t, func(t *testing.T, backend compute.Backend) {
				store := model.NewStore()
				exec, err := model.NewExec(backend, store, func(scope *model.Scope, table *Node) *Node {
					return ReduceAllSum(c.build(scope, table))
				})
				require.NoError(t, err)
				defer exec.Finalize()
				var printed []string
				exec.SetNodeLogger(func(_ *Graph, messages []string, _ []*tensors.Tensor, _ []NodeId) {
					printed = append(printed, messages...)
				})
				wrong, err := exec.Call(c.table(c.wrong))
				require.NoError(t, err)
				require.True(t, math.IsNaN(wrong[0].Value().(float64)), "NaN whatever runs the graph")
				require.NotEmpty(t, printed, "what an executor of GoMLX prints")

				indices.Attach(exec)
				right, err := exec.Call(c.table(c.good))
				require.NoError(t, err)
				require.False(t, math.IsNaN(right[0].Value().(float64)))
				err = exceptions.TryCatch[error](func() { _, _ = exec.Call(c.table(c.wrong)) })
				var found *indices.Error
				require.ErrorAs(t, err, &found)
				require.ErrorContains(t, found, c.want)
			})
		})
	}
}

// TestLoops has wrong indices in the body of a loop on the device, whose nodes
// cannot be logged: what comes out is NaN all the same.
func TestLoops(t *testing.T) {
	on(t)
	backendtest.All(t, func(t *testing.T, backend compute.Backend) {
		exec, err := NewExec(backend, func(edges *Node) *Node {
			g := edges.Graph()
			parameters := func(g *Graph) (i, sum, edges *Node) {
				return Parameter(g, "i", shapes.Make(dtypes.Int32)),
					Parameter(g, "sum", shapes.Make(dtypes.Float64)),
					Parameter(g, "edges", shapes.Make(dtypes.Int32, 2, 2))
			}
			left := NewClosure(g, func(g *Graph) []*Node {
				i, _, _ := parameters(g)
				return []*Node{LessThan(i, Const(g, int32(3)))}
			})
			body := NewClosure(g, func(g *Graph) []*Node {
				i, sum, edges := parameters(g)
				form := exterior.Formula(2, 1, func(x []*Node) []*Node { return x })
				x := exterior.Integrate(form, vertices(g), edges)
				return []*Node{Add(i, Const(g, int32(1))), Add(sum, ReduceAllSum(Square(x))), edges}
			})
			return While(left, body, Const(g, int32(0)), Const(g, 0.0), edges)[1]
		})
		require.NoError(t, err)
		defer exec.Finalize()
		indices.Attach(exec)
		sum, err := exec.Call(edgesWith(2))
		require.NoError(t, err)
		require.Greater(t, sum[0].Value(), 0.0)
		sum, err = exec.Call(edgesWith(7))
		require.NoError(t, err)
		require.True(t, math.IsNaN(sum[0].Value().(float64)))
	})
}

// TestOthersAreLogged: what an executor logs otherwise goes where it went.
func TestOthersAreLogged(t *testing.T) {
	on(t)
	exec, err := NewExec(backendtest.Get(t, "go"), func(edges *Node) *Node {
		corners := exterior.Corners(vertices(edges.Graph()), edges)
		corners[0].SetLogged("mine")
		return corners[1]
	})
	require.NoError(t, err)
	defer exec.Finalize()
	var seen []string
	exec.SetNodeLogger(func(_ *Graph, messages []string, values []*tensors.Tensor, nodes []NodeId) {
		require.Len(t, values, len(messages))
		require.Len(t, nodes, len(messages))
		seen = append(seen, messages...)
	})
	indices.Attach(exec)
	_, err = exec.Call(edgesWith(2))
	require.NoError(t, err)
	require.Equal(t, []string{"mine"}, seen)
}

// TestShapes: arrays of any shape and type of integers are checked, each entry
// by its place.
func TestShapes(t *testing.T) {
	on(t)
	for _, c := range []struct {
		table any
		entry []int
	}{
		{int32(9), []int{0}}, {[]int8{0, 1, 9, 9}, []int{2}}, {[]uint64{1, math.MaxUint64}, []int{1}},
		{[][][]int64{{{0, 1}, {2, 0}}, {{1, 1}, {9, 0}}}, []int{1, 1, 0}},
		{[][]uint8{{1}, {2}, {200}}, []int{2, 0}},
	} {
		backendtest.Each(t, func(t *testing.T, backend compute.Backend) {
			exec, err := NewExec(backend, func(table *Node) []*Node {
				check := indices.New("test", "table", "things", table, 3)
				return []*Node{check.Guard(Const(table.Graph(), []float32{1, 2})), check.Index(table)}
			})
			require.NoError(t, err)
			defer exec.Finalize()
			indices.Attach(exec)
			err = exceptions.TryCatch[error](func() { _, err = exec.Call(c.table) })
			var found *indices.Error
			require.ErrorAs(t, err, &found, "%T", c.table)
			require.Equal(t, c.entry, found.Entry)
		})
	}
}
