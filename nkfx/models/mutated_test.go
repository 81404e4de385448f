package models_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/mesh"
	"github.com/neuralkforms/nkf/datasets/series"
	"github.com/neuralkforms/nkf/layers/backendtest"
	"github.com/neuralkforms/nkf/nkfx/experiments"
	"github.com/neuralkforms/nkf/nkfx/models"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// asked is a small model of some kind of data, and the data that it is asked about.
type asked struct {
	*models.Saved
	data datasets.Source
}

// smallModels returns one for each kind of data.
func smallModels(t *testing.T) map[string]asked {
	t.Helper()
	of := func(model string, data datasets.Source) asked {
		x := experiments.NewRun(experiments.Benchmark{Protocol: train.Published(4),
			Size: models.Size{Hidden: 4, Forms: 2, Points: 2, Layers: 1}}, model)
		x.Data, x.Split, x.Folds, x.Seeds = data, "fold0", 2, 1
		x.Protocol = func(p *train.Protocol) { p.Epochs, p.Batch = 1, 2 }
		_, m, err := x.Train(t.Context(), backendtest.Get(t, "go"), nil)
		require.NoError(t, err)
		return asked{m, data}
	}
	b := datasets.NewBuilder(2)
	b.Info = datasets.Info{Name: "own", Classes: []string{"a", "b"}}
	text := "id,x,y,kind\n"
	r := rand.New(rand.NewPCG(8, 9))
	set := &mesh.Set{Info: datasets.Info{Name: "tori", Classes: []string{"a", "b"}}}
	for g := range 8 {
		b.AddPath([]float64{0, 0, 1, float64(g), float64(g % 3), 2}, float64(g%2))
		text += fmt.Sprintf("%d,0,%d,%d\n%d,1,2,%d\n%d,4,%d,%d\n", g, g, g%2, g, g%2, g, g%3, g%2)
		set.Meshes = append(set.Meshes, mesh.Torus(4, 3, func(a, b float64) (x, y, z float64) {
			distance := 1 + 0.3*math.Cos(b) + 0.1*r.Float64()
			return distance * math.Cos(a), distance * math.Sin(a), 0.3 * math.Sin(b)
		}))
		set.Files = append(set.Files, "")
		set.Targets = append(set.Targets, []float64{float64(g % 2)})
	}
	own := must(b.Collection())
	file := filepath.Join(t.TempDir(), "a.csv")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o666))
	paths := must(series.OpenTable(series.Columns{ID: "id", Coordinates: []string{"x", "y"}, Label: "kind"},
		file))
	_, some := molecules(t, datasets.Regression)
	return map[string]asked{
		"own": of("nkf", own), "graphs": of("gcn", graphs()), "paths": of("path", paths),
		"meshes": of("nkf", set), "molecules": of("nkf", some),
	}
}

// mutations of a value in JSON.
func mutations(value any) (all []any) {
	all = []any{nil, 0, 1, -1, 3, 1_000_000_000, 1e300, 0.5, "", "x", true, []any{}, map[string]any{},
		[]any{nil}, []any{1_000_000_000}, []any{"a", "a"}}
	switch v := value.(type) {
	case []any:
		if len(v) > 0 {
			all = append(all, v[1:], append(slices.Clone(v), v[0]))
		}
	case string:
		if len(v) > 8 {
			all = append(all, v[:len(v)-8], v+v, "AAAAAAAA")
		}
	}
	return all
}

// eachMutation calls a function with a tree in JSON in which one value is another one, and says which.
// Of lists the first, the last and one in between are changed.
func eachMutation(root any, with func(what string)) {
	var walk func(path string, value any, set func(any))
	walk = func(path string, value any, set func(any)) {
		for _, m := range mutations(value) {
			set(m)
			with(fmt.Sprintf("%s = %.60v", path, m))
		}
		set(value)
		switch v := value.(type) {
		case map[string]any:
			for _, name := range slices.Sorted(maps.Keys(v)) {
				walk(path+"."+name, v[name], func(x any) { v[name] = x })
			}
		case []any:
			for _, i := range slices.Compact([]int{0, len(v) / 2, len(v) - 1}) {
				if i >= 0 && i < len(v) {
					walk(fmt.Sprintf("%s[%d]", path, i), v[i], func(x any) { v[i] = x })
				}
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(root.(map[string]any))) {
		v := root.(map[string]any)
		walk(name, v[name], func(x any) { v[name] = x })
	}
}

// TestMutatedModels: of a model any field of which was changed, its checksum made right again, either all is
// well or an error says in which file what is wrong, in words of users. It takes neither long nor much
// memory. Without NKF_LONG every third mutation is tried.
func TestMutatedModels(t *testing.T) {
	backend := backendtest.Get(t, "go")
	for kind, small := range smallModels(t) {
		var tree any
		require.NoError(t, json.Unmarshal(sealed(t, small.Saved), &tree))
		folder := t.TempDir()
		file := filepath.Join(folder, models.File)
		seen, count, errors := 0, 0, 0
		predicted := map[string]bool{}
		eachMutation(tree, func(what string) {
			if seen++; seen%3 > 0 && !backendtest.Long() {
				return
			}
			count++
			text := must(json.Marshal(tree))
			var m models.Saved
			if json.Unmarshal(text, &m) == nil {
				text = sealed(t, &m)
			}
			if predicted[string(text)] {
				return // as another mutation has it
			}
			predicted[string(text)] = true
			require.NoError(t, os.WriteFile(file, text, 0o666))
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			start := time.Now()
			loaded, err := models.Read(folder)
			if err == nil {
				var p *models.Predictor
				if p, err = loaded.On(backend); err == nil {
					_, err = p.Predict(t.Context(), small.data)
				}
			}
			runtime.ReadMemStats(&after)
			require.Less(t, time.Since(start), 10*time.Second, "%s: %s", kind, what)
			require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(1<<28), "%s: %s", kind, what)
			if err != nil {
				errors++
				require.Contains(t, err.Error(), file, "%s: %s", kind, what)
				require.NotRegexp(t, `Go (value|struct)|models\.|series\.|Saved|runtime error|goroutine`,
					err.Error(), "%s: %s", kind, what)
			}
		})
		t.Logf("%s: %d of %d mutations are errors", kind, errors, count)
		require.Greater(t, errors, count/4, kind)
	}
}
