package experiments

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/gomlx/compute"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/tu"
	"github.com/neuralkforms/nkf/nkfx"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// SavedModel is a trained model with all that it takes to predict with it.
type SavedModel struct {
	Format   int            `json:"format"` // savedFormat
	Model    string         `json:"model"`  // one of ModelNames
	Size     Size           `json:"size"`
	Dataset  string         `json:"dataset"` // that it was trained on
	SHA256   string         `json:"data_sha256"`
	Encoding tu.Encoding    `json:"encoding"`           // of the vertices of graphs
	Features string         `json:"features,omitempty"` // of atoms; "" where it is for graphs
	Elements []int          `json:"elements,omitempty"` // atomic numbers of the atoms, ascending
	SMILES   string         `json:"smiles,omitempty"`   // column of a file that the molecules stand in
	Label    string         `json:"label,omitempty"`    // column of a file that the classes stand in
	Classes  []string       `json:"classes"`
	Tasks    []string       `json:"tasks,omitempty"`   // instead of classes
	Numbers  bool           `json:"numbers,omitempty"` // whether tasks are numbers; else they are 0 and 1
	Seed     uint32         `json:"seed"`
	Epochs   int            `json:"epochs"`
	Metric   string         `json:"metric"`
	Mean     train.Score    `json:"mean"` // of the metric in cross-validation; percent unless it is an error
	Std      train.Score    `json:"std"`
	Backend  string         `json:"backend"`
	Versions nkfx.Versions  `json:"versions"`
	Weights  []train.Weight `json:"weights"`
	Checksum string         `json:"checksum"` // SHA-256 of all else; Save sets it
}

const (
	savedFormat = 2 // 1 did not know which labels occur
	savedFile   = "model.json"
)

// Training is a model that is about to be trained on data that were read, and
// to be saved: what can be checked before, is.
type Training struct {
	cv    crossValidation
	model SavedModel // without what training makes
}

// prepare returns the training of a cross-validation. Size and encoding of the
// model are left to say.
func (x crossValidation) prepare() *Training {
	x.shard = nil // a model takes all trainings
	data := x.task.Data
	return &Training{x, SavedModel{
		Format: savedFormat, Model: x.model, Dataset: data.Name, SHA256: data.SHA256,
		Classes: data.Classes, Tasks: data.Tasks, Numbers: data.Regression, Versions: nkfx.Version(),
	}}
}

// Run cross-validates, trains on everything with the learning rates of the
// typical fold, and returns the result and the model.
func (t *Training) Run(ctx context.Context, backend compute.Backend, report func(train.Progress)) (
	*Result, *SavedModel, error) {
	r, outcome, err := t.cv.run(ctx, backend, report)
	if err != nil {
		return nil, nil, err
	}
	r.Experiment = "train"
	rates := train.Rates(t.cv.task.Protocol, outcome.Fits)
	weights, err := train.FitAll(ctx, backend, t.cv.task, rates)
	if err != nil {
		return nil, nil, err
	}
	m := t.model
	m.Seed, m.Epochs, m.Backend, m.Weights = r.Seed, len(rates), r.Backend, weights
	m.Metric, m.Mean, m.Std = r.Metric, r.Mean, r.Std
	return r, &m, nil
}

// text returns the JSON of the model with its checksum, which is that of the
// same text without it.
func (m SavedModel) text() ([]byte, error) {
	m.Checksum = ""
	text, err := json.MarshalIndent(m, "", " ")
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(text)
	m.Checksum = hex.EncodeToString(sum[:])
	text, err = json.MarshalIndent(m, "", " ")
	return append(text, '\n'), err
}

// Save writes the model into a folder, which is made if need be. The file
// appears whole or not at all.
func (m *SavedModel) Save(folder string) error {
	text, err := m.text()
	if err != nil {
		return fmt.Errorf("writing the model: %w", err)
	}
	return datasets.WriteFile(filepath.Join(folder, savedFile), 0o666, datasets.Bytes(text))
}

// maxSaved bounds the size of a file of a model: ten times the largest of the
// paper's models, with room.
const maxSaved = 1 << 28

// errFormat is that a model is of another version.
var errFormat = errors.New("format")

// LoadModel reads a model that Save wrote. It is an error if the file is
// damaged or of another version.
func LoadModel(folder string) (*SavedModel, error) {
	path := filepath.Join(folder, savedFile)
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New(savedFile + " is not a regular file")
	}
	if err != nil {
		return nil, fmt.Errorf("%s holds no model: %w; `nkf train` makes one", folder, err)
	}
	if info.Size() > maxSaved {
		return nil, fmt.Errorf("%s is %d bytes long, more than any model", path, info.Size())
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("reading the model: %w", err)
	}
	var m SavedModel
	if err := json.Unmarshal(text, &m); err != nil {
		return nil, fmt.Errorf("%s is damaged: %w; train again", path, err)
	}
	if m.Format != savedFormat {
		return nil, fmt.Errorf("%s has %w %d, this version of nkf reads %d: use the version that wrote it, "+
			"or train again", path, errFormat, m.Format, savedFormat)
	}
	if same, err := m.text(); err != nil || !bytes.Equal(text, same) {
		return nil, fmt.Errorf("%s is damaged: it does not match its checksum; train again", path)
	}
	if err := m.check(); err != nil {
		return nil, fmt.Errorf("%s holds no model: %w; train again", path, err)
	}
	return &m, nil
}
