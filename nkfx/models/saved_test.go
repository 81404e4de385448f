package models_test

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/gomlx/compute"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets/tu"
	"github.com/neuralkforms/nkf/layers/backendtest"
	"github.com/neuralkforms/nkf/nkfx/experiments"
	"github.com/neuralkforms/nkf/nkfx/models"
	"github.com/neuralkforms/nkf/nkfx/train"
)

const excerpt = "../../datasets/tu/testdata/BZR.zip"

// trained are the models that saved has made.
var trained = map[string]*models.Saved{}

// saved returns a small model that was trained on the excerpt.
func saved(t testing.TB, name string) *models.Saved {
	t.Helper()
	if m, ok := trained[name]; ok {
		return m
	}
	x := experiments.NewRun(experiments.Graphs(excerpt), name)
	x.Folds, x.Protocol = 2, func(p *train.Protocol) { p.Epochs, p.Batch = 1, 4 }
	_, m, err := x.Train(t.Context(), backendtest.Get(t, "go"), nil)
	require.NoError(t, err)
	trained[name] = m
	return m
}

// predictTU predicts the graphs of the excerpt.
func predictTU(t testing.TB, m *models.Saved, backend compute.Backend) ([]models.Prediction, error) {
	t.Helper()
	archive, err := tu.Open(excerpt)
	require.NoError(t, err)
	p, err := m.On(backend)
	if err != nil {
		return nil, err
	}
	return p.PredictGraphs(t.Context(), archive)
}

// TestRead: every model is read as it was saved, and predicts; of a file
// that is damaged or was made up nothing is believed.
func TestRead(t *testing.T) {
	backend := backendtest.Get(t, "go")
	all := map[string]*models.Saved{}
	for _, name := range models.Names() {
		folder := t.TempDir()
		all[name] = saved(t, name)
		require.NoError(t, all[name].Save(folder))
		m, err := models.Read(folder)
		require.NoError(t, err, name)
		p, err := predictTU(t, m, backend)
		require.NoError(t, err, name)
		require.Len(t, p, 40)
	}
	for what, change := range map[string]func(m *models.Saved){
		"huge layers":      func(m *models.Saved) { m.Size.Hidden = math.MaxInt },
		"wide layers":      func(m *models.Saved) { m.Size.Hidden = 1 << 12 },
		"no layers":        func(m *models.Saved) { m.Size.Hidden = 0 },
		"many forms":       func(m *models.Saved) { m.Size.Forms = 1 << 20 },
		"no forms":         func(m *models.Saved) { m.Size.Forms = -1 },
		"many points":      func(m *models.Saved) { m.Size.Points = 1 << 30 },
		"deep networks":    func(m *models.Saved) { m.Size.Layers = 1 << 30 },
		"no classes":       func(m *models.Saved) { m.Classes = nil },
		"a class more":     func(m *models.Saved) { m.Classes = append([]string{"c"}, m.Classes...) },
		"tasks":            func(m *models.Saved) { m.Tasks = []string{"a", "b", "c"} },
		"paths":            func(m *models.Saved) { m.Weights = moved(m.Weights, "../..") },
		"paths twice":      func(m *models.Saved) { m.Weights = moved(m.Weights, m.Weights[1].Path) },
		"no weights":       func(m *models.Saved) { m.Weights = nil },
		"another model":    func(m *models.Saved) { m.Model = "gin" },
		"an unknown model": func(m *models.Saved) { m.Model = "lstm" },
		"another network":  func(m *models.Saved) { m.Weights = all["gcn"].Weights },
		"other columns":    func(m *models.Saved) { m.Encoding.Labels = []tu.Range{{Lowest: 0, Highest: 3}} },
		"endless columns": func(m *models.Saved) {
			m.Encoding.Labels = []tu.Range{{Lowest: math.MinInt, Highest: math.MaxInt}}
		},
		"many columns":     func(m *models.Saved) { m.Encoding.Labels = []tu.Range{{Highest: 9999}} },
		"inverted columns": func(m *models.Saved) { m.Encoding.Labels = []tu.Range{{Lowest: 3}} },
	} {
		m := *all["nkf"]
		change(&m)
		folder := t.TempDir()
		require.NoError(t, m.Save(folder)) // with a checksum that is right
		loaded, err := models.Read(folder)
		if err == nil {
			_, err = predictTU(t, loaded, backend)
		}
		require.Error(t, err, what)
		t.Log(what, ": ", err)
	}
	folder := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(folder, models.File), nil, 0o666))
	require.NoError(t, os.Truncate(filepath.Join(folder, models.File), 1<<28+1))
	_, err := models.Read(folder)
	require.ErrorContains(t, err, "more than any model")
}

// moved returns weights whose first has another path.
func moved(weights []models.Weight, path string) []models.Weight {
	weights = slices.Clone(weights)
	weights[0].Path = path
	return weights
}

// sealed returns what Save writes, with the checksum that it should have.
func sealed(t testing.TB, m *models.Saved) []byte {
	t.Helper()
	folder := t.TempDir()
	require.NoError(t, m.Save(folder))
	text, err := os.ReadFile(filepath.Join(folder, models.File))
	require.NoError(t, err)
	return text
}

// FuzzRead: no file makes Read or a prediction with what it returns
// panic. The bytes are also taken with the checksum that they should have.
func FuzzRead(f *testing.F) {
	backend := backendtest.Get(f, "go")
	for _, name := range []string{"nkf", "gcn"} {
		text := sealed(f, saved(f, name))
		f.Add(text)
		f.Add(text[:len(text)/2])
	}
	f.Add([]byte(`{"format":1,"model":"nkf","size":{"hidden":2,"forms":1,"points":2,"layers":1}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		texts := [][]byte{text}
		var m models.Saved
		if json.Unmarshal(text, &m) == nil {
			texts = append(texts, sealed(t, &m))
		}
		for _, text := range texts {
			folder := t.TempDir()
			require.NoError(t, os.WriteFile(filepath.Join(folder, models.File), text, 0o666))
			loaded, err := models.Read(folder)
			if err != nil {
				continue
			}
			p, err := predictTU(t, loaded, backend)
			if err == nil {
				require.Len(t, p, 40)
			}
		}
	})
}
