package smiles

import (
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
