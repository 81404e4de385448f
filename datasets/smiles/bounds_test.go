package smiles

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// written returns a SMILES of the graph on atoms 0 to n-1 with the given bonds, a chain 0-1-2-...
// being there already.
func written(atom string, n int, bonds [][2]int) string {
	atoms := slices.Repeat([]string{atom}, n)
	for number, b := range bonds {
		for _, i := range b {
			atoms[i] += fmt.Sprintf("%%(%d)", number)
		}
	}
	return strings.Join(atoms, "")
}

// grid returns the bonds that make a snake of rows×columns atoms a square grid.
func grid(rows, columns int) [][2]int {
	var bonds [][2]int
	for r := range rows - 1 {
		for c := range columns - 1 {
			// Odd rows run backwards: the atom below column c of row r.
			i := r*columns + c
			bonds = append(bonds, [2]int{i, (2*r+2)*columns - 1 - i%columns - r*columns})
		}
	}
	return bonds
}

// complete returns the bonds that make a chain of n atoms a complete graph.
func complete(n int) [][2]int {
	var bonds [][2]int
	for i := range n {
		for j := i + 2; j < n; j++ {
			bonds = append(bonds, [2]int{i, j})
		}
	}
	return bonds
}

// ribbon returns a polyacene, a strip of n aromatic rings: two rails and n+1 rungs.
func ribbon(n int) string {
	var bonds [][2]int
	last := 4*n + 1
	for i := 0; i < n; i++ {
		bonds = append(bonds, [2]int{2 * i, last - 2*i})
	}
	return written("c", 4*n+2, bonds)
}

// TestHardInput reads text that is large or has ring systems with very many cycles. All of it must
// end soon, in a molecule or an error; the time limit of the test binary says whether it does.
func TestHardInput(t *testing.T) {
	random := func(atom string, n, extra int) string {
		r := rand.New(rand.NewPCG(1, 2))
		seen := map[[2]int]bool{}
		var bonds [][2]int
		for len(bonds) < extra {
			b := [2]int{r.IntN(n), r.IntN(n)}
			if b[1] > b[0]+1 && !seen[b] {
				seen[b] = true
				bonds = append(bonds, b)
			}
		}
		return written(atom, n, bonds)
	}
	// Rings of four in a row, closed to a ring: each can be passed on either side.
	necklace := "[Fe]1" + strings.Repeat("[Fe]2[Fe][Fe]([Fe]2)", 24) + "[Fe]1"
	var bipartite [][2]int
	for i := 2; i < 900; i++ {
		bipartite = append(bipartite, [2]int{0, i})
	}
	for _, c := range []struct{ name, text string }{
		{"chain", strings.Repeat("C", maxAtoms)},
		{"large ring", "C1" + strings.Repeat("C", maxAtoms-2) + "C1"},
		{"deep branches", strings.Repeat("C(", 9_000) + "C" + strings.Repeat(")", 9_000)},
		{"open branches", strings.Repeat("C(", 1_000_000)},
		{"fragments", strings.Repeat("C.", maxAtoms-1) + "C"},
		{"iron grid", written("[Fe]", 9_900, grid(99, 100))},
		{"wild grid", written("*", 900, grid(30, 30))},
		{"large wild grid", written("*", 9_900, grid(99, 100))},
		{"large wild complete graph", written("*", 60, complete(60))},
		{"wild bipartite graph", written("*", 900, bipartite)},
		{"wild dense random graph", random("*", 200, 600)},
		{"wildcards and aromatic atoms", written("c*", 40, grid(6, 6))},
		{"random aromatic bracket graph", random("[c]", 400, 150)},
		{"windings", strings.Repeat("[C@H](F)", 4_000) + "C"},
		{"double bonds", strings.Repeat("C/C=C/", 3_000) + "C"},
		{"arsenic", random("[As@]", 400, 150)},
		{"necklace", necklace},
		{"aromatic necklace", strings.ReplaceAll(necklace, "[Fe]", "[c]")},
		{"ribbon", ribbon(900)},
		{"windings on one atom", "[Fe@](" + strings.Repeat("C)(", 300_000) + "C)"},
		{"double bonds in rings", strings.Repeat("C1/C=C/C1", 60_000)},
		{"nitrogens on a metal", "[Fe](" + strings.Repeat("N(C)(C)C)(", 60_000) + "C)"},
		{"hydrogens on one atom", "[U](" + strings.Repeat("[H])(", 200_000) + "C)"},
		{"any bonds", "C" + strings.Repeat("~C", 200_000)},
	} {
		t.Run(c.name, func(t *testing.T) {
			if strings.HasPrefix(c.name, "large") && os.Getenv("NKF_LONG") == "" {
				t.Skip("a smaller one is read")
			}
			m, err := Parse(c.text)
			if err != nil {
				var refused *refusal
				require.ErrorAs(t, err, &refused)
				t.Log(err)
				return
			}
			assert.LessOrEqual(t, len(m.Atoms), maxAtoms)
		})
	}
}

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
