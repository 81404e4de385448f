package gnn

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/backendtest"
)

// Comparisons, see package backendtest.
var closeTo, real = backendtest.Close, backendtest.Floats

// networks are those under test, by their golden names.
var networks = map[string]func(scope *model.Scope, batch *layers.Batch, hidden, depth, outputs int) *Node{
	"GCN": GCN, "GAT": GAT, "GIN": GIN, "EGNN": EGNN,
}

// values is a vector or a matrix.
type values struct {
	flat []float64
	dims []int
}

func (v *values) UnmarshalJSON(data []byte) error {
	if json.Unmarshal(data, &v.flat) == nil {
		v.dims = []int{len(v.flat)}
		return nil
	}
	var rows [][]float64
	if err := json.Unmarshal(data, &rows); err != nil {
		return err
	}
	v.flat = slices.Concat(rows...)
	v.dims = []int{len(rows), len(rows[0])}
	return nil
}

// goldenRun is what a model computes: logits of the graphs, weighted loss and
// its gradients.
type goldenRun struct {
	Logits   values
	Loss     float64
	Grad     map[string]values
	DropKeep values `json:"dropout_keep_mask"`
}

// goldenFile is golden gnn.json, made with PyTorch Geometric in float64.
type goldenFile struct {
	Hidden, Layers, Classes int
	ClassWeights            values `json:"class_weights"`
	Graphs                  []struct {
		X     values
		Edges [][2]int32
		Label int32
	}
	Models map[string]struct {
		Weights map[string]values
		Eval    goldenRun
		Train   json.RawMessage
		Count   int `json:"trainable_parameters"`
	}
}

func readGolden(t *testing.T) goldenFile {
	t.Helper()
	var f goldenFile
	backendtest.Golden(t, "../testdata/numerics/gnn.json", &f)
	require.Len(t, f.Models, len(networks))
	return f
}

// path returns the path of our variable for a golden name.
func path(name string) string {
	for _, r := range []struct{ from, to string }{
		{`^(convs|gnn)\.(\d+)\.`, "layer_$2/"}, {`^emb\.`, "embedding/"},
		{`\bnn\.lins\.0\.`, "inner/"}, {`\bnn\.lins\.1\.`, "outer/"}, {`\blin\.`, ""},
		{`\batt_src$`, "source"}, {`\batt_dst$`, "target"},
		{`\bf_e\.0\.`, "message_0/"}, {`\bf_e\.2\.`, "message_1/"}, {`\bf_inf\.0\.`, "gate/"},
		{`\bf_h\.0\.`, "update_0/"}, {`\bf_h\.2\.`, "update_1/"},
		{`^pre_mlp\.0\.`, "vertices_0/"}, {`^pre_mlp\.2\.`, "vertices_1/"},
		{`^post_mlp\.1\.`, "graphs_0/"}, {`^post_mlp\.3\.`, "graphs_1/"},
		{`weight$`, "weights"}, {`bias$`, "biases"},
	} {
		name = regexp.MustCompile(r.from).ReplaceAllString(name, r.to)
	}
	return "/" + name
}

// batch returns the golden graphs, padded by two vertices, three edges and a
// graph, with their labels and mask.
func (f goldenFile) batch(g *Graph, dtype dtypes.DType) *layers.Batch {
	var x []float64
	var edges [][]int32
	var of, classes []int32
	var keep []bool
	for i, graph := range f.Graphs {
		base := int32(len(of))
		for _, e := range graph.Edges {
			edges = append(edges, []int32{base + e[0], base + e[1]})
		}
		for range graph.X.dims[0] {
			of = append(of, int32(i))
		}
		x = append(x, graph.X.flat...)
		classes, keep = append(classes, graph.Label), append(keep, true)
	}
	columns := f.Graphs[0].X.dims[1]
	dummy := int32(len(f.Graphs) + 1)
	of, x = append(of, dummy, dummy), append(x, make([]float64, 2*columns)...)
	last := int32(len(of) - 1)
	edges = append(edges, []int32{last, last}, []int32{last, last}, []int32{last, last})
	return layers.NewBatch(layers.Parts{
		Vertices: Reshape(ConstAsDType(g, dtype, x), -1, columns),
		VertexOf: Const(g, of),
		Corners:  []*Node{1: Const(g, edges)},
		Labels:   Const(g, append(classes, 0)),
		Mask:     Const(g, append(keep, false)),
	})
}

// check compares logits, loss and gradients of a network with the run.
func (f goldenFile) check(t *testing.T, backend compute.Backend, name string, want goldenRun,
	p backendtest.Precision, network func(scope *model.Scope, b *layers.Batch) *Node) {
	store := model.NewStore()
	var names []string
	for name, w := range f.Models[name].Weights {
		_, err := store.CreateVariable(path(name), backendtest.Tensor(w.flat, p.DType, w.dims...))
		require.NoError(t, err)
		names = append(names, name)
	}
	slices.Sort(names)
	out := backendtest.Values(t, backend, store, false, func(scope *model.Scope, g *Graph) []*Node {
		b := f.batch(g, p.DType)
		logits := network(scope, b)
		weights := ConstAsDType(g, p.DType, f.ClassWeights.flat)
		loss := layers.CrossEntropy(logits, b.Labels(), b.Mask(), weights)
		var at []*Node
		for _, name := range names {
			at = append(at, store.GetVariable(path(name)).NodeValue(g))
		}
		rows := SliceAxis(logits, 0, AxisRangeFromStart(len(f.Graphs)))
		return append([]*Node{rows, loss}, Gradient(loss, at...)...)
	})
	closeTo(t, want.Logits.flat, out[0], p.Tolerance, "logits")
	closeTo(t, []float64{want.Loss}, out[1], p.Tolerance, "loss")
	require.Len(t, want.Grad, len(names))
	for i, name := range names {
		closeTo(t, want.Grad[name].flat, out[2+i], p.Tolerance, "gradient of "+name)
	}
	count := 0
	for v := range store.IterVariables() {
		if v.Trainable {
			count += v.Shape().Size()
		}
	}
	require.Equal(t, f.Models[name].Count, count)
}

// golden runs check on backends, by backendtest.Each or All, for both number types.
func (f goldenFile) golden(t *testing.T, on func(*testing.T, func(*testing.T, compute.Backend)), name string,
	want goldenRun, network func(scope *model.Scope, b *layers.Batch) *Node) {
	on(t, func(t *testing.T, backend compute.Backend) {
		for _, p := range backendtest.Compiled(backend, backendtest.Precisions) {
			t.Run(fmt.Sprint(p.DType), func(t *testing.T) { f.check(t, backend, name, want, p, network) })
		}
	})
}

func TestGolden(t *testing.T) {
	f := readGolden(t)
	for name, want := range f.Models {
		t.Run(name, func(t *testing.T) {
			f.golden(t, backendtest.All, name, want.Eval, func(scope *model.Scope, b *layers.Batch) *Node {
				return networks[name](scope, b, f.Hidden, f.Layers, f.Classes)
			})
		})
	}
}

// TestGoldenDropout trains with the given entries kept.
func TestGoldenDropout(t *testing.T) {
	f := readGolden(t)
	var want goldenRun
	require.NoError(t, json.Unmarshal(f.Models["EGNN"].Train, &want))
	f.golden(t, backendtest.Each, "EGNN", want, func(scope *model.Scope, b *layers.Batch) *Node {
		return egnn(scope, b, f.Hidden, f.Layers, f.Classes, func(x *Node) *Node {
			// The padding graph keeps everything.
			keep := append(slices.Clone(want.DropKeep.flat), slices.Repeat([]float64{1}, f.Hidden)...)
			mask := Reshape(ConstAsDType(x.Graph(), x.DType(), keep), x.Shape().Dimensions...)
			return MulScalar(Mul(x, mask), 1/(1-egnnDropout))
		})
	})
}
