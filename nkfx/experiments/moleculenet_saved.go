package experiments

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/gomlx/compute"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/moleculenet"
	"github.com/neuralkforms/nkf/datasets/smiles"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// Train trains as [MoleculeNet.Prepare] says.
func (x MoleculeNet) Train(ctx context.Context, backend compute.Backend, molecules *moleculenet.Molecules,
	report func(train.Progress)) (*Result, *SavedModel, error) {
	t, err := x.Prepare(molecules)
	if err != nil {
		return nil, nil, err
	}
	return t.Run(ctx, backend, report)
}

// Prepare returns the training of a model on molecules that Load read.
func (x MoleculeNet) Prepare(molecules *moleculenet.Molecules) (*Training, error) {
	cv, err := x.crossValidation(molecules)
	if err != nil {
		return nil, err
	}
	t := cv.prepare()
	m := &t.model
	m.Size, m.Features = sizeOf(x.Model, MoleculeSize), AtomFeatures(x.Model, x.Features).String()
	m.Elements, m.SMILES = elementsOf(molecules.Atoms), x.Columns.SMILES
	if m.Tasks == nil && len(x.Columns.Labels) == 1 {
		m.Label = x.Columns.Labels[0]
	}
	return t, nil
}

// MoleculePrediction is what a model says of one molecule.
type MoleculePrediction struct {
	Row           int32     `json:"row"` // of the file, from 0
	SMILES        string    `json:"smiles"`
	Class         string    `json:"class,omitempty"`         // the most probable
	Probabilities []float64 `json:"probabilities,omitempty"` // by class
	// Unseen counts the atoms of elements that are new to the model.
	Unseen int `json:"unseen,omitempty"`
	// Values are, by task, numbers or probabilities of 1; they stand in place
	// of a class.
	Values map[string]float64 `json:"values,omitempty"`
}

// PredictMolecules predicts the classes or values of molecules, whose own do
// not count.
func (m *SavedModel) PredictMolecules(backend compute.Backend, molecules *moleculenet.Molecules) (
	[]MoleculePrediction, error) {
	data, err := m.collection(molecules)
	if err != nil {
		return nil, err
	}
	p, err := m.predict(backend, data)
	if err != nil {
		return nil, err
	}
	out := make([]MoleculePrediction, data.Len())
	for g := range out {
		out[g] = MoleculePrediction{Row: molecules.Rows[g], SMILES: molecules.SMILES[g],
			Unseen: m.unseenAtoms(molecules, g)}
		if m.Tasks == nil {
			out[g].Class, out[g].Probabilities = m.Classes[p.Predicted(g)], p.Probabilities(g)
			continue
		}
		out[g].Values = map[string]float64{}
		for t, task := range m.Tasks {
			out[g].Values[task] = m.value(p, g, t)
		}
	}
	return out, nil
}

// elementsOf returns the atomic numbers of atoms, ascending.
func elementsOf(atoms [][9]int8) (numbers []int) {
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
func (m *SavedModel) unseenAtoms(molecules *moleculenet.Molecules, g int) (count int) {
	for _, atom := range molecules.Atoms[molecules.AtomStart[g]:molecules.AtomStart[g+1]] {
		if !slices.Contains(m.Elements, int(atom[0])) {
			count++
		}
	}
	return count
}

// UnseenElements returns the symbols of elements that none of the molecules
// that the model was trained on had, and how many of these molecules have one.
func (m *SavedModel) UnseenElements(molecules *moleculenet.Molecules) (symbols []string, count int) {
	for _, number := range elementsOf(molecules.Atoms) {
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

// collection returns the molecules as the model takes them, without anything
// to learn.
func (m *SavedModel) collection(molecules *moleculenet.Molecules) (*datasets.Collection, error) {
	if m.Features == "" {
		return nil, fmt.Errorf("the model was trained on the graphs of %s: give it a data set in the format "+
			"of TUDataset", m.Dataset)
	}
	features, err := moleculenet.ParseFeatures(m.Features)
	if err != nil {
		return nil, fmt.Errorf("the model cannot be used: %w", err)
	}
	data, err := molecules.Collection(features)
	if err != nil {
		return nil, err
	}
	data.Labels, data.Classes = make([]int32, data.Len()), m.Classes
	data.Tasks, data.Regression = m.Tasks, m.Numbers
	data.Targets = make([]float32, data.Len()*len(m.Tasks))
	return data, nil
}
