package smiles

// maxAtoms is the largest number of atoms that a SMILES may have, and of ring closures.
const maxAtoms = 1_000_000

// An Atom is one atom of a molecule.
type Atom struct {
	Number        uint8         // atomic number, 0 for the wildcard *
	Charge        int8          // formal charge
	Hydrogens     uint8         // implicit and bracket hydrogens, which are not atoms of the graph
	radicals      uint8         // unpaired electrons
	chirality     chirality     // winding of the bonds around a stereocenter
	Hybridization Hybridization // shape of the orbitals
	Aromatic      bool          // on an aromatic ring, after perception
	InRing        bool          // on any cycle of covalent bonds
	Isotope       uint16        // mass number, 0 if none was written

	bracket   bool   // written in brackets, so it takes no implicit hydrogens
	bracketH  uint8  // hydrogens counted in the brackets
	lowercase bool   // aromatic in the text; from valencesAgain on, aromatic in truth
	leads     bool   // first atom of its dot-separated fragment
	explicit  int16  // valence by bonds and bracket hydrogens
	degree    uint32 // neighbors in the graph
	atomMap   uint32 // atom map number plus one, 0 if none was written
}

// Symbol returns the symbol of the element, such as "Cl", or "*" for the wildcard.
func (a Atom) Symbol() string { return elements[a.Number].symbol }

// neighbors counts the neighbors of the atom, hydrogens included.
func (a *Atom) neighbors() int { return int(a.degree) + int(a.Hydrogens) }

// valence returns the valence of the atom, implicit hydrogens included.
func (a *Atom) valence() int { return int(a.explicit) + int(a.Hydrogens) - int(a.bracketH) }

// A Bond joins two atoms of a molecule.
type Bond struct {
	Begin, End int32    // atoms in the order of the text; a dative bond points from Begin to End
	Type       BondType // after perception: Aromatic on a Hückel ring
	stereo     geometry // Z or E of a double bond
	conjugated bool     // part of a conjugated system
	InRing     bool     // on any cycle of covalent bonds

	dir      direction // the / or \ of the text
	aromatic bool      // aromatic, after perception
	written  bool      // aromatic in the text
}

// A Molecule is the graph of a SMILES with the properties perceived.
//
// Atoms stand in the order of the text, without the explicit hydrogens that became counts. Bonds
// stand in the order of the text too: first the bonds along chains, then the ring closures by
// ascending closure number.
type Molecule struct {
	Atoms []Atom
	Bonds []Bond
}

// chirality is how the neighbors of an atom wind around it, in the order of its bonds. Its value is
// the index in PyTorch Geometric's from_smiles. Arrangements other than the tetrahedral one, such as
// the octahedral @OH with index 8, are kept as features; which of its kind an arrangement is, the
// number in @OH7, is not kept.
type chirality uint8

// The windings of a tetrahedral stereocenter.
const (
	achiral          chirality = 0 // no stereocenter, or one without @ in the text
	clockwise        chirality = 1 // CHI_TETRAHEDRAL_CW
	counterclockwise chirality = 2 // CHI_TETRAHEDRAL_CCW

	allene              chirality = 5 // CHI_ALLENE, @AL; dropped, as in RDKit, where the atom is in an allene
	squarePlanar        chirality = 6 // CHI_SQUAREPLANAR, @SP; only wildcards have features with it
	trigonalBipyramidal chirality = 7 // CHI_TRIGONALBIPYRAMIDAL, @TB
	octahedral          chirality = 8 // CHI_OCTAHEDRAL, @OH
)

// winds reports one of the two windings.
func (c chirality) winds() bool { return c == clockwise || c == counterclockwise }

// mostNeighbors returns the number of neighbors in a square, bipyramid or octahedron, 0 for all else.
func (c chirality) mostNeighbors() int {
	if c < squarePlanar {
		return 0
	}
	return 4 + int(c-squarePlanar)
}

// inverse swaps the two windings.
func (c chirality) inverse() chirality {
	if !c.winds() {
		return c
	}
	return clockwise + counterclockwise - c
}

// Hybridization is the shape of an atom's orbitals. Its value is the index in PyTorch Geometric's
// from_smiles.
type Hybridization uint8

// The shapes by the number of bonds and lone pairs.
const (
	unhybridized Hybridization = iota // more than six, or the wildcard
	orbitalS                          // at most one
	sp                                // two
	sp2                               // three, or four where a bond is conjugated
	sp3                               // four
	sp3d                              // five
	sp3d2                             // six

	sp2d Hybridization = 8 // of a square, which has no index in PyTorch Geometric
)

// String returns RDKit's name: UNSPECIFIED, S, SP, SP2, SP3, SP3D or SP3D2.
func (h Hybridization) String() string {
	return [...]string{"UNSPECIFIED", "S", "SP", "SP2", "SP3", "SP3D", "SP3D2"}[h]
}

// BondType is the kind of a bond. Its value is the index in PyTorch Geometric's from_smiles, which is
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

// twiceOrders are twice the orders of bonds, so that aromatic ones stay integers.
var twiceOrders = [...]int{
	UnspecifiedBond: 0, Single: 2, Double: 4, Triple: 6, Quadruple: 8, Aromatic: 3, Dative: 2,
}

// twiceOrder returns twice the order of the bond.
func (t BondType) twiceOrder() int { return twiceOrders[t] }

// twiceValence returns twice what the bond adds to the valence of atom a: a dative bond adds to that of
// its end alone.
func (b *Bond) twiceValence(a int32) int {
	if b.Type == Dative && b.Begin == a {
		return 0
	}
	return b.Type.twiceOrder()
}

// other returns the atom at the other end of b.
func (b *Bond) other(a int32) int32 { return b.Begin ^ b.End ^ a }

// geometry is the arrangement around a double bond. Its value is the index in PyTorch Geometric's
// from_smiles, which is RDKit's number of the arrangement.
type geometry uint8

// The arrangements that Parse gives a bond.
const (
	noStereo geometry = 0 // no double bond, or no arrangement written or to be told apart
	stereoZ  geometry = 2 // the neighbors of higher rank are on the same side
	stereoE  geometry = 3 // the neighbors of higher rank are on opposite sides
)

// A direction is the / or \ of a single bond, read from Begin to End.
type direction int8

const (
	noDirection direction = 0
	upward      direction = 1  // /
	downward    direction = -1 // \
)
