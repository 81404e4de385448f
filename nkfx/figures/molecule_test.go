package figures

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets/moleculenet"
	"github.com/neuralkforms/nkf/datasets/smiles"
)

// drawn returns the formula of a SMILES.
func drawn(t *testing.T, text string) *Molecule {
	t.Helper()
	parsed, err := smiles.Parse(text)
	require.NoError(t, err, text)
	m, err := NewMolecule(parsed)
	require.NoError(t, err, text)
	return m
}

// length returns that of a bond.
func (m *Molecule) length(b smiles.Bond) float64 {
	return math.Hypot(m.At[2*b.Begin]-m.At[2*b.End], m.At[2*b.Begin+1]-m.At[2*b.End+1])
}

// crossed returns the number of bonds that cross.
func crossed(m *Molecule) int {
	var z []complex128
	for a := range m.Formula.Atoms {
		z = append(z, m.at(int32(a)))
	}
	return (&layout{bonds: m.Formula.Bonds}).crossings(z)
}

// TestFormulas: in the formulas of drugs bonds are about as long as each other, no two atoms are in the same
// place, and hardly a bond crosses another.
func TestFormulas(t *testing.T) {
	molecules, err := moleculenet.Open("../../datasets/moleculenet/testdata/excerpt.csv",
		moleculenet.Columns{SMILES: "smiles"})
	require.NoError(t, err)
	crossings, bonds, strained := 0, 0, 0
	for _, text := range molecules.SMILES {
		m := drawn(t, text)
		for _, b := range m.Formula.Bonds {
			bonds++
			if d := m.length(b); d < 0.8 || d > 1.25 {
				strained++ // bridges and crowds stretch some
			}
		}
		for a := range len(m.At) / 2 {
			for b := range a {
				d := math.Hypot(m.At[2*a]-m.At[2*b], m.At[2*a+1]-m.At[2*b+1])
				require.Greater(t, d, 0.2, text)
			}
		}
		crossings += crossed(m)
	}
	require.Less(t, strained, bonds/20)
	require.Less(t, crossings, len(molecules.SMILES)/4)
}

// TestRegularRings: rings, alone and fused, are regular polygons with sides of 1; 1e-2 is what a layout ends
// with when no atom moves by more than 1e-4 in a round.
func TestRegularRings(t *testing.T) {
	for _, text := range []string{"C1CC1", "C1CCC1", "c1ccccc1", "c1ccc2ccccc2c1", "C1CCCCCCC1", "c1ccsc1"} {
		m := drawn(t, text)
		for _, b := range m.Formula.Bonds {
			require.InDelta(t, 1, m.length(b), 1e-2, text)
		}
		for _, ring := range m.rings {
			a, b := 2*ring[0], 2*ring[2]
			want := 2 * math.Sin(inner(len(ring))/2)
			require.InDelta(t, want, math.Hypot(m.At[a]-m.At[b], m.At[a+1]-m.At[b+1]), 1e-2, text)
		}
	}
	naphthalene := drawn(t, "c1ccc2ccccc2c1")
	require.Len(t, naphthalene.rings, 2)
	require.Len(t, drawn(t, "C12C3C4C1C5C2C3C45").rings, 6, "faces of cubane")
}

// TestSymbols: what is written of atoms.
func TestSymbols(t *testing.T) {
	for text, want := range map[string]string{
		"C": "C|H₄|", "CO": ";O|H|", "[NH4+]": "N|H₄|+", "[Fe+2]": "Fe||2+", "C[S-]": ";S||−",
		"[13CH4]": "13C|H₄|", "[2H]O": "2H||;O|H|", "[O-2]": "O||2−", "CN": ";N|H₂|",
	} {
		m := drawn(t, text)
		var atoms []string
		for a, atom := range m.Formula.Atoms {
			symbol := ""
			if isotope, hydrogens, charge := m.marks(int32(a)); m.written(int32(a)) {
				symbol = strings.Join([]string{isotope + atom.Symbol(), hydrogens, charge}, "|")
			}
			atoms = append(atoms, symbol)
		}
		require.Equal(t, want, strings.Join(atoms, ";"), text)
	}
	// Hydrogens are where there is room.
	m := drawn(t, "CNC")
	for _, c := range []struct {
		at   []float64 // carbon, nitrogen and carbon of dimethylamine
		want complex128
	}{
		{[]float64{-1, 0, 0, 0, -0.5, 0.8}, 1},
		{[]float64{1, 0, 0, 0, 0.5, -0.8}, -1},
		{[]float64{-0.8, -0.5, 0, 0, 0.8, -0.5}, 1i},
		{[]float64{-0.8, 0.5, 0, 0, 0.8, 0.5}, -1i},
	} {
		m.At = c.at
		require.Equal(t, c.want, m.room(1))
	}
}
