package models_test

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets/tu"
	"github.com/neuralkforms/nkf/layers/backendtest"
	"github.com/neuralkforms/nkf/nkfx/experiments"
	weights "github.com/neuralkforms/nkf/nkfx/internal/saved"
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
	x := experiments.NewRun(experiments.Own(must(tu.Open(excerpt))), name)
	x.Folds, x.Protocol = 2, func(p *train.Protocol) { p.Epochs, p.Batch = 1, 4 }
	_, m, err := x.Train(t.Context(), backendtest.Get(t, "go"), nil)
	require.NoError(t, err)
	trained[name] = m
	return m
}

// graphs returns the excerpt.
func graphs() *tu.Archive { return must(tu.Open(excerpt)) }

// TestRead: of a file that is damaged or was made up nothing is believed. (That every model is read as it was
// saved, TestEveryModelOfEveryKind of the experiments says.)
func TestRead(t *testing.T) {
	backend := backendtest.Get(t, "go")
	for what, change := range map[string]func(m *models.Saved){
		"huge layers":      sized(func(s *models.Size) { s.Hidden = math.MaxInt }),
		"many points":      sized(func(s *models.Size) { s.Points = 1 << 30 }),
		"no classes":       func(m *models.Saved) { m.Classes = nil },
		"a class more":     func(m *models.Saved) { m.Classes = append([]string{"c"}, m.Classes...) },
		"classes twice":    func(m *models.Saved) { m.Classes = []string{m.Classes[0], m.Classes[0]} },
		"tasks":            func(m *models.Saved) { m.Tasks = []string{"a", "b", "c"} },
		"paths":            func(m *models.Saved) { m.Weights = moved(m.Weights, "../..") },
		"paths twice":      func(m *models.Saved) { m.Weights = moved(m.Weights, m.Weights[1].Path) },
		"no weights":       func(m *models.Saved) { m.Weights = nil },
		"another model":    func(m *models.Saved) { m.Model = "gin" },
		"an unknown model": func(m *models.Saved) { m.Model = "lstm" },
		"unknown options":  func(m *models.Saved) { m.Model = "nkf:width=3" },
		"other options":    func(m *models.Saved) { m.Model = "cochain" },
		"no coordinates":   func(m *models.Saved) { m.Input.Dim = 0 },
		"triangles":        func(m *models.Saved) { m.Input.Degree = 2 },
		"no encoder":       func(m *models.Saved) { m.Encoder = models.Encoder{} },
		"endless points": func(m *models.Saved) {
			m.Encoder = models.Encoder{}
			_ = json.Unmarshal([]byte(`{"kind":"paths","found":{"points":1000000000}}`), &m.Encoder)
		},
		"no finite number": func(m *models.Saved) { m.Weights = infinite(m.Weights) },
		"another network":  func(m *models.Saved) { m.Weights = saved(t, "gcn").Weights },
		"many columns": func(m *models.Saved) {
			e := tu.NewEncoder()
			text, _ := json.Marshal(m.Encoder.Encoder)
			_ = json.Unmarshal(text, e)
			_ = json.Unmarshal([]byte(`{"labels":[{"highest":9999}]}`), e)
			m.Encoder.Encoder = e
		},
	} {
		m := *saved(t, "nkf")
		change(&m)
		folder := t.TempDir()
		require.NoError(t, m.Save(folder)) // with a checksum that is right
		loaded, err := models.Read(folder)
		var p *models.Predictor
		if err == nil {
			p, err = loaded.On(backend)
		}
		if err == nil {
			_, err = p.Predict(t.Context(), graphs())
		}
		require.Error(t, err, what)
		require.ErrorContains(t, err, filepath.Join(folder, models.File), what)
	}
}

// sized changes the size of a model.
func sized(change func(*models.Size)) func(*models.Saved) {
	return func(m *models.Saved) {
		var s models.Size
		_ = json.Unmarshal(m.Options, &s) // written by Save
		change(&s)
		m.Options, _ = json.Marshal(s)
	}
}

// moved returns weights whose first has another path.
func moved(w weights.Weights, path string) weights.Weights {
	w = slices.Clone(w)
	w[0].Path = path
	return w
}

// infinite returns weights whose first number is infinite.
func infinite(w weights.Weights) weights.Weights {
	w = slices.Clone(w)
	w[0].Data = slices.Clone(w[0].Data)
	binary.LittleEndian.PutUint32(w[0].Data, math.Float32bits(float32(math.Inf(1))))
	return w
}

// sealed returns what Save writes, with the checksum that it should have.
func sealed(t testing.TB, m *models.Saved) []byte {
	t.Helper()
	folder := t.TempDir()
	require.NoError(t, m.Save(folder))
	return must(os.ReadFile(filepath.Join(folder, models.File)))
}

// TestReadWhatIsNoModel: neither a folder in its place nor a file larger than any model is read.
func TestReadWhatIsNoModel(t *testing.T) {
	for name, make := range map[string]func(path string) error{
		"folder": func(path string) error { return os.Mkdir(path, 0o777) },
		"large": func(path string) error {
			return errors.Join(os.WriteFile(path, nil, 0o666), os.Truncate(path, 1<<28+1))
		},
	} {
		folder := t.TempDir()
		require.NoError(t, make(filepath.Join(folder, models.File)))
		_, err := models.Read(folder)
		require.ErrorContains(t, err, "is not a regular file of at most", name)
	}
}
