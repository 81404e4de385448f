package models

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"reflect"
	"slices"

	"github.com/gomlx/gomlx/ml/model"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/nkfx/internal/saved"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// Saved is a trained model with everything that predictions need.
type Saved struct {
	Format  int             `json:"format"`  // of the file; Save sets it
	Model   string          `json:"model"`   // as Lookup takes it
	Options json.RawMessage `json:"options"` // all that the network has
	Input   Input           `json:"input"`
	Encoder Encoder         `json:"encoder"` // of data of one kind

	Dataset    string   `json:"dataset"` // that it was trained on
	SHA256     string   `json:"data_sha256"`
	Label      string   `json:"label,omitempty"` // column of a file that the classes stand in
	Classes    []string `json:"classes"`
	Tasks      []string `json:"tasks,omitempty"`      // instead of classes
	Regression bool     `json:"regression,omitempty"` // whether tasks are numbers; else they are 0 and 1
	// Settings are what the data depended on beside their file; null for nothing.
	Settings json.RawMessage `json:"settings"`

	Seed   uint32 `json:"seed"`
	Epochs int    `json:"epochs"`
	Metric string `json:"metric"`
	// Mean is that of the metric in cross-validation, for the epoch at which the training on all data stops.
	Mean     train.Score   `json:"mean"`
	Std      train.Score   `json:"std"`
	Backend  string        `json:"backend"`
	Versions Versions      `json:"versions"`
	Weights  saved.Weights `json:"weights"`  // of the network, see SetWeights and Store
	Checksum string        `json:"checksum"` // SHA-256 of all else; Save sets it

	file string // that the model was read from, "" for none
}

// NewSaved returns the model of a network for the data that an encoder made of a source, before training:
// [Saved.SetWeights] sets what training finds, and the fields from Seed to Versions say how.
func NewSaved(network Named, source datasets.Source, encoder datasets.Encoder,
	data *datasets.Collection) (*Saved, error) {
	m := &Saved{
		Model: network.Name, Input: inputOf(data), Encoder: Encoder{source.Kind(), encoder},
		Dataset: data.Name, SHA256: data.SHA256, Label: data.Label, Classes: data.Classes, Tasks: data.Tasks,
		Regression: data.Regression,
	}
	var err error
	if m.Options, err = json.Marshal(network.Model); err != nil {
		return nil, err
	}
	m.Settings, err = json.Marshal(source.Describe().Settings)
	return m, err
}

// network returns the network of the model.
func (m *Saved) network() (Named, error) {
	network, err := Lookup(m.Model, Size{})
	if err != nil {
		return network, err
	}
	if err := network.set(m.Options); err != nil {
		return network, fmt.Errorf("options: %s", saved.Unreadable(err))
	}
	return network, nil
}

// Versions identifies the software that trained a model.
type Versions struct {
	NKF       string `json:"nkf"`
	Go        string `json:"go"`
	GoMLX     string `json:"gomlx"`
	GoXLA     string `json:"goxla"`
	Processor string `json:"processor"`
}

// File is the name of the file of a saved model, in a folder of its own.
const File = "model.json"

// savedFormat is the format of the file.
const savedFormat = 5

// Save writes the model into a folder, which is created if necessary. The file
// appears complete or not at all.
func (m *Saved) Save(folder string) error {
	own := *m // with a checksum
	return own.head().Write(filepath.Join(folder, File), &own, savedFormat)
}

// head returns what the file of a model is recognized by.
func (m *Saved) head() saved.Head { return saved.Head{Format: &m.Format, Checksum: &m.Checksum} }

// ErrFormat is the error of a model from another version of nkf.
var ErrFormat = saved.ErrFormat

// Read reads a model that Save wrote. It is an error if the file is damaged or
// of another version.
func Read(folder string) (*Saved, error) {
	m := Saved{file: filepath.Join(folder, File)}
	if err := m.head().Read(m.file, &m, savedFormat, "`nkf train`", m.check); err != nil {
		return nil, err
	}
	return &m, nil
}

// outputs returns the names of what the model puts out: classes or tasks.
func (m *Saved) outputs() []string {
	if m.Tasks != nil {
		return m.Tasks
	}
	return m.Classes
}

// Differs names the first setting in which the models differ; "" if the other may
// replace this one.
func (m *Saved) Differs(by *Saved) string {
	switch {
	case m.SHA256 != by.SHA256:
		return "other data"
	case m.Label != by.Label || !slices.Equal(m.Tasks, by.Tasks) || m.Regression != by.Regression:
		return "other columns"
	case !reflect.DeepEqual(columns(m.Settings), columns(by.Settings)):
		return "other columns"
	case m.Model != by.Model:
		return "another kind"
	}
	return ""
}

// columns returns the settings of data without the files that it was tested with.
func columns(settings json.RawMessage) map[string]any {
	var out map[string]any
	_ = json.Unmarshal(settings, &out) // nil for data without settings
	delete(out, "Tests")
	return out
}

// Training describes how a model was trained, apart from its data.
func (m *Saved) Training() string {
	text, err := json.Marshal(m.Encoder.Encoder)
	features := struct{ Features string }{}
	if err == nil && json.Unmarshal(text, &features) == nil && features.Features != "" {
		return fmt.Sprintf("features %s, seed %d, last epoch %d", features.Features, m.Seed, m.Epochs)
	}
	return fmt.Sprintf("seed %d, last epoch %d", m.Seed, m.Epochs)
}

// fail returns an error about the model, with the file that it was read from.
func (m *Saved) fail(err error) error {
	if m.file == "" || err == nil {
		return err
	}
	return fmt.Errorf("%s: %w", m.file, err)
}

// SetWeights sets the weights to those that train.FitAll returned. It is an error if one is not float32.
func (m *Saved) SetWeights(weights *model.Store) (err error) {
	m.Weights, err = saved.Of(weights)
	return err
}

// Store returns the weights as variables of GoMLX.
func (m *Saved) Store() (*model.Store, error) { return m.Weights.Store() }

// maxOption bounds the options of a saved model, which decide about memory before the weights are seen not to
// fit.
const maxOption = 1 << 12

// check returns an error for a model that cannot be one that was saved. Whether the weights are those of the
// network is seen when its graph is built.
func (m *Saved) check() error {
	network, err := m.network()
	if err != nil {
		return err
	}
	if err := errors.Join(checkOptions(m.Options), m.checkSizes()); err != nil {
		return err
	}
	if m.Encoder.Encoder == nil {
		return errors.New("it has no encoder")
	}
	if err := m.Encoder.Check(); err != nil {
		return fmt.Errorf("encoder of %s: %w", m.Encoder.Kind, err)
	}
	if err := network.Takes(m.Encoder.Kind); err != nil {
		return err
	}
	return m.Weights.Check()
}

// checkOptions returns an error for options of a network that cannot be.
func checkOptions(text []byte) error {
	var options map[string]any
	if err := json.Unmarshal(text, &options); err != nil {
		return fmt.Errorf("options: %s", saved.Unreadable(err))
	}
	for _, name := range slices.Sorted(maps.Keys(options)) {
		if n, ok := options[name].(float64); ok && !(n >= 0 && n <= maxOption) {
			return fmt.Errorf("options.%s is %v: want 0 to %d", name, n, maxOption)
		}
	}
	return nil
}

// checkSizes returns an error unless the outputs are classes or tasks with names of their own, and the inputs
// have sizes that can be.
func (m *Saved) checkSizes() error {
	names := m.outputs()
	if len(names) == 0 || m.Tasks != nil && m.Classes != nil || m.Regression && m.Tasks == nil {
		return fmt.Errorf("%d classes and %d tasks: it has either", len(m.Classes), len(m.Tasks))
	}
	if unique := slices.Compact(slices.Sorted(slices.Values(names))); len(unique) < len(names) {
		return fmt.Errorf("two of the classes or tasks %q have one name", names)
	}
	in := m.Input
	if in.Dim < 0 || in.Degree < 0 || in.Dim > math.MaxInt32 || in.Outputs != len(names) {
		return fmt.Errorf("input: %d outputs for %d classes or tasks, degree %d, %d coordinates",
			in.Outputs, len(names), in.Degree, in.Dim)
	}
	return nil
}
