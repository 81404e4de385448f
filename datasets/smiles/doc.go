// Package smiles reads SMILES, the line notation of molecules, with the perception of RDKit, as far as
// the atom features of PyTorch Geometric's from_smiles need it.
//
// A SMILES such as c1ccccc1O (phenol) contains little more than a graph of atoms and bonds. The rest is
// chemistry:
//
//	m, err := smiles.Parse("c1ccccc1O")
//	fmt.Println(len(m.Atoms), len(m.Bonds)) // 7 7
//	fmt.Println(m.Atoms[6].Symbol(), m.Atoms[6].Hydrogens) // O 1
//
// It is perceived in steps, each in its own file:
//
//	parse          reads atoms, bonds, charges, marks of chirality and direction
//	chirality      @ and @@ are counted in the order of the bonds
//	hydrogens      explicit [H] atoms become counts on their neighbors
//	cleanup        N(=O)=O becomes [N+](=O)[O-]; overfull atoms give dative bonds to metals
//	valence        implicit hydrogens complete each atom; atoms with too many bonds are refused
//	rings, cycles  bonds on cycles, and the relevant cycles
//	kekule         aromatic bonds become alternating single and double bonds, by a matching
//	radicals       unpaired electrons of bracket atoms
//	aromaticity    Hückel's rule on rings and fused rings
//	conjugation    adjacent double bonds and lone pairs
//	hybridization  SP, SP2, SP3, ... by bonds and lone pairs
//	stereo         stereocenters; Z and E
//	features       the numbers of each atom
//
// The model is RDKit 2026.09.1 with default settings (Chem.MolFromSmiles) and the index lists of
// PyTorch Geometric 2.8.1. All features of all 44,690 rows of BACE, BBBP and HIV equal theirs, and
// the same 18 rows are refused. Beyond them the package reads ring systems that have a Kekulé structure which
// RDKit's search gives up on.
//
// An error says what is wrong with a text that is not a SMILES, and names the step above that refuses a
// molecule that breaks the rules, such as a neutral nitrogen with four bonds. White space and a name may
// follow a SMILES and are ignored. Unlike RDKit the package refuses empty text, extensions (CXSMILES: a name
// that begins with |), and numbers of isotopes, hydrogens and charges that RDKit takes modulo 65536 or 256.
//
// In two cases RDKit uses an internal order that the package does not have: which of several metals gets a
// dative bond (RDKit: the one of highest canonical rank; here: the last), and whether a wildcard (*) may have
// a double bond of an aromatic ring if there are several rings or bonds written as aromatic (RDKit: by the
// order in which it found the rings).
//
// The package limits its work: it refuses molecules of more than a million atoms, and molecules whose
// perception would take more than about a second.
package smiles
