// Package smiles reads SMILES, the line notation of molecules, and perceives what RDKit perceives
// in them, as far as the atom and bond features of PyTorch Geometric's from_smiles need it.
//
// A SMILES such as c1ccccc1O (phenol) gives a graph of atoms and bonds and little else. The rest is
// chemistry, perceived step by step, each in a file of its own:
//
//	parse          the text becomes atoms, bonds, charges, marks of winding and direction
//	chirality      @ and @@ are counted in the order of the bonds
//	hydrogens      explicit [H] atoms become counts on their neighbors
//	cleanup        N(=O)=O becomes [N+](=O)[O-]; overfull atoms give dative bonds to metals
//	valence        implicit hydrogens fill each atom up; what has too many bonds is refused
//	rings, cycles  which bonds are on cycles, and the relevant cycles among them
//	kekule         aromatic bonds become alternating single and double bonds
//	radicals       unpaired electrons of bracket atoms
//	aromaticity    Hückel's rule on rings and fused rings, anew
//	conjugation    double bonds and lone pairs side by side
//	hybridization  SP, SP2, SP3, ... by bonds and lone pairs
//	stereo         stereocenters; Z and E
//	features       the numbers
//
// The model is RDKit 2026.09.1 with default settings (Chem.MolFromSmiles) and the index lists of
// PyTorch Geometric 2.8.1. All features of all 44,690 rows of BACE, BBBP and HIV are equal to
// theirs, and the same 18 rows are refused.
//
// An [Error] names the step that refuses a SMILES: "syntax" for text that is none, the steps above for
// molecules that the rules do not allow, such as a neutral nitrogen with four bonds. A SMILES may be
// followed by white space and a name, which is no part of it. Unlike RDKit the package refuses the empty
// text, extensions (CXSMILES: a name that begins with |), and numbers of isotopes, hydrogens and charges
// that RDKit takes modulo 65536 or 256.
//
// In two places RDKit goes by an order of its own that the package does not have: which of several
// metals gets a dative bond (the one of highest canonical rank; here the last one), and whether a
// wildcard (*) may take a double bond of an aromatic ring where there are several rings, or bonds
// written aromatic (by the order in which it found the rings).
//
// The package bounds its work: molecules have at most a million atoms, and those whose perception would
// take more than about a second are refused.
package smiles
