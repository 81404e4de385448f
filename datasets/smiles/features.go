package smiles

import (
	"errors"
	"fmt"
	"strconv"
)

// AtomFeatures are the nine features that PyTorch Geometric's from_smiles gives an atom, each the
// index of the value in a list: atomic number, chirality, degree with hydrogens, charge (plus 5),
// hydrogens, unpaired electrons, hybridization, aromatic, in a ring.
type AtomFeatures [9]int8

// BondFeatures are the three features that PyTorch Geometric's from_smiles gives a bond: type,
// stereo and conjugated.
type BondFeatures [3]int8

// The lists of PyTorch Geometric end here.
const (
	largestDegree    = 10
	lowestCharge     = -5
	largestCharge    = 6
	largestHydrogens = 8
	largestUnpaired  = 4
)

// AtomFeatures returns the features of atom i of a molecule that Parse returned; an Atom made by hand lacks
// its degree. It will panic if there is no such atom.
func (m *Molecule) AtomFeatures(i int) AtomFeatures {
	a := &m.Atoms[i]
	return AtomFeatures{
		int8(a.Number), int8(a.Chirality), int8(a.degree) + int8(a.Hydrogens), a.Charge - lowestCharge,
		int8(a.Hydrogens), int8(a.Radicals), int8(a.Hybridization), index(a.Aromatic), index(a.InRing),
	}
}

// BondFeatures returns the features of bond i. It will panic if there is no such bond.
func (m *Molecule) BondFeatures(i int) BondFeatures {
	b := &m.Bonds[i]
	return BondFeatures{int8(b.Type), int8(b.Stereo), index(b.Conjugated)}
}

// index is the place of a truth value in the list False, True.
func index(b bool) int8 {
	if b {
		return 1
	}
	return 0
}

// checkFeatures refuses atoms whose properties have no index.
func (p *Parser) checkFeatures() error {
	for i := range p.m.Atoms {
		a := &p.m.Atoms[i]
		switch {
		case int(a.degree)+int(a.Hydrogens) > largestDegree:
			return unmapped(i, "%d neighbours", int(a.degree)+int(a.Hydrogens))
		case a.Charge < lowestCharge || a.Charge > largestCharge:
			return unmapped(i, "charge %+d", int(a.Charge))
		case a.Hydrogens > largestHydrogens:
			return unmapped(i, "%d hydrogens", int(a.Hydrogens))
		case a.Radicals > largestUnpaired:
			return unmapped(i, "%d unpaired electrons", int(a.Radicals))
		case a.Hybridization == sp2d:
			return unmapped(i, "a square of %d neighbours", int(a.degree)+int(a.Hydrogens))
		}
	}
	return nil
}

// unmapped is the refusal of an atom that has no features.
func unmapped(atom int, format string, value int) error {
	return &RefusalError{
		Step: "features", Atom: atom,
		Reason: fmt.Sprintf("atom %d has "+format+", for which there is no feature", atom, value),
	}
}

// AppendRow appends the line of one data row, without a line end: row, status, numbers of atoms
// and bonds, atom features, bond features and note, separated by tabs. The features of an atom or
// bond are separated by commas, atoms and bonds by semicolons; a bond's features stand after its
// two atoms, the lower first. A refused row has the error err of Parse, and no molecule.
func AppendRow(dst []byte, row int, m *Molecule, err error) []byte {
	dst = strconv.AppendInt(dst, int64(row), 10)
	if err != nil {
		dst = append(dst, "\trefused\t0\t0\t\t\t"...)
		var refusal *RefusalError
		if errors.As(err, &refusal) && refusal.note != "" {
			return append(dst, refusal.note...)
		}
		return append(dst, err.Error()...)
	}
	dst = append(dst, "\tok\t"...)
	dst = strconv.AppendInt(dst, int64(len(m.Atoms)), 10)
	dst = append(dst, '\t')
	dst = strconv.AppendInt(dst, int64(len(m.Bonds)), 10)
	dst = append(dst, '\t')
	for i := range m.Atoms {
		if i > 0 {
			dst = append(dst, ';')
		}
		f := m.AtomFeatures(i)
		dst = appendList(dst, f[:])
	}
	dst = append(dst, '\t')
	for i := range m.Bonds {
		if i > 0 {
			dst = append(dst, ';')
		}
		b := &m.Bonds[i]
		dst = strconv.AppendInt(dst, int64(min(b.Begin, b.End)), 10)
		dst = append(dst, ',')
		dst = strconv.AppendInt(dst, int64(max(b.Begin, b.End)), 10)
		dst = append(dst, ',')
		f := m.BondFeatures(i)
		dst = appendList(dst, f[:])
	}
	return append(dst, '\t')
}

// appendList appends small numbers, separated by commas.
func appendList(dst []byte, list []int8) []byte {
	for i, v := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		if v < 10 {
			dst = append(dst, '0'+byte(v))
			continue
		}
		dst = strconv.AppendInt(dst, int64(v), 10)
	}
	return dst
}
