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

// Row returns the row of a molecule in the file, its name, if the file has one, and its SMILES.
func (m *Molecules) Row(g int) []datasets.Field {
	row := []datasets.Field{{Name: "row", Column: "row", Value: m.rows[g]}}
	if m.ids != nil {
		row = append(row, datasets.Field{Name: "id", Column: m.columns.ID, Value: m.ids[g]})
	}
	return append(row, datasets.Field{Name: "smiles", Value: m.SMILES[g]})
}

// ScaffoldSplit splits the molecules by their scaffolds, see [datasets.GroupedSplit].
func (m *Molecules) ScaffoldSplit() (datasets.Fold, error) {
	return datasets.GroupedSplit(m.Scaffolds())
}

// Encoder returns an encoder with the features of that name, [Numbers] if there is none. It knows the
// elements of all molecules, and nothing else is fitted.
func (m *Molecules) Encoder(features string, _ []int32) (datasets.Encoder, error) {
	e := encoder{Features: Features(features), Elements: m.elements()}
	if features == "" {
		e.Features = Numbers
	}
	return e, e.Check()
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

// Features selects the coordinates of atoms.
type Features string

const (
	// Numbers are the nine features as they are, as in the paper.
	Numbers Features = "numbers"
	// OneHot has a column for every value that a feature can take, 177 in all.
	OneHot Features = "one-hot"
)

// widths are the numbers of values that the features of an atom can take: the lengths of the lists of
// PyTorch Geometric. They sum to 177.
var widths = [9]int{119, 9, 11, 12, 9, 5, 8, 2, 2}

// NewEncoder returns an empty encoder, to read a saved one into.
func NewEncoder() datasets.Encoder { return new(encoder) }

// encoder makes collections of molecules.
type encoder struct {
	Features Features `json:"features"`
	Elements []int    `json:"elements"` // atomic numbers that occurred, ascending
}

// Check returns an error unless the features exist and elements are atomic numbers.
func (e encoder) Check() error {
	if e.Features != Numbers && e.Features != OneHot {
		return fmt.Errorf("no features %q: take %s or %s", e.Features, Numbers, OneHot)
	}
	for i, number := range e.Elements {
		if number < 0 || number > math.MaxUint8 || i > 0 && number <= e.Elements[i-1] {
			return fmt.Errorf("elements: %d is not an atomic number, or not above the one before it", number)
		}
	}
	return nil
}

// Collection returns the molecules as complexes of degree 1 with the chosen features as coordinates.
func (m *Molecules) Collection(features Features) (*datasets.Collection, error) {
	return encoder{Features: features}.Encode(m)
}

// Encode returns the molecules as complexes of degree 1.
func (e encoder) Encode(s datasets.Source) (*datasets.Collection, error) {
	m, ok := s.(*Molecules)
	if !ok {
		return nil, errors.New("another kind of data: want molecules")
	}
	if err := e.Check(); err != nil {
		return nil, err
	}
	dim := len(widths)
	if e.Features == OneHot {
		dim = 177
	}
	b := datasets.NewBuilder(dim)
	b.Info, b.Shared = m.Info, true // HIV has 374 kinds of atoms
	b.Features = string(e.Features)
	var x []float64
	var bonds []int32
	for g, molecule := range m.Graphs {
		x, bonds = x[:0], bonds[:0]
		for i := range molecule.Atoms {
			for j, v := range molecule.AtomFeatures(i) {
				if e.Features == Numbers {
					x = append(x, float64(v))
					continue
				}
				x = append(x, make([]float64, widths[j])...)
				x[len(x)-widths[j]+int(v)] = 1
			}
		}
		for _, bond := range molecule.Bonds {
			bonds = append(bonds, min(bond.Begin, bond.End), max(bond.Begin, bond.End))
		}
		b.Add(x, [][]int32{1: bonds}, m.Targets[g]...)
	}
	return b.Collection()
}

// Compare reports atoms of elements that did not occur.
func (e encoder) Compare(s datasets.Source) (n datasets.Novelty, err error) {
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
	note := datasets.Note{Count: count, Of: m.Len(),
		Text: "molecules hold elements that no molecule in training had"}
	if count > 0 {
		for _, number := range m.elements() {
			if !slices.Contains(e.Elements, number) {
				note.Values = append(note.Values, smiles.Atom{Number: uint8(number)}.Symbol())
			}
		}
	}
	n.Notes = []datasets.Note{note}
	return n, nil
}
