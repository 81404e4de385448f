package smiles_test

import (
	"fmt"

	"github.com/neuralkforms/nkf/datasets/smiles"
)

// Phenol: an aromatic ring with a hydroxyl group.
func ExampleParse() {
	m, err := smiles.Parse("c1ccccc1O")
	if err != nil {
		fmt.Println(err)
		return
	}
	oxygen := m.Atoms[6]
	fmt.Println(len(m.Atoms), "atoms,", len(m.Bonds), "bonds")
	fmt.Println(oxygen.Number, oxygen.Hydrogens, oxygen.Hybridization, oxygen.InRing)
	fmt.Println(m.Bonds[0].Type == smiles.Aromatic)
	// Output:
	// 7 atoms, 7 bonds
	// 8 1 SP2 false
	// true
}

// The uncharged spelling of a nitro group gets its charges; formal charges are shifted by 5.
func ExampleMolecule_AtomFeatures() {
	m, err := smiles.Parse("CN(=O)=O")
	if err != nil {
		fmt.Println(err)
		return
	}
	for i := range m.Atoms {
		fmt.Println(m.AtomFeatures(i))
	}
	// Output:
	// [6 0 4 5 3 0 4 0 0]
	// [7 0 3 6 0 0 3 0 0]
	// [8 0 1 4 0 0 3 0 0]
	// [8 0 1 5 0 0 3 0 0]
}

// Errors say what is wrong with the text, or which rule of chemistry a molecule breaks.
func ExampleParse_refused() {
	for _, s := range []string{"c1ccccc", "C[N](C)(C)C", "c1cccc1"} {
		_, err := smiles.Parse(s)
		fmt.Println(err)
	}
	// Output:
	// smiles: character 2: the ring is not closed
	// smiles: valence: atom 1 (N) has valence 4, more than is permitted
	// smiles: kekule: the ring system of atom 0 has no Kekulé structure
}
