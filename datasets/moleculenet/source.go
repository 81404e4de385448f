package moleculenet

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/smiles"
)

// Kind returns "molecules".
func (m *Molecules) Kind() string { return "molecules" }

// Describe names the classes or tasks.
func (m *Molecules) Describe() datasets.Info {
	info := datasets.Info{Name: m.Name, Classes: m.Classes, Tasks: m.Tasks,
		Regression: m.Task == datasets.Regression, SHA256: m.SHA256}
	if m.Tasks == nil && len(m.Columns.Labels) == 1 {
		info.Label = m.Columns.Labels[0]
	}
	if len(m.Columns.Labels) == 0 && m.Tasks == nil && len(m.Classes) == 1 {
		info.Classes = nil
	}
	return info
}

// Row returns the row of a molecule in the file, what the file calls it, if it does, and its SMILES.
func (m *Molecules) Row(g int) []datasets.Field {
	row := []datasets.Field{{Name: "row", Column: "row", Value: m.Rows[g]}}
	if m.IDs != nil {
		row = append(row, datasets.Field{Name: "id", Column: m.Columns.ID, Value: m.IDs[g]})
	}
	return append(row, datasets.Field{Name: "smiles", Value: m.SMILES[g]})
}

// Settings returns the columns that were read.
func (m *Molecules) Settings() any {
	columns := m.Columns
	columns.ID, columns.Task = "", datasets.Automatic // what came of it counts
	return columns
}

// Fold is [Molecules.ScaffoldSplit] for the name "scaffold".
func (m *Molecules) Fold(name string) (datasets.Fold, bool, error) {
	if name != "scaffold" {
		return datasets.Fold{}, false, nil
	}
	fold, err := m.ScaffoldSplit()
	return fold, true, err
}

// Encoder returns an [Encoder] with the features that [ParseFeatures] takes, "numbers" if there are none.
func (m *Molecules) Encoder(features string) (datasets.Encoder, error) {
	f := Numbers
	if features != "" {
		var err error
		if f, err = ParseFeatures(features); err != nil {
			return nil, err
		}
	}
	return Encoder{Features: f.String(), Elements: m.elements()}, nil
}

// elements returns the atomic numbers of the atoms, ascending.
func (m *Molecules) elements() (numbers []int) {
	var occurs [math.MaxUint8 + 1]bool
	for _, molecule := range m.Graphs {
		for _, atom := range molecule.Atoms {
			occurs[atom.Number] = true
		}
	}
	for number, is := range occurs {
		if is {
			numbers = append(numbers, number)
		}
	}
	return numbers
}

// Encoder makes collections of molecules.
type Encoder struct {
	Features string `json:"features"` // as [ParseFeatures] takes them
	Elements []int  `json:"elements"` // atomic numbers that occurred, ascending
}

// Check returns an error unless the features exist and elements are atomic numbers.
func (e Encoder) Check() error {
	if _, err := ParseFeatures(e.Features); err != nil {
		return err
	}
	for i, number := range e.Elements {
		if number < 0 || number > math.MaxUint8 || i > 0 && number <= e.Elements[i-1] {
			return fmt.Errorf("elements: %d is no atomic number, or not above the one before it", number)
		}
	}
	return nil
}

// Encode is [Molecules.Collection].
func (e Encoder) Encode(s datasets.Source) (*datasets.Collection, error) {
	m, ok := s.(*Molecules)
	if !ok {
		return nil, errors.New("another kind of data: want molecules")
	}
	f, err := ParseFeatures(e.Features)
	if err != nil {
		return nil, err
	}
	return m.Collection(f)
}

// Compare reports atoms of elements that did not occur.
func (e Encoder) Compare(s datasets.Source) (n datasets.Novelty, err error) {
	m, ok := s.(*Molecules)
	if !ok {
		return n, errors.New("another kind of data: want molecules")
	}
	n.Vertices = make([]int, m.Len())
	count := 0
	for g := range n.Vertices {
		for _, atom := range m.Graphs[g].Atoms {
			if !slices.Contains(e.Elements, int(atom.Number)) {
				n.Vertices[g]++
			}
		}
		if n.Vertices[g] > 0 {
			count++
		}
	}
	if count > 0 {
		var symbols []string
		for _, number := range m.elements() {
			if !slices.Contains(e.Elements, number) {
				symbols = append(symbols, smiles.Atom{Number: uint8(number)}.Symbol())
			}
		}
		n.Notes = append(n.Notes, fmt.Sprintf("%d of %d molecules hold elements that no molecule in "+
			"training had (%s)", count, m.Len(), datasets.List(symbols)))
	}
	return n, nil
}

// FromSMILES returns a molecule without a label. It is an error if the text is none.
func FromSMILES(text string) (*Molecules, error) {
	molecule, err := smiles.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("%.60q: %w", text, err)
	}
	m := &Molecules{Name: "SMILES", Labels: []int32{0},
		Classes: []string{""}}
	return m, m.add(row{smiles: text}, molecule, nil, nil)
}
