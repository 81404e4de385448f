package experiments

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/gomlx/compute"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/tu"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// TrainTU reads the data, and trains as [TU.Prepare] says.
func (x TU) TrainTU(ctx context.Context, backend compute.Backend, report func(train.Progress)) (
	*Result, *SavedModel, error) {
	archive, err := x.Load(ctx)
	if err != nil {
		return nil, nil, err
	}
	t, err := x.Prepare(archive)
	if err != nil {
		return nil, nil, err
	}
	return t.Run(ctx, backend, report)
}

// Prepare returns the training of a model on graphs that Load read.
func (x TU) Prepare(archive *tu.Archive) (*Training, error) {
	cv, err := x.crossValidation(archive)
	if err != nil {
		return nil, err
	}
	t := cv.prepare()
	t.model.Size = sizeOf(x.Model, GraphSize)
	t.model.Encoding, err = archive.Encoding(cochainFeatures(x.Model, x.Features, archive))
	return t, err
}

// GraphPrediction is what a model says of one graph.
type GraphPrediction struct {
	Graph         int       `json:"graph"`            // from 0, in the order of the files
	Class         string    `json:"class"`            // the most probable
	Probabilities []float64 `json:"probabilities"`    // by class
	Label         string    `json:"label,omitempty"`  // the true one where it is known
	Unseen        int       `json:"unseen,omitempty"` // nodes with labels or degrees new to the model
}

// PredictTU is [SavedModel.PredictGraphs] for the data set at path, in the TU
// format.
func (m *SavedModel) PredictTU(backend compute.Backend, path string) ([]GraphPrediction, error) {
	if m.Features != "" {
		return nil, m.wantsMolecules()
	}
	archive, err := tu.Open(path)
	if err != nil {
		return nil, err
	}
	return m.PredictGraphs(backend, archive)
}

// PredictGraphs predicts the classes of all graphs of a data set. What the
// model cannot know of it, [SavedModel.Compare] tells.
func (m *SavedModel) PredictGraphs(backend compute.Backend, archive *tu.Archive) ([]GraphPrediction, error) {
	if m.Features != "" {
		return nil, m.wantsMolecules()
	}
	data, err := archive.Encode(m.Encoding, m.Classes)
	if err != nil {
		return nil, err
	}
	_, unseen, err := archive.Unseen(m.Encoding)
	if err != nil {
		return nil, err
	}
	p, err := m.predict(backend, data)
	if err != nil {
		return nil, err
	}
	out := make([]GraphPrediction, data.Len())
	for g := range out {
		out[g] = GraphPrediction{
			Graph: g, Class: m.Classes[p.Predicted(g)], Probabilities: p.Probabilities(g), Unseen: unseen[g],
		}
		if archive.GraphLabels != nil {
			out[g].Label = strconv.Itoa(archive.GraphLabels[g])
		}
	}
	return out, nil
}

// wantsMolecules is the error of a model that is given graphs.
func (m *SavedModel) wantsMolecules() error {
	return fmt.Errorf("the model was trained on the molecules of %s: give it a CSV file", m.Dataset)
}

// predict returns what the model says of the complexes.
func (m *SavedModel) predict(backend compute.Backend, data *datasets.Collection) (train.Predictions, error) {
	if err := m.fits(data); err != nil {
		return train.Predictions{}, err
	}
	build, err := NewModel(m.Model, m.Size, data.Degree(), data.Outputs())
	if err != nil {
		return train.Predictions{}, err
	}
	return train.Predict(backend, train.Task{Data: data, Model: build}, m.Weights)
}

// Mismatch is what a data set has and a model has never seen.
type Mismatch struct {
	Classes []string    // labels of graphs that are none of the model's classes, ascending
	Graphs  int         // that have one of them
	Unseen  []tu.Unseen // labels and degrees of nodes
	Unread  tu.Features // files of nodes that the model makes nothing of
}

// Compare returns what the model cannot know of a data set. It is an error if
// the model cannot take it at all.
func (m *SavedModel) Compare(archive *tu.Archive) (Mismatch, error) {
	if m.Features != "" {
		return Mismatch{}, m.wantsMolecules()
	}
	unseen, _, err := archive.Unseen(m.Encoding)
	if err != nil {
		return Mismatch{}, err
	}
	x := Mismatch{Unseen: unseen, Unread: archive.Unread(m.Encoding)}
	known := map[string]bool{}
	for _, class := range m.Classes {
		known[class] = true
	}
	var strange []int
	for _, label := range archive.GraphLabels {
		if !known[strconv.Itoa(label)] {
			strange = append(strange, label)
		}
	}
	x.Graphs = len(strange)
	slices.Sort(strange)
	for _, label := range slices.Compact(strange) {
		x.Classes = append(x.Classes, strconv.Itoa(label))
	}
	return x, nil
}
