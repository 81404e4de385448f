package experiments

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets/tu"
	"github.com/neuralkforms/nkf/layers/backendtest"
)

const excerpt = "../../datasets/tu/testdata/BZR.zip"

// trained are the models that saved has made.
var trained = map[string]*SavedModel{}

// saved returns a small model that was trained on the excerpt.
func saved(t testing.TB, name string) *SavedModel {
	t.Helper()
	if m, ok := trained[name]; ok {
		return m
	}
	x := NewTU("", name)
	x.Path, x.Folds, x.Protocol.Epochs, x.Protocol.Batch = excerpt, 2, 1, 4
	_, m, err := x.TrainTU(t.Context(), backendtest.Get(t, "go"), nil)
	require.NoError(t, err)
	trained[name] = m
	return m
}

// TestLoadModel: every model is read as it was saved, and predicts; of a file
// that is damaged or was made up nothing is believed.
func TestLoadModel(t *testing.T) {
	backend := backendtest.Get(t, "go")
	models := map[string]*SavedModel{}
	for _, name := range ModelNames() {
		folder := t.TempDir()
		models[name] = saved(t, name)
		require.NoError(t, models[name].Save(folder))
		m, err := LoadModel(folder)
		require.NoError(t, err, name)
		p, err := m.PredictTU(backend, excerpt)
		require.NoError(t, err, name)
		require.Len(t, p, 40)
	}
	for what, change := range map[string]func(m *SavedModel){
		"huge layers":      func(m *SavedModel) { m.Size.Hidden = math.MaxInt },
		"wide layers":      func(m *SavedModel) { m.Size.Hidden = 1 << 12 },
		"no layers":        func(m *SavedModel) { m.Size.Hidden = 0 },
		"many forms":       func(m *SavedModel) { m.Size.Forms = 1 << 20 },
		"no forms":         func(m *SavedModel) { m.Size.Forms = -1 },
		"many points":      func(m *SavedModel) { m.Size.Points = 1 << 30 },
		"deep networks":    func(m *SavedModel) { m.Size.Layers = 1 << 30 },
		"no weights":       func(m *SavedModel) { m.Weights = nil },
		"another model":    func(m *SavedModel) { m.Model = "gin" },
		"an unknown model": func(m *SavedModel) { m.Model = "lstm" },
		"another network":  func(m *SavedModel) { m.Weights = models["gcn"].Weights },
		"other columns":    func(m *SavedModel) { m.Encoding.Labels = []tu.Range{{Lowest: 0, Highest: 3}} },
		"endless columns": func(m *SavedModel) {
			m.Encoding.Labels = []tu.Range{{Lowest: math.MinInt, Highest: math.MaxInt}}
		},
		"many columns":     func(m *SavedModel) { m.Encoding.Labels = []tu.Range{{Highest: 9999}} },
		"inverted columns": func(m *SavedModel) { m.Encoding.Labels = []tu.Range{{Lowest: 3, Highest: -3}} },
	} {
		m := *models["nkf"]
		change(&m)
		folder := t.TempDir()
		require.NoError(t, m.Save(folder)) // with a checksum that is right
		loaded, err := LoadModel(folder)
		if err == nil {
			_, err = loaded.PredictTU(backend, excerpt)
		}
		require.Error(t, err, what)
		t.Log(what, ": ", err)
	}
	folder := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(folder, savedFile), nil, 0o666))
	require.NoError(t, os.Truncate(filepath.Join(folder, savedFile), maxSaved+1))
	_, err := LoadModel(folder)
	require.ErrorContains(t, err, "more than any model")
}

// FuzzLoadModel: no file makes LoadModel or a prediction with what it returns
// panic. The bytes are also taken with the checksum that they should have.
func FuzzLoadModel(f *testing.F) {
	backend := backendtest.Get(f, "go")
	for _, name := range []string{"nkf", "gcn"} {
		text, err := saved(f, name).text()
		require.NoError(f, err)
		f.Add(text)
		f.Add(text[:len(text)/2])
	}
	f.Add([]byte(`{"format":1,"model":"nkf","size":{"hidden":2,"forms":1,"points":2,"layers":1}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		texts := [][]byte{text}
		var m SavedModel
		if json.Unmarshal(text, &m) == nil {
			m.Format = savedFormat
			if sealed, err := m.text(); err == nil {
				texts = append(texts, sealed)
			}
		}
		for _, text := range texts {
			folder := t.TempDir()
			require.NoError(t, os.WriteFile(filepath.Join(folder, savedFile), text, 0o666))
			loaded, err := LoadModel(folder)
			if err != nil {
				continue
			}
			p, err := loaded.PredictTU(backend, excerpt)
			if err == nil {
				require.Len(t, p, 40)
			}
		}
	})
}
