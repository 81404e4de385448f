package smiles

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestSyntaxErrors(t *testing.T) {
	for _, c := range []struct {
		text   string
		offset int
		reason string
	}{
		{"", 0, "empty"},
		{"C()", 2, "begin with an atom"},
		{"C(1CC1)", 2, "begin with an atom"},
		{"C.", 2, "missing at the end"},
		{"C(", 2, "missing at the end"},
		{".C", 0, "an atom must stand here"},
		{"C.=C", 2, "an atom must stand here"},
		{"C=(O)C", 2, "must follow the bond"},
		{"C==C", 2, "must follow the bond"},
		{"C)", 1, "no branch is open"},
		{"C(C", 3, "not closed"},
		{"C1CC", 1, "ring is not closed"},
		{"C11", 2, "to itself"},
		{"C1C1", 3, "bonded already"},
		{"C%1CC%1", 1, "ring closure is"},
		{"C%(1CC", 1, "ring closure is"},
		{"C%()C", 1, "ring closure is"},
		{" \t\r\n", 0, "empty"},
		{" C name", 0, "before a SMILES with a name"},
		{"C(C name", 3, "not closed"},
		{" C)", 2, "no branch is open"},
		{"CC  |^1:0|", 4, "CXSMILES"},
		{"C<C", 1, "followed by '-'"},
		{"CJ", 1, `"J" is not a symbol`},
		{"C\u2013C", 1, `"–" is not a symbol`},
		{"C\xff", 1, `"\xff" is not a symbol`},
		{"C[", 2, "symbol of an element"},
		{"C[]", 2, "symbol of an element"},
		{"[12]", 3, "symbol of an element"},
		{"[Xx]", 1, "symbol of an element"},
		{"[#119]C", 5, "symbol of an element"},
		{"['Rf]", 1, "symbol of an element"},
		{"[Uux]", 2, "']'"},
		{"[65536C]", 0, "isotope"},
		{"[2H@@H]", 3, "winding"},
		{"[C", 2, "']'"},
		{"[C+-]", 3, "']'"},
		{"[C@@@H]", 4, "']'"},
		{"[Pt@SP4]", 6, "@SP have the numbers 1 to 3"},
		{"[C@TB21]", 5, "@TB have the numbers 1 to 20"},
		{"[C@OH31]", 5, "@OH have the numbers 1 to 30"},
		{"[C@@TH1]", 4, "']'"},
		{"[C@XY1]", 3, "']'"},
		{"[CH256]", 0, "hydrogens"},
		{"[C+128]", 2, "charge"},
		{"[C:]", 0, "atom map"},
		{"[C:1000000000]", 0, "atom map"},
		{strings.Repeat("C", maxAtoms+1), maxAtoms + 1, "more than 1000000 atoms"},
		{strings.Repeat("C0123456789", 200_001), 2_200_001, "more than 1000000 ring closures"},
	} {
		_, err := Parse(c.text)
		var syntax *refusal
		begin := c.text[:min(len(c.text), 40)]
		if assert.ErrorAs(t, err, &syntax, begin) {
			assert.Equal(t, "syntax", syntax.Step, begin)
			assert.Contains(t, syntax.Reason, fmt.Sprintf("character %d: ", c.offset+1), begin)
			assert.Contains(t, syntax.Reason, c.reason, begin)
		}
	}
}

// The embedded table has every element.
func TestElements(t *testing.T) {
	for z, e := range elements {
		assert.NotEmpty(t, e.symbol)
		assert.NotEmpty(t, e.allowed)
		assert.Equal(t, uint8(z), symbols[e.symbol].Number, e.symbol)
	}
	assert.Equal(t, []int8{2, 4, 6}, elements[16].allowed)
}

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
		var refused *refusal
		if assert.ErrorAs(t, err, &refused, c.text) {
			assert.Equal(t, c.step, refused.Step, c.text)
			assert.Contains(t, refused.Reason, c.reason, c.text)
			assert.Contains(t, err.Error(), "smiles: "+c.step+": ")
		}
	}
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
