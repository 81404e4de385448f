package models_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/backendtest"
	"github.com/neuralkforms/nkf/nkfx/experiments"
	"github.com/neuralkforms/nkf/nkfx/models"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// TestParametersOfThePaper compares all models, at the sizes of both tables, with
// the golden counts of the paper's code.
func TestParametersOfThePaper(t *testing.T) {
	data := must(os.ReadFile("../../layers/testdata/numerics/gnn.json"))
	type counts struct {
		Features, Classes, GCN, GAT, GIN, EGNN int
		Forms                                  map[string]struct{ Parameters int } `json:"forms_model"`
	}
	var file struct {
		Counts map[string]counts `json:"parameter_counts"`
	}
	require.NoError(t, json.Unmarshal(data, &file))
	for _, name := range []string{"BZR", "Letter-high"} {
		c := file.Counts[name]
		want := map[string]int{"gcn": c.GCN, "gat": c.GAT, "gin": c.GIN, "egnn": c.EGNN,
			"nkf": c.Forms["num_steps=5,num_cochains=5"].Parameters}
		for model, want := range want {
			require.NotZero(t, want)
			got := parametersOf(t, model, graphSize, c.Features, c.Classes)
			require.Equal(t, want, got, "%s on %s", model, name)
		}
	}
	// The paper gives thousands, rounded up or down.
	c := file.Counts["BACE"]
	for model, want := range map[string]int{"gcn": c.GCN, "gat": c.GAT, "gin": c.GIN,
		"nkf": c.Forms["num_steps=10,num_cochains=10"].Parameters} {
		require.NotZero(t, want)
		require.Equal(t, want, parametersOf(t, model, moleculeSize, 9, 2), model)
		b := must(experiments.Lookup("BACE"))
		require.InDelta(t, want, b.Published[model].Parameters, 1000, model)
	}
}

var (
	graphSize    = models.Size{Hidden: 16, Forms: 5, Points: 5, Layers: 5}
	moleculeSize = models.Size{Hidden: 64, Forms: 10, Points: 10, Layers: 10}
)

// parametersOf counts the parameters of a model for n features.
func parametersOf(t *testing.T, name string, size models.Size, n, classes int) int {
	t.Helper()
	build := must(models.Lookup(name, size)).Build(classes)
	store := model.NewStore()
	logits := must(model.CallOnce(backendtest.Get(t, "go"), store, func(scope *model.Scope, g *Graph) *Node {
		return build(scope, layers.NewBatch(layers.Parts{
			Vertices: Zeros(g, shapes.Make(dtypes.Float32, 3, n)),
			VertexOf: Const(g, []int32{0, 0, 1}),
			Corners:  []*Node{1: Const(g, [][]int32{{0, 1}})},
			Of:       []*Node{1: Const(g, []int32{0})},
			Mask:     Const(g, []bool{true}),
			Labels:   Const(g, []int32{0}),
		}))
	}))
	require.Equal(t, []int{1, classes}, logits.Shape().Dimensions)
	count := 0
	for v := range store.IterVariables() {
		if v.Trainable {
			count += v.Shape().Size()
		}
	}
	return count
}

func TestModelsThatDoNotExist(t *testing.T) {
	for name, degrees := range map[string]int{"gcn": 1, "gin-tuned": 1, "nkf": 4, "cochain": 4} {
		m := must(models.Lookup(name, graphSize))
		for degree := range 4 {
			_, err := m.For(&datasets.Collection{Simplices: make([]datasets.Simplices, degree+1)})
			if degree == 1 || degrees > 1 {
				require.NoError(t, err, name)
			} else {
				require.ErrorContains(t, err, "is for graphs")
			}
		}
	}
	long := must(models.Lookup("path:kind=constant:layers=2", graphSize))
	require.Equal(t, long.Model, must(models.Lookup("path-constant:layers=2", graphSize)).Model)
	for name, want := range map[string]string{
		"path-constant:nope=1": "nope", "path:": "changes no option", "path:layers=-1": "Layers is -1",
		"path:points=9": "changes no option", "nkf:layers=2": "options are forms, hidden, points, epochs",
		"path:kind=foo": `no kind "foo"`, "cochain:dropout=1": "a share in [0, 1)",
		"gin:forms=2":    "options are hidden, layers, epochs",
		"nkf:forms=5000": "forms is 5000: want 0 to 4096",
	} {
		_, err := models.Lookup(name, graphSize)
		require.ErrorContains(t, err, want, name)
	}
	for name, want := range map[string]int{
		"nkf:epochs=3": 3, "cochain:epochs=500": 500, "cochain-small": 60, "cochain-small:epochs=70": 70,
	} {
		m := must(models.Lookup(name, graphSize))
		p := m.Protocol(train.Published(16), models.Counts{All: 9, Train: 9}, "")
		require.Equal(t, want, p.Epochs, name)
	}
	_, err := models.Lookup("mlp", graphSize)
	require.ErrorContains(t, err, "want one of cnn, cochain, egnn, gat,")
}

var update = flag.Bool("update", false, "write "+goldenFile)

const goldenFile = "testdata/models.jsonl"

// TestModelsAreThoseOfTheResults: options and protocols are those that published tables were computed with.
func TestModelsAreThoseOfTheResults(t *testing.T) {
	var all strings.Builder
	few, many := models.Counts{All: 400, Train: 320}, models.Counts{All: 41_127, Train: 3_000}
	for _, name := range strings.Fields("nkf nkf-text gcn gat gin egnn cochain cochain-small gin-tuned " +
		"path path-constant cnn") {
		m := must(models.Lookup(name, graphSize))
		for _, n := range []models.Counts{few, many} {
			p := must(json.Marshal([]any{name, m.Model, m.Protocol(train.Published(16), n, "auroc")}))
			fmt.Fprintf(&all, "%s\n", p)
		}
	}
	if *update {
		require.NoError(t, os.WriteFile(goldenFile, []byte(all.String()), 0o666))
	}
	require.Equal(t, string(must(os.ReadFile(goldenFile))), all.String())
}

// TestNumbersOfChangedPaths: a step that learns numbers sees the paths as they are, and one that learns
// classes sees them changed at random.
func TestNumbersOfChangedPaths(t *testing.T) {
	m := must(models.Lookup("path:dropout=0", models.Size{}))
	for _, regression := range []bool{false, true} {
		b := datasets.NewBuilder(2)
		b.Tasks, b.Regression = []string{"task"}, regression
		b.AddPath([]float64{0, 0, 1, 0, 2, 1}, 1)
		fitted := must(m.For(must(b.Collection())))
		b.AddPath([]float64{0, 0, 1, 0}, 1)
		_, err := fitted.For(must(b.Collection()))
		require.ErrorContains(t, err, "is for paths of equally many points, 3 or more: path 1 of ")
		build := fitted.Build(1)
		store := model.NewStore()
		require.NoError(t, store.SetRNGStateFromSeed(1))
		exec := must(model.NewExec(backendtest.Get(t, "go"), store, func(scope *model.Scope, g *Graph) *Node {
			store.SetTraining(g, true)
			return build(scope, layers.NewBatch(layers.Parts{
				Vertices: Const(g, [][]float32{{0, 0}, {1, 0}, {2, 1}, {0, 0}, {0, 1}, {0, 3}}),
				VertexOf: Const(g, []int32{0, 0, 0, 1, 1, 1}),
				Corners:  []*Node{1: Const(g, [][]int32{{0, 1}, {1, 2}, {3, 4}, {4, 5}})},
				Of:       []*Node{1: Const(g, []int32{0, 0, 1, 1})},
				Mask:     Const(g, []bool{true, true}),
				Labels:   Const(g, []int32{0, 1}),
			}))
		}))
		require.Equal(t, regression, must(exec.Call1()).Equal(must(exec.Call1())))
	}
}

// must returns the result of a call that cannot fail.
func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}
