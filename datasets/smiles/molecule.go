package smiles

import "slices"

// MaxAtoms is the largest number of atoms that a SMILES may have, and of ring closures.
const MaxAtoms = 1_000_000

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
	degree    uint32 // neighbours in the graph
	atomMap   uint32 // atom map number plus one, 0 if none was written
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

// Chirality tells how the neighbours of an atom wind around it, in the order of its bonds, or in which
// other arrangement they are; its value is the index in PyTorch Geometric's from_smiles, whose names are
// RDKit's.
type Chirality uint8

// The windings and arrangements that Parse gives an atom. Which of the arrangements of one kind it is,
// the number in @TB7, is read and not kept.
const (
	ChiralUnspecified         Chirality = 0 // no stereocentre, or one without @ in the text
	ChiralClockwise           Chirality = 1 // CHI_TETRAHEDRAL_CW
	ChiralCounterclockwise    Chirality = 2 // CHI_TETRAHEDRAL_CCW
	ChiralAllene              Chirality = 5 // CHI_ALLENE, @AL; RDKit drops it where the atom is in an allene
	ChiralSquarePlanar        Chirality = 6 // CHI_SQUAREPLANAR, @SP; only wildcards have features with it
	ChiralTrigonalBipyramidal Chirality = 7 // CHI_TRIGONALBIPYRAMIDAL, @TB
	ChiralOctahedral          Chirality = 8 // CHI_OCTAHEDRAL, @OH
)

// String returns the name that RDKit gives the tag.
func (c Chirality) String() string {
	return [...]string{
		"CHI_UNSPECIFIED", "CHI_TETRAHEDRAL_CW", "CHI_TETRAHEDRAL_CCW", "CHI_OTHER", "CHI_TETRAHEDRAL",
		"CHI_ALLENE", "CHI_SQUAREPLANAR", "CHI_TRIGONALBIPYRAMIDAL", "CHI_OCTAHEDRAL",
	}[c]
}

// winds reports one of the two windings.
func (c Chirality) winds() bool { return c == ChiralClockwise || c == ChiralCounterclockwise }

// mostNeighbours returns how many neighbours an arrangement other than the tetrahedral one has, 0 for
// all else.
func (c Chirality) mostNeighbours() int {
	switch c {
	case ChiralSquarePlanar:
		return 4
	case ChiralTrigonalBipyramidal:
		return 5
	case ChiralOctahedral:
		return 6
	}
	return 0
}

// inverse swaps the two windings.
func (c Chirality) inverse() Chirality {
	if !c.winds() {
		return c
	}
	return ChiralClockwise + ChiralCounterclockwise - c
}

// Hybridization is the shape of an atom's orbitals; its value is the index in PyTorch Geometric's
// from_smiles, whose names are RDKit's.
type Hybridization uint8

// The shapes that Parse gives an atom, by how many bonds and lone pairs it has.
const (
	Unhybridized Hybridization = 0 // more than six, or the wildcard
	S            Hybridization = 1 // at most one
	SP           Hybridization = 2 // two
	SP2          Hybridization = 3 // three, or four where a bond is conjugated
	SP3          Hybridization = 4 // four
	SP3D         Hybridization = 5 // five
	SP3D2        Hybridization = 6 // six

	sp2d Hybridization = 8 // of a square, which PyTorch Geometric has no index for
)

// String returns the usual name, such as SP2.
func (h Hybridization) String() string {
	return [...]string{"UNSPECIFIED", "S", "SP", "SP2", "SP3", "SP3D", "SP3D2"}[h]
}

// BondType is the kind of a bond; its value is the index in PyTorch Geometric's from_smiles, which is
// RDKit's number of the kind.
type BondType uint8

// The kinds that Parse gives a bond.
const (
	UnspecifiedBond BondType = 0 // ~, which adds nothing to a valence
	Single          BondType = 1
	Double          BondType = 2
	Triple          BondType = 3
	Quadruple       BondType = 4
	Aromatic        BondType = 12 // on an aromatic ring, after perception
	Dative          BondType = 17 // both electrons come from Begin
)

// String returns the name that RDKit gives the kind.
func (t BondType) String() string {
	switch t {
	case Single:
		return "SINGLE"
	case Double:
		return "DOUBLE"
	case Triple:
		return "TRIPLE"
	case Quadruple:
		return "QUADRUPLE"
	case Aromatic:
		return "AROMATIC"
	case Dative:
		return "DATIVE"
	}
	return "UNSPECIFIED"
}

// twiceOrder is twice the bond order, so that aromatic bonds stay integers.
var twiceOrder = [...]int{
	UnspecifiedBond: 0, Single: 2, Double: 4, Triple: 6, Quadruple: 8, Aromatic: 3, Dative: 2,
}

// twiceValence returns twice what the bond adds to the valence of atom a: a dative bond is paid
// for by its end alone.
func (b *Bond) twiceValence(a int32) int {
	if b.Type == Dative && b.Begin == a {
		return 0
	}
	return twiceOrder[b.Type]
}

// other returns the atom at the other end of b.
func (b *Bond) other(a int32) int32 { return b.Begin ^ b.End ^ a }

// Stereo is the arrangement around a double bond; its value is the index in PyTorch Geometric's
// from_smiles, which is RDKit's number of the arrangement.
type Stereo uint8

// The arrangements that Parse gives a bond.
const (
	StereoNone Stereo = 0 // no double bond, or none whose arrangement is written and tells something
	StereoZ    Stereo = 2 // the neighbours of higher rank are on the same side
	StereoE    Stereo = 3 // the neighbours of higher rank are on opposite sides
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
