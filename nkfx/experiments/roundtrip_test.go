package experiments

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/series"
	"github.com/neuralkforms/nkf/datasets/tu"
	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/backendtest"
	"github.com/neuralkforms/nkf/nkfx/internal/nkftest"
	"github.com/neuralkforms/nkf/nkfx/models"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// kind is a kind of data that models are trained on.
type kind struct {
	name     string
	data     datasets.Source
	features string
	// takes says which models are for it: kinds of models, and others that take any data.
	takes func(m models.Named) bool
}

// kinds returns all kinds of data, a few complexes each.
func kinds(t *testing.T) []kind {
	t.Helper()
	archive := must(tu.Open(excerpt))
	any := func(m models.Named) bool { return m.Kind == "" }
	all := []kind{{"graphs", archive, "", any}}
	for _, task := range []datasets.Task{datasets.Classification, datasets.Regression} {
		molecules := must(nkftest.Molecules(task))
		all = append(all, kind{"molecules, " + task.String(), molecules, "", any})
	}
	all = append(all, kind{"triangles", someTriangles(), "", func(m models.Named) bool {
		_, err := m.For(someTriangles())
		return any(m) && err == nil
	}})
	return slices.Concat(all, pathKinds(t), meshKinds())
}

// someTriangles returns complexes of dimension 2 in space.
func someTriangles() *datasets.Collection {
	r := rand.New(rand.NewPCG(1, 2))
	b := datasets.NewBuilder(3)
	b.Info.Classes = []string{"flat", "bent"}
	for g := range 8 {
		var points []float64
		for i := range 12 {
			points = append(points, r.NormFloat64()*float64(1+i%3*(g%2)))
		}
		b.Add(points, [][]int32{1: {0, 1, 0, 2, 1, 2, 1, 3, 2, 3}, 2: {0, 1, 2, 1, 3, 2}}, float64(g%2))
	}
	return must(b.Collection())
}

// somePaths returns arcs left and right, of different lengths, to learn a column of.
func somePaths(t *testing.T, label string) *series.Set {
	t.Helper()
	text := "id,x,y,when,turn,way\n"
	for g := range 12 {
		turn := math.Sin(float64(g + 1))
		for i := range 9 + g%3 {
			sin, cos := math.Sincos(turn * float64(i) / 4)
			text += fmt.Sprintf("t%d,%.4f,%.4f,%d,%.4f,%s\n", g, cos, sin, i*i, turn,
				[]string{"left", "right"}[g%2])
		}
	}
	file := filepath.Join(t.TempDir(), "paths.csv")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o666))
	set := must(series.OpenTable(series.Columns{ID: "id", Coordinates: []string{"x", "y"}, Order: "when",
		Label: label}, file))
	return set
}

// pathKinds returns paths with classes and with numbers, and time series.
func pathKinds(t *testing.T) (all []kind) {
	t.Helper()
	ts := "@univariate false\n@classLabel true a b\n@data\n"
	for g := range 8 {
		ts += fmt.Sprintf("%d,2,%d,4:1,%d,3,4:%s\n", g, g%3, g%5, []string{"a", "b"}[g%2])
	}
	file := filepath.Join(t.TempDir(), "series.ts")
	require.NoError(t, os.WriteFile(file, []byte(ts), 0o666))
	channels := must(series.OpenTS(file))
	ways, turns := somePaths(t, "way"), somePaths(t, "turn")
	takes := func(m models.Named) bool { return m.Kind == "" || m.Kind == "paths" }
	return []kind{{"paths", ways, "", takes}, {"paths, numbers", turns, "", takes},
		{"time series", channels, "", takes}}
}

// meshKinds returns meshes with classes and with numbers.
func meshKinds() (all []kind) {
	takes := func(m models.Named) bool {
		_, err := m.For(someTriangles())
		return m.Kind == "" && err == nil
	}
	numbers := tori(6)
	numbers.Name, numbers.Classes, numbers.Tasks, numbers.Regression = "sizes", nil, []string{"height"}, true
	return []kind{{"meshes", tori(6), "", takes}, {"meshes, numbers", numbers, "", takes}}
}

// TestEveryModelOfEveryKind: every model, with NKF_LONG those with other options as well, is trained on every
// kind of data that it takes, saved, read and asked. Its weights are the same to the bit, and it says what
// the trainer's own evaluation says before it is saved, but for the rounding of sums in batches of other
// sizes. Other kinds are refused before anything is trained.
func TestEveryModelOfEveryKind(t *testing.T) {
	backend := backendtest.Get(t, "go")
	for _, k := range kinds(t) {
		t.Run(k.name, func(t *testing.T) {
			taken := 0
			for _, name := range models.Names(func(e models.Entry) bool {
				return e.Help != "" || backendtest.Long()
			}) {
				x := NewRun(Benchmark{
					Size:     models.Size{Hidden: 4, Forms: 2, Points: 3, Layers: 2},
					Protocol: train.Published(4),
				}, name)
				x.Data, x.Features, x.Split, x.Folds, x.Seeds = k.data, k.features, "fold0", 2, 1
				x.Protocol = func(p *train.Protocol) { p.Epochs, p.Batch = 1, 4 }
				m := must(models.Lookup(name, x.Benchmark.Size))
				prepared, err := x.Prepare(t.Context())
				require.Equal(t, k.takes(m), err == nil, "%s: %v", name, err)
				if err != nil {
					continue
				}
				taken++
				saved, err := prepared.final(t.Context(), backend, nil, nil)
				require.NoError(t, err, name)
				folder := t.TempDir()
				require.NoError(t, saved.Save(folder), name)
				loaded, err := models.Load(folder, backend)
				require.NoError(t, err, name)
				require.Equal(t, saved.Weights, loaded.Weights, name)
				got, err := loaded.Predict(t.Context(), k.data)
				require.NoError(t, err, name)
				require.NotEmpty(t, got, name)
				requireAsTrained(t, name, prepared, saved, got)
			}
			require.NotZero(t, taken)
		})
	}
}

// requireAsTrained compares predictions with the outputs of the trainer's evaluation.
func requireAsTrained(t *testing.T, name string, prepared *Training, saved *models.Saved,
	got []models.Prediction) {
	t.Helper()
	weights, err := saved.Store()
	require.NoError(t, err, name)
	objective := train.NewObjective(prepared.all.Info)
	batches, err := layers.NewDataset(prepared.all, nil, 4, nil)
	require.NoError(t, err, name)
	var want []float32
	for batch, err := range batches.Iter() {
		require.NoError(t, err, name)
		build := func(scope *model.Scope, in []*Node) *Node {
			out := prepared.task.Model(scope, layers.Unpack(batch.Spec, in))
			return ConvertDType(objective.Predicted(scope.At("targets"), out), dtypes.Float32)
		}
		out, err := model.CallOnce(backendtest.Get(t, "go"), weights, build, batch.Inputs[0], batch.Inputs[1])
		require.NoError(t, err, name)
		want = append(want, tensors.MustCopyFlatData[float32](out)...)
	}
	want = want[:prepared.all.Len()*objective.Outputs()] // without padding of the last
	var outputs []float32
	for _, p := range got {
		outputs = append(outputs, p.Outputs...)
	}
	require.Len(t, outputs, len(want), name)
	for i := range want {
		// float32, in sums of another order.
		require.InDelta(t, want[i], outputs[i], 1e-4*math.Max(1, math.Abs(float64(want[i]))), name)
	}
}
