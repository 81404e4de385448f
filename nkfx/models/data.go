package models

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/mesh"
	"github.com/neuralkforms/nkf/datasets/moleculenet"
	"github.com/neuralkforms/nkf/datasets/series"
	"github.com/neuralkforms/nkf/datasets/smiles"
	"github.com/neuralkforms/nkf/datasets/tu"
)

// PredictGraphs predicts the classes of all graphs of a data set in the format
// of TUDataset. What the model cannot know of it, [Saved.Compare] tells.
func (p *Predictor) PredictGraphs(ctx context.Context, archive *tu.Archive) ([]Prediction, error) {
	if err := p.ofGraphs(); err != nil {
		return nil, err
	}
	data, err := p.Encoding.Encode(archive)
	if err != nil {
		return nil, p.fail(err)
	}
	p.forget(data)
	n, err := p.Encoding.Compare(archive)
	if err != nil {
		return nil, p.fail(err)
	}
	out, err := p.Predict(ctx, data)
	for g := range out {
		out[g].Unseen = n.Vertices[g]
	}
	return out, err
}

// PredictMolecules predicts the classes or values of molecules, whose own do
// not count.
func (p *Predictor) PredictMolecules(ctx context.Context, molecules *moleculenet.Molecules) ([]Prediction,
	error) {
	data, err := p.Collection(molecules)
	if err != nil {
		return nil, err
	}
	out, err := p.Predict(ctx, data)
	for g := range out {
		out[g].Unseen = p.unseenAtoms(molecules, g)
	}
	return out, err
}

// PredictPaths predicts the classes or values of time series or tracks, whose
// own do not count. They are prepared as those were that the model was trained
// on; it is an error if they have other columns. Predictions for paths far
// outside of these have Far.
func (p *Predictor) PredictPaths(ctx context.Context, paths *series.Set) ([]Prediction, error) {
	if p.Preparation == nil {
		return nil, p.fail(fmt.Errorf("the model of %s was not trained on time series or tracks", p.Dataset))
	}
	if err := p.Columns.Takes(paths.Header); err != nil {
		return nil, p.fail(fmt.Errorf("%s has other columns than the model of %s was trained on: %w",
			paths.Name, p.Dataset, err))
	}
	data, err := p.Preparation.Apply(paths.Collection)
	if err != nil {
		return nil, p.fail(err)
	}
	p.forget(data)
	out, err := p.Predict(ctx, data)
	for g := range out {
		if channel, deviations := p.Preparation.Far(paths.Collection, g); deviations > 0 {
			out[g].Far = &Far{p.Columns.Coordinates[channel], deviations}
		}
	}
	return out, err
}

// PredictSMILES predicts the class or values of a molecule. It is an error if
// the text is none.
func (p *Predictor) PredictSMILES(text string) (Prediction, error) {
	m, err := smiles.Parse(text)
	if err != nil {
		return Prediction{}, fmt.Errorf("%.60q: %w", text, err)
	}
	one := &moleculenet.Molecules{Name: "SMILES", SMILES: []string{text}, Rows: []int32{0},
		Labels: []int32{0}, AtomStart: []int32{0, int32(len(m.Atoms))},
		BondStart: []int32{0, int32(len(m.Bonds))}}
	for i := range m.Atoms {
		one.Atoms = append(one.Atoms, m.AtomFeatures(i))
	}
	for _, b := range m.Bonds {
		one.Bonds = append(one.Bonds, [2]int32{min(b.Begin, b.End), max(b.Begin, b.End)})
	}
	out, err := p.PredictMolecules(context.Background(), one)
	if err != nil {
		return Prediction{}, err
	}
	return out[0], nil
}

// PredictMeshes predicts the classes or values of meshes, whose own do not
// count; of a model of vertices or triangles those of all of them, mesh after
// mesh.
func (p *Predictor) PredictMeshes(ctx context.Context, meshes *mesh.Set) ([]Prediction, error) {
	if p.Mesh == (mesh.Options{}) {
		return nil, p.fail(fmt.Errorf("the model was trained on %s, which are no meshes", p.Dataset))
	}
	of := *meshes
	of.Info = datasets.Info{Name: meshes.Name, Classes: p.Classes, Tasks: p.Tasks, Regression: p.Numbers}
	of.Targets, of.Labels = make([][]float64, len(meshes.Meshes)), nil
	data, err := of.Collection(p.Mesh)
	if err != nil {
		return nil, p.fail(err)
	}
	return p.Predict(ctx, data)
}

// ofGraphs returns an error unless the model was trained on graphs.
func (m *Saved) ofGraphs() error {
	if m.Preparation != nil {
		return m.fail(fmt.Errorf("the model was trained on the paths of %s: give it time series or tracks",
			m.Dataset))
	}
	if m.Features != "" {
		return m.fail(fmt.Errorf("the model was trained on the molecules of %s: give it a CSV file",
			m.Dataset))
	}
	if m.Mesh != (mesh.Options{}) {
		return m.fail(fmt.Errorf("the model was trained on the meshes of %s: give it meshes", m.Dataset))
	}
	return nil
}

// Collection returns the molecules as the model takes them, without anything
// to learn.
func (m *Saved) Collection(molecules *moleculenet.Molecules) (*datasets.Collection, error) {
	if m.Features == "" {
		if err := m.ofGraphs(); err != nil {
			return nil, err
		}
		return nil, m.fail(fmt.Errorf("the model was trained on the graphs of %s: give it a data set in the "+
			"format of TUDataset", m.Dataset))
	}
	features, err := moleculenet.ParseFeatures(m.Features)
	if err != nil {
		return nil, m.fail(err)
	}
	data, err := molecules.Collection(features)
	if err != nil {
		return nil, m.fail(err)
	}
	m.forget(data)
	return data, nil
}

// forget replaces the targets of the data with zeros, and their classes and tasks
// with the model's.
func (m *Saved) forget(data *datasets.Collection) {
	data.Labels, data.Classes = make([]int32, data.Len()), m.Classes
	data.Tasks, data.Regression = m.Tasks, m.Numbers
	data.Targets = make([]float32, data.Len()*len(m.Tasks))
}

// Elements returns the atomic numbers of atoms, ascending.
func Elements(atoms [][9]int8) (numbers []int) {
	var there [math.MaxUint8 + 1]bool
	for _, atom := range atoms {
		there[uint8(atom[0])] = true
	}
	for number, is := range there {
		if is {
			numbers = append(numbers, number)
		}
	}
	return numbers
}

// unseenAtoms counts the atoms of molecule g of elements that are new to the
// model.
func (m *Saved) unseenAtoms(molecules *moleculenet.Molecules, g int) (count int) {
	for _, atom := range molecules.Atoms[molecules.AtomStart[g]:molecules.AtomStart[g+1]] {
		if !slices.Contains(m.Elements, int(atom[0])) {
			count++
		}
	}
	return count
}

// UnseenElements returns the symbols of elements that none of the molecules
// that the model was trained on had, and how many of these molecules have one.
func (m *Saved) UnseenElements(molecules *moleculenet.Molecules) (symbols []string, count int) {
	for _, number := range Elements(molecules.Atoms) {
		if !slices.Contains(m.Elements, number) {
			symbols = append(symbols, smiles.Atom{Number: uint8(number)}.Symbol())
		}
	}
	for g := range molecules.Len() {
		if m.unseenAtoms(molecules, g) > 0 {
			count++
		}
	}
	return symbols, count
}

// Mismatch is what a data set has and a model has never seen.
type Mismatch struct {
	Classes []string // labels of graphs that are none of the model's classes, ascending
	Graphs  int      // that have one of them
	Notes   []string // on labels, degrees and attributes of nodes
}

// Compare returns what the model cannot know of a data set. It is an error if
// the model cannot take it at all.
func (m *Saved) Compare(archive *tu.Archive) (Mismatch, error) {
	if err := m.ofGraphs(); err != nil {
		return Mismatch{}, err
	}
	n, err := m.Encoding.Compare(archive)
	if err != nil {
		return Mismatch{}, err
	}
	x := Mismatch{Notes: n.Notes}
	var strange []int
	for _, label := range archive.GraphLabels {
		if !slices.Contains(m.Classes, strconv.Itoa(label)) {
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
