package smiles

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestRefusals(t *testing.T) {
	for _, c := range []struct{ text, step, reason string }{
		{"CN(C)(C)C", "valence", "atom 1 "},
		{"CF(C)", "valence", "atom 1 "},
		{"C[Al](C)(C)(C)C", "valence", "atom 1 "},
		{"[CH3-2]", "valence", "atom 0 "},
		{"cn(=C)(=C)c", "valence", "atom 1 "},
		{"c1cccc1", "kekule", "atom 0 "},
		{"cc", "kekule", "atom 0 "},
		{"C1CC[cH-](C)OC1", "valence", "atom 3 "},
		{"c1ccc1C.c1cccc1", "kekule", "atom 5 "},
		{"[U-7]", "features", "atom 0 "},
		{"[Fe+7]", "features", "atom 0 "},
		{"[PbH9]", "valence", "atom 0 "},
		{"[UH9]", "features", "atom 0 "},
		{"[UH8](C)(C)C", "features", "atom 0 "},
		{"C[Na+]C", "features", "atom 1 "},
	} {
		_, err := Parse(c.text)
		var refusal *Error
		if assert.ErrorAs(t, err, &refusal, c.text) {
			assert.Equal(t, c.step, refusal.Step, c.text)
			assert.Contains(t, refusal.Reason, c.reason, c.text)
			assert.Contains(t, err.Error(), "smiles: "+c.step+": ")
		}
	}
}

// A nitrogen or carbon above its valence gives its bond to a metal.
func TestDativeBonds(t *testing.T) {
	for text, want := range map[string][]BondType{
		"C[N](C)(C)[Zn]": {Single, Single, Single, Dative},
		"[Fe]N(C)(C)C":   {Dative, Single, Single, Single},
		"CN(C)[Fe]":      {Single, Single, Single},
		"Cl[Na]":         {Single},
	} {
		m := parsed(t, text)
		var got []BondType
		for _, b := range m.Bonds {
			if b.Type == Dative {
				assert.True(t, elements[m.Atoms[b.End].Number].metal, text)
			}
			if b.Type != Aromatic {
				got = append(got, b.Type)
			}
		}
		assert.Equal(t, want, got, text)
	}
	// A carbon with two metals gives one bond, to the metal with fewer.
	m := parsed(t, "CC(C)(C)([Li])[Fe]")
	assert.Equal(t, Dative, m.Bonds[4].Type)
	assert.Equal(t, Single, m.Bonds[3].Type)
	// Ferrocene with all ten carbons on the iron: each has four bonds or three and a charge, so none
	// of them is dative, and no ring is aromatic.
	m = parsed(t, "C12=C3[C-]4C5=C1[Fe+2]23541678C2=C1[C-]6C7=C28")
	assert.Equal(t, [9]int8{26, 0, 10, 7, 0, 0, 0, 0, 1}, m.AtomFeatures(5))
	for _, b := range m.Bonds {
		assert.Contains(t, []BondType{Single, Double}, b.Type)
	}
}

// aromaticAtoms draws which atoms are aromatic.
func aromaticAtoms(m *Molecule) string {
	var s strings.Builder
	for _, a := range m.Atoms {
		if a.Aromatic {
			s.WriteByte('a')
		} else {
			s.WriteByte('.')
		}
	}
	return s.String()
}

func TestAromaticity(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"benzene", "C1=CC=CC=C1", "aaaaaa"},
		{"cyclobutadiene", "C1=CC=C1", "...."},
		{"cyclooctatetraene", "c1ccccccc1", "........"},
		{"pyrrole", "C1=CNC=C1", "aaaaa"},
		{"furan", "C1=COC=C1", "aaaaa"},
		{"pyridine", "C1=CC=NC=C1", "aaaaaa"},
		{"cyclopentadiene", "C1=CCC=C1", "....."},
		{"cyclopentadienyl anion", "C1=C[CH-]C=C1", "aaaaa"},
		{"cyclopentadienyl cation", "C1=C[CH+]C=C1", "....."},
		{"tropylium", "C1=CC=C[CH+]C=C1", "aaaaaaa"},
		{"cyclopropenyl cation", "C1=C[CH+]1", "aaa"},
		{"tropone", "O=C1C=CC=CC=C1", ".aaaaaaa"},
		{"fulvene", "C=C1C=CC=C1", "......"},
		{"azulene", "C1=CC=C2C=CC=C2C=C1", "aaaaaaaaaa"},
		{"naphthalene", "C1=CC=C2C=CC=CC2=C1", "aaaaaaaaaa"},
		{"pentalene", "C1=CC2=CC=CC2=C1", "........"},
		{"biphenylene", "c1ccc2c(c1)c1ccccc12", "aaaaaaaaaaaa"},
		{"caffeine", "CN1C=NC2=C1C(=O)N(C)C(=O)N2C", ".aaaaaa.a.a.a."},
		{"quinone", "O=C1C=CC(=O)C=C1", "........"},
		{"nitrobenzene", "[O-][N+](=O)C1=CC=CC=C1", "...aaaaaa"},
		{"borazole", "B1NBNBN1", "......"},
		{"borole", "B1C=CC=C1", "....."},
		{"phosphole", "P1C=CC=C1", "aaaaa"},
		{"thiophene dioxide", "O=S1(=O)C=CC=C1", "......."},
		{"selenophene", "[Se]1C=CC=C1", "aaaaa"},
		{"arsole", "[AsH]1C=CC=C1", "....."},
		{"cyclic allene", "C1=C=NC=N1", "....."},
		{"benzyne", "C1=CC#CC=C1", "aaaaaa"},
		{"radical", "[C]1=CC=CC=C1", "aaaaaa"},
		{"nitrogen radical", "[N]1C=CC=C1", "....."},
		{"pyridone", "O=C1C=CC=CN1", ".aaaaaa"},
		{"acepentalene", "C1=CC2=CC=C3C2=C1C=C3", ".........."},
	} {
		assert.Equal(t, c.want, aromaticAtoms(parsed(t, c.text)), c.name)
	}
}

// Aromatic and Kekulé spellings of a molecule have the same features, whatever the choice of
// double bonds.
func TestKekuleSpellings(t *testing.T) {
	for _, same := range [][]string{
		{"c1ccccc1", "C1=CC=CC=C1", "C1C=CC=CC=1", "C1:C:C:C:C:C1"},
		{"c1ccc2ccccc2c1", "C1=CC=C2C=CC=CC2=C1", "C1C=CC2=CC=CC=C2C=1"},
		{"c1ccccc1-c1ccccc1", "c1ccccc1c1ccccc1"},
		{"O=c1cc[nH]cc1", "O=C1C=CNC=C1"},
		{"c1ccc2c(c1)[nH]c1ccccc12", "C1=CC=C2C(=C1)NC1=CC=CC=C12"},
		{"c1c[n-]cn1", "C1=C[N-]C=N1"},
		{"c1cc[o+]cc1", "C1=CC=[O+]C=C1"},
		{"c1cc2ccc1CC2", "C1=CC2=CC=C1CC2"},
	} {
		want := parsed(t, same[0])
		for _, text := range same[1:] {
			m := parsed(t, text)
			for i := range want.Atoms {
				assert.Equal(t, want.AtomFeatures(i), m.AtomFeatures(i), "%s atom %d", text, i)
			}
			for i := range want.Bonds {
				assert.Equal(t, bondFeatures(&want.Bonds[i]), bondFeatures(&m.Bonds[i]), "%s %d", text, i)
			}
		}
	}
}

// Coronene: pairing atoms from the rim inwards can leave one of the inner atoms alone.
func TestCoronene(t *testing.T) {
	m := parsed(t, "c1cc2ccc3ccc4ccc5ccc6ccc1c1c2c3c4c5c61")
	assert.Equal(t, strings.Repeat("a", 24), aromaticAtoms(m))
}

// cycleSizes returns the sizes of all relevant cycles, block by block.
func cycleSizes(t *testing.T, text string) []int {
	var p parser
	require.NoError(t, p.parse(text))
	sizes := []int{}
	for i := range p.blocks {
		b := &p.blocks[i]
		p.perceive(b)
		for _, c := range b.cycles {
			require.Len(t, c.atoms, len(c.bonds))
			for _, a := range c.atoms {
				on := 0
				for _, i := range c.bonds {
					if b := p.Bonds[i]; b.Begin == a || b.End == a {
						on++
					}
				}
				require.Equal(t, 2, on, "a cycle passes each atom once")
			}
			sizes = append(sizes, len(c.bonds))
		}
	}
	return sizes
}

// The numbers of relevant cycles follow from the shapes: a polyhedron whose shortest cycles are its
// faces has all of them, one more than a basis.
func TestRelevantCycles(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []int
	}{
		{"chain", "CCC(C)C", []int{}},
		{"cyclopropane", "C1CC1", []int{3}},
		{"spiropentane", "C1CC12CC2", []int{3, 3}},
		{"naphthalene", "c1ccc2ccccc2c1", []int{6, 6}},
		{"norbornane", "C1CC2CCC1C2", []int{5, 5}},
		{"bicyclooctane", "C1CC2CCC1CC2", []int{6, 6, 6}},
		{"adamantane", "C1C2CC3CC1CC(C2)C3", []int{6, 6, 6, 6}},
		{"tetrahedrane", "C12C3C1C23", []int{3, 3, 3, 3}},
		{"prismane", "C12C3C1C1C3C21", []int{3, 3, 4, 4, 4}},
		{"cubane", "C12C3C4C1C5C2C3C45", []int{4, 4, 4, 4, 4, 4}},
		{"propellane", "C12CC1C2", []int{3, 3}},
		{"dative ring", "N1(C)(C)CC[Fe]1", []int{}},
		{"paracyclophane", "C1CCCCc2ccc1cc2", []int{6, 9, 9}},
	} {
		assert.ElementsMatch(t, c.want, cycleSizes(t, c.text), c.name)
	}
}

// Two squares joined at opposite corners by chains: the large cycle can pass each square on either
// side, which makes a family of four cycles.
func TestCycleFamily(t *testing.T) {
	sizes := cycleSizes(t, "C1CC2CC(C2)CCC2CC(C2)C1")
	assert.ElementsMatch(t, []int{4, 4, 11, 11, 11, 11}, sizes)
}
