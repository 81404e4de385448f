package experiments

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/backendtest"
)

// TestParametersOfThePaper compares all models, at the sizes of Table 1, with
// the golden counts of the paper's code.
func TestParametersOfThePaper(t *testing.T) {
	data, err := os.ReadFile("../../layers/testdata/numerics/gnn.json")
	require.NoError(t, err)
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
		require.Len(t, want, len(Table1Models))
		for _, model := range Table1Models {
			require.NotZero(t, want[model])
			got := parametersOf(t, model, GraphSize, c.Features, c.Classes)
			require.Equal(t, want[model], got, "%s on %s", model, name)
		}
	}
}

// parametersOf counts the parameters of a model for n features.
func parametersOf(t *testing.T, name string, size Size, n, classes int) int {
	t.Helper()
	build, err := NewModel(name, size, 1, classes)
	require.NoError(t, err)
	store := model.NewStore()
	logits, err := model.CallOnce(backendtest.Get(t, "go"), store, func(scope *model.Scope, g *Graph) *Node {
		return build(scope, &layers.Batch{
			Vertices: Zeros(g, shapes.Make(dtypes.Float32, 3, n)),
			VertexOf: Const(g, []int32{0, 0, 1}),
			Simplices: []layers.Simplices{1: {
				Corners: Const(g, [][]int32{{0, 1}}), Of: Const(g, []int32{0}),
			}},
			Mask:   Const(g, []bool{true}),
			Labels: Const(g, []int32{0}),
		})
	})
	require.NoError(t, err)
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
	_, err := NewModel("gcn", GraphSize, 2, 2)
	require.ErrorContains(t, err, "is for graphs")
	_, err = NewModel("mlp", GraphSize, 1, 2)
	require.ErrorContains(t, err, "there are cochain, cochain-forms, cochain-small, egnn, gat,")
}
