package models

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"slices"

	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/fileio"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// Saved is a trained model with everything that predictions need.
type Saved struct {
	Format  int             `json:"format"`  // savedFormat
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
	Mean     train.Score `json:"mean"`
	Std      train.Score `json:"std"`
	Backend  string      `json:"backend"`
	Versions Versions    `json:"versions"`
	Weights  []Weight    `json:"weights"`
	Checksum string      `json:"checksum"` // SHA-256 of all else; Save sets it

	file string // that the model was read from, "" for none
}

// NewSaved returns the model of a network for data of a source, before training.
func NewSaved(m Model, source datasets.Source, encoder datasets.Encoder, data *datasets.Collection) (*Saved,
	error) {
	saved := &Saved{
		Model: m.Name, Input: InputOf(data), Encoder: Encoder{source.Kind(), encoder}, Dataset: data.Name,
		SHA256: data.SHA256, Label: data.Label, Classes: data.Classes, Tasks: data.Tasks,
		Regression: data.Regression,
	}
	var err error
	if saved.Options, err = json.Marshal(m.Options); err != nil {
		return nil, err
	}
	saved.Settings, err = json.Marshal(source.Describe().Settings)
	return saved, err
}

// network returns the network of the model.
func (m *Saved) network() (Model, error) {
	network, err := Lookup(m.Model, Size{})
	if err != nil {
		return network, err
	}
	if network.Options, err = network.decode(m.Options); err != nil {
		return network, fmt.Errorf("options: %s", unreadable(err))
	}
	return network, nil
}

// Weight is the value of a variable that a model predicts with.
type Weight struct {
	Path string `json:"path"`
	Dims []int  `json:"dims"`
	Data []byte `json:"data"` // float32, little endian; base64 in JSON
}

// Weights returns the variables of a store in their saved form.
func Weights(store *model.Store) (out []Weight, err error) {
	for v := range store.IterVariables() {
		value, err := v.Value()
		if err != nil {
			return nil, fmt.Errorf("weights of variable %s: %w", v.Path(), err)
		}
		values, err := tensors.CopyFlatData[float32](value)
		if err != nil {
			return nil, fmt.Errorf("variable %s is of %v: only float32 can be kept", v.Path(), v.DType())
		}
		data, err := binary.Append(nil, binary.LittleEndian, values)
		if err != nil {
			return nil, fmt.Errorf("weights of variable %s: %w", v.Path(), err)
		}
		out = append(out, Weight{v.Path(), slices.Clone(v.Shape().Dimensions), data})
	}
	return out, nil
}

// Versions identifies the software that trained a model.
type Versions struct {
	NKF       string `json:"nkf"`
	Go        string `json:"go"`
	GoMLX     string `json:"gomlx"`
	GoXLA     string `json:"goxla"`
	Processor string `json:"processor"`
}

const (
	savedFormat = 5

	// maxSaved bounds the file of a model: ten times the largest of the paper's models, with room.
	maxSaved = 1 << 28

	// File is the name of the file of a saved model, in a folder of its own.
	File = "model.json"
)

// text returns the JSON of the model with its checksum, which is that of the
// same text without it.
func (m Saved) text() ([]byte, error) {
	m.Format, m.Checksum = savedFormat, ""
	text, err := json.MarshalIndent(m, "", " ")
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(text)
	m.Checksum = hex.EncodeToString(sum[:])
	text, err = json.MarshalIndent(m, "", " ")
	return append(text, '\n'), err
}

// Save writes the model into a folder, which is created if necessary. The file
// appears complete or not at all.
func (m *Saved) Save(folder string) error {
	text, err := m.text()
	if err != nil {
		return fmt.Errorf("writing the model: %w", err)
	}
	return fileio.Write(filepath.Join(folder, File), 0o666, fileio.Bytes(text))
}

// ErrFormat is the error of a model from another version of nkf.
var ErrFormat = errors.New("format")

// Read reads a model that Save wrote. It is an error if the file is damaged or
// of another version.
func Read(folder string) (*Saved, error) {
	file := filepath.Join(folder, File)
	info, err := os.Stat(file)
	if err == nil && (!info.Mode().IsRegular() || info.Size() > maxSaved) {
		err = fmt.Errorf("%s is not a regular file of at most %d bytes", File, maxSaved)
	}
	var text []byte
	if err == nil {
		text, err = os.ReadFile(file)
	}
	if err != nil {
		return nil, fmt.Errorf("%s holds no model: %w; `nkf train` makes one", folder, err)
	}
	var m Saved
	if err := json.Unmarshal(text, &m); err != nil {
		return nil, fmt.Errorf("%s is damaged: %s; train again", file, unreadable(err))
	}
	if m.Format != savedFormat {
		return nil, fmt.Errorf("%s has %w %d, this version of nkf reads %d: use the version that wrote it, "+
			"or train again", file, ErrFormat, m.Format, savedFormat)
	}
	if same, err := m.text(); err != nil || !bytes.Equal(text, same) {
		return nil, fmt.Errorf("%s is damaged: it does not match its checksum; train again", file)
	}
	if err := m.check(); err != nil {
		return nil, fmt.Errorf("%s holds no model: %w; train again", file, err)
	}
	m.file = file
	return &m, nil
}

// unreadable says what is wrong with a text in JSON.
func unreadable(err error) string {
	var kind *json.UnmarshalTypeError
	if errors.As(err, &kind) {
		return fmt.Sprintf("byte %d: the field %q cannot be a %s", kind.Offset, kind.Field, kind.Value)
	}
	return err.Error()
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

// Store returns the weights as variables of GoMLX.
func (m *Saved) Store() (*model.Store, error) {
	store := model.NewStore()
	for _, w := range m.Weights {
		values := make([]float32, len(w.Data)/4)
		if err := binary.Read(bytes.NewReader(w.Data), binary.LittleEndian, values); err != nil {
			return nil, fmt.Errorf("weights of variable %s: %w", w.Path, err)
		}
		_, err := store.Scope(path.Dir(w.Path)).
			CreateVariable(path.Base(w.Path), tensors.FromFlatDataAndDimensions(values, w.Dims...))
		if err != nil {
			return nil, fmt.Errorf("weights of variable %s: %w", w.Path, err)
		}
	}
	return store, nil
}
