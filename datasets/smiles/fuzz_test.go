package smiles

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzParse checks on any text that an error names its step, that features are in their
// lists, that a used parser reads as a new one does, and that two copies of a molecule side by side
// have the features of one.
func FuzzParse(f *testing.F) {
	for i, r := range records(f, "collections.tsv.gz") {
		if i%2 == 0 {
			f.Add(r[1])
		}
	}
	for _, r := range records(f, "variants.tsv.gz") {
		f.Add(r[0])
	}
	var used parser
	f.Fuzz(func(t *testing.T, s string) {
		m, err := Parse(s)
		want := line(0, m, err)
		err2 := used.parse(s)
		require.Equal(t, want, line(0, &used.Molecule, err2))
		if err != nil {
			var refused *refusal
			require.ErrorAs(t, err, &refused)
			require.NotEmpty(t, refused.Step)
			return
		}
		checkMolecule(t, m)
		if strings.ContainsAny(s, "@/\\ \t\n\v\f\r") || len(s) > 2_000 {
			return // labels of one copy can lead to another round of ranking for both
		}
		twice, err := Parse(s + "." + s)
		if err != nil {
			var refused *refusal
			require.ErrorAs(t, err, &refused)
			require.Contains(t, refused.Reason, "too long")
			return
		}
		n := len(m.Atoms)
		require.Len(t, twice.Atoms, 2*n)
		require.Len(t, twice.Bonds, 2*len(m.Bonds))
		for i := range m.Atoms {
			require.Equal(t, m.AtomFeatures(i), twice.AtomFeatures(i))
			require.Equal(t, m.AtomFeatures(i), twice.AtomFeatures(n+i))
		}
	})
}

// checkMolecule requires what holds for every molecule.
func checkMolecule(t *testing.T, m *Molecule) {
	lists := [9]int8{118, 8, 10, 11, 8, 4, 6, 1, 1}
	degree := make([]int8, len(m.Atoms))
	ring := make([]bool, len(m.Atoms))
	aromaticRing := make([]bool, len(m.Atoms))
	for _, b := range m.Bonds {
		require.NotEqual(t, b.Begin, b.End)
		for _, a := range [2]int32{b.Begin, b.End} {
			degree[a]++
			ring[a] = ring[a] || b.InRing
			aromaticRing[a] = aromaticRing[a] || b.aromatic
		}
		require.False(t, b.aromatic && !b.InRing)
		require.False(t, b.aromatic && !b.conjugated)
		require.False(t, b.stereo != noStereo && b.Type != Double)
	}
	for i, a := range m.Atoms {
		features := m.AtomFeatures(i)
		for k, v := range features {
			require.GreaterOrEqual(t, v, int8(0))
			require.LessOrEqual(t, v, lists[k])
		}
		require.Equal(t, degree[i], features[2]-features[4])
		require.Equal(t, ring[i], a.InRing)
		require.Equal(t, aromaticRing[i], a.Aromatic)
		require.False(t, a.chirality.winds() && a.Hybridization != sp3)
	}
}
