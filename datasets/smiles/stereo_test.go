package smiles

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// windings draws the windings of a molecule's atoms: > clockwise, < counterclockwise.
func windings(m *Molecule) string {
	var s strings.Builder
	for _, a := range m.Atoms {
		s.WriteByte(".><"[a.chirality])
	}
	return s.String()
}

// cip returns the labels that an atom of each molecule gets.
func cip(t *testing.T, text string) string {
	var p parser
	require.NoError(t, p.parse(text))
	var s strings.Builder
	for _, l := range p.labels {
		s.WriteByte(".SR"[l])
	}
	return s.String()
}

// The same molecule, written from different ends, has the same label (alanine is R or S whatever
// the order), though not the same winding.
func TestLabels(t *testing.T) {
	for label, texts := range map[string][]string{
		"S": { // L-alanine
			"C[C@H](N)C(=O)O", "N[C@@H](C)C(=O)O", "OC(=O)[C@@H](N)C", "[C@H](C)(C(=O)O)N",
			"[C@@H](N)(C(=O)O)C", "C[C@]([H])(N)C(=O)O", "[H][C@@](C)(N)C(=O)O", "N[C@@]([H])(C)C(=O)O",
		},
		"R": { // D-alanine; (R)-bromochlorofluoromethane; (R)-propylene oxide
			"C[C@@H](N)C(=O)O", "F[C@](Cl)(Br)[H]", "F[C@H](Cl)Br", "C[C@@H]1CO1",
			"O1C[C@H]1C", "[C@@H]1(C)CO1",
		},
	} {
		for _, text := range texts {
			assert.Equal(t, label, strings.Trim(cip(t, text), "."), text)
		}
	}
}

func TestWindings(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"kept", "C[C@H](N)O", ".<.."},
		{"two equal neighbors", "C[C@H](C)O", "...."},
		{"flat", "C[C@](=O)N", "...."},
		{"amine", "C[N@](CC)O", "....."},
		{"aziridine", "C[N@]1C[C@@H]1C", ".<.<."},
		{"ammonium", "C[N@+](CC)(CCC)O", ".<......"},
		{"sulfoxide", "C[S@](=O)CC", ".<..."},
		{"sulfonium", "C[S@+](CC)O", ".<..."},
		{"sulfide", "C[S@]CC", "...."},
		{"phosphine", "C[P@](CC)O", ".<..."},
		{"phosphine with hydrogen", "C[P@H]O", ".<."},
		{"meso pair in a ring", "C[C@H]1CC[C@@H](C)CC1", ".>..>..."},
		{"one alone in a ring", "C[C@H]1CCC(C)CC1", "........"},
		{"pseudoasymmetric", "C[C@@H](O)C[C@@H](F)C[C@H](O)C", ".>.....<.."},
		{"bridgehead nitrogen", "C1C[N@]2CC[C@H]1CC2", "........"},
		{"hydrogen counted twice", "C[C@H]([H])O", "..."},
		{"no center left", "C([C@]1[C@](C(NC(N(C1=O)C)=O)=O)CC)C", "..............."},
	} {
		m := parsed(t, c.text)
		got := windings(m)
		if len(got) != len(c.want) {
			t.Errorf("%s: %s", c.name, got)
			continue
		}
		assert.Equal(t, c.want, got, c.name)
	}
}
