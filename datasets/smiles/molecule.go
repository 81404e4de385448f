package smiles

import "slices"

// MaxAtoms is the largest number of atoms that a SMILES may have, and of ring closures.
const MaxAtoms = 10_000

// An Atom is one atom of a sanitized molecule.
type Atom struct {
	Number        uint8         // atomic number, 0 for the wildcard *
	Charge        int8          // formal charge
	Hydrogens     uint8         // implicit and bracket hydrogens, which are not atoms of the graph
	Radicals      uint8         // unpaired electrons
	Chirality     Chirality     // winding of the bonds around a stereocentre
	Hybridization Hybridization // shape by the count of bonds and lone pairs
	Aromatic      bool          // on an aromatic ring, after perception
	InRing        bool          // on any cycle of covalent bonds
	Isotope       uint16        // mass number, 0 if none was written

	bracket   bool   // written in brackets, so it takes no implicit hydrogens
	bracketH  uint8  // hydrogens counted in the brackets
	lowercase bool   // aromatic in the text; from valencesAgain on, aromatic in truth
	leads     bool   // first atom of its dot-separated fragment
	explicit  int16  // valence by bonds and bracket hydrogens, as of valence.go
	degree    uint16 // neighbours in the graph
	atomMap   uint16 // atom map number plus one, 0 if none was written
}

// A Bond joins two atoms of a sanitized molecule.
type Bond struct {
	Begin, End int32    // atoms in the order of the text; a dative bond points from Begin to End
	Type       BondType // after perception: AROMATIC where a Hückel ring was found
	Stereo     Stereo   // Z or E of a double bond
	Conjugated bool     // part of a conjugated system
	InRing     bool     // on any cycle of covalent bonds

	dir      direction // the / or \ of the text
	aromatic bool      // aromatic, after perception
	written  bool      // aromatic in the text
}

// A Molecule is a sanitized molecule: the graph of a SMILES with the properties perceived.
//
// Atoms stand in the order of the text, without the explicit hydrogens that became counts. Bonds
// stand in the order of the text too: first the bonds along chains, then the ring closures by
// ascending closure number.
type Molecule struct {
	Atoms []Atom
	Bonds []Bond
}

// clone returns a copy that shares no memory with m.
func (m *Molecule) clone() *Molecule {
	return &Molecule{Atoms: slices.Clone(m.Atoms), Bonds: slices.Clone(m.Bonds)}
}

// Chirality tells how the neighbours of an atom wind around it, in the order of its bonds.
type Chirality uint8

const (
	achiral Chirality = iota
	clockwise
	counterclockwise
)

// String returns the name that RDKit gives the tag.
func (c Chirality) String() string {
	return [...]string{"CHI_UNSPECIFIED", "CHI_TETRAHEDRAL_CW", "CHI_TETRAHEDRAL_CCW"}[c]
}

// inverse swaps the two windings.
func (c Chirality) inverse() Chirality {
	if c == achiral {
		return achiral
	}
	return clockwise + counterclockwise - c
}

// Hybridization is the shape of an atom's orbitals.
type Hybridization uint8

const (
	unhybridized Hybridization = iota
	hybridS
	hybridSP
	hybridSP2
	hybridSP3
	hybridSP3D
	hybridSP3D2
)

// String returns the usual name, such as SP2.
func (h Hybridization) String() string {
	return [...]string{"UNSPECIFIED", "S", "SP", "SP2", "SP3", "SP3D", "SP3D2"}[h]
}

// BondType is the kind of a bond; its value is PyTorch Geometric's index of the kind.
type BondType uint8

const (
	unspecifiedBond BondType = 0
	single          BondType = 1
	double          BondType = 2
	triple          BondType = 3
	quadruple       BondType = 4
	aromatic        BondType = 12
	dative          BondType = 17
)

// String returns the name that RDKit gives the kind.
func (t BondType) String() string {
	switch t {
	case single:
		return "SINGLE"
	case double:
		return "DOUBLE"
	case triple:
		return "TRIPLE"
	case quadruple:
		return "QUADRUPLE"
	case aromatic:
		return "AROMATIC"
	case dative:
		return "DATIVE"
	}
	return "UNSPECIFIED"
}

// twiceOrder is twice the bond order, so that aromatic bonds stay integers.
var twiceOrder = [...]int{single: 2, double: 4, triple: 6, quadruple: 8, aromatic: 3, dative: 2}

// twiceValence returns twice what the bond adds to the valence of atom a: a dative bond is paid
// for by its end alone.
func (b *Bond) twiceValence(a int32) int {
	if b.Type == dative && b.Begin == a {
		return 0
	}
	return twiceOrder[b.Type]
}

// other returns the atom at the other end of b.
func (b *Bond) other(a int32) int32 { return b.Begin ^ b.End ^ a }

// Stereo is the arrangement around a double bond; its value is PyTorch Geometric's index of it.
type Stereo uint8

const (
	stereoNone Stereo = 0
	stereoZ    Stereo = 2
	stereoE    Stereo = 3
)

// String returns the name that RDKit gives the arrangement.
func (s Stereo) String() string {
	return [...]string{"STEREONONE", "STEREOANY", "STEREOZ", "STEREOE"}[s]
}

// A direction is the / or \ of a single bond, read from Begin to End.
type direction int8

const (
	noDirection direction = 0
	upward      direction = 1  // /
	downward    direction = -1 // \
)
