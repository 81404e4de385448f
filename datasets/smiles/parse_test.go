package smiles

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// parsed is Parse for text that must be a molecule.
func parsed(t testing.TB, s string) *Molecule {
	t.Helper()
	m, err := Parse(s)
	require.NoError(t, err, s)
	return m
}

func TestSyntaxErrors(t *testing.T) {
	for _, c := range []struct {
		text   string
		offset int
		reason string
	}{
		{"", 0, "empty"},
		{"C()", 2, "begin with an atom"},
		{"C(.C)", 2, "begin with an atom"},
		{"C((C))", 2, "begin with an atom"},
		{"C(1CC1)", 2, "begin with an atom"},
		{"C.", 2, "missing at the end"},
		{"C=", 2, "missing at the end"},
		{"C(", 2, "missing at the end"},
		{".C", 0, "an atom must stand here"},
		{"-C", 0, "an atom must stand here"},
		{"C.=C", 2, "an atom must stand here"},
		{"C=(O)C", 2, "must follow the bond"},
		{"C=-C", 2, "must follow the bond"},
		{"C==C", 2, "must follow the bond"},
		{"C=)C", 2, "must follow the bond"},
		{"C)", 1, "no branch is open"},
		{"C(C", 3, "not closed"},
		{"C1CC", 1, "ring is not closed"},
		{"C11", 2, "to itself"},
		{"C1C1", 3, "bonded already"},
		{"C12CC12", 6, "bonded already"},
		{"C%1CC%1", 1, "ring closure is"},
		{"C%(1CC", 1, "ring closure is"},
		{"C%()C", 1, "ring closure is"},
		{"C%(100000)CC%(100000)", 1, "ring closure is"},
		{"C%01CC1", 1, "ring closure is"},
		{" \t\r\n", 0, "empty"},
		{" C name", 0, "before a SMILES with a name"},
		{"C(C name", 3, "not closed"},
		{" C)", 2, "no branch is open"},
		{"CC  |^1:0|", 4, "CXSMILES"},
		{"C~", 2, "missing at the end"},
		{"C~=C", 2, "must follow the bond"},
		{"C<C", 1, "followed by '-'"},
		{"CJ", 1, `"J" is not a symbol`},
		{"C\u2013C", 1, `"–" is not a symbol`},
		{"C\xff", 1, `"\xff" is not a symbol`},
		{"C[", 2, "symbol of an element"},
		{"C[]", 2, "symbol of an element"},
		{"[12]", 3, "symbol of an element"},
		{"[Xx]", 1, "symbol of an element"},
		{"[#119]C", 5, "symbol of an element"},
		{"[#]", 2, "symbol of an element"},
		{"[#06]", 3, "']'"},
		{"['C']", 1, "symbol of an element"},
		{"['Xx']", 1, "symbol of an element"},
		{"['Rf]", 1, "symbol of an element"},
		{"[Uux]", 2, "']'"},
		{"[013C]", 2, "symbol of an element"},
		{"[65536C]", 0, "isotope"},
		{"[CH03]", 4, "']'"},
		{"[C+01]", 4, "']'"},
		{"[H@]", 2, "winding"},
		{"[2H@@H]", 3, "winding"},
		{"[C", 2, "']'"},
		{"[C+-]", 3, "']'"},
		{"[C@@@H]", 4, "']'"},
		{"[Pt@SP4]", 6, "@SP have the numbers 1 to 3"},
		{"[C@TB21]", 5, "@TB have the numbers 1 to 20"},
		{"[C@TH3]", 5, "@TH have the numbers 1 to 2"},
		{"[C@OH31]", 5, "@OH have the numbers 1 to 30"},
		{"[C@AL0]", 5, "@AL have the numbers 1 to 2"},
		{"[C@@TH1]", 4, "']'"},
		{"[C@XY1]", 3, "']'"},
		{"[CH256]", 0, "hydrogens"},
		{"[C+128]", 2, "charge"},
		{"[C:]", 0, "atom map"},
		{"[C:1000000000]", 0, "atom map"},
		{"[C:01]", 4, "']'"},
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

// A parser that has seen an error reads on as if it had not.
func TestParserAfterErrors(t *testing.T) {
	var p parser
	want := line(0, parsed(t, "C1CC1C(=O)[C@H](N)C"), nil)
	for _, bad := range []string{"C1CC", "C1C2C3", "C(C", "C[N](C)(C)C", "c1cccc1", "[", ""} {
		require.Error(t, p.parse(bad))
		require.NoError(t, p.parse("C1CC1C(=O)[C@H](N)C"))
		assert.Equal(t, want, line(0, &p.Molecule, nil), bad)
	}
}

// The embedded table has every element, and a broken table is noticed.
func TestElements(t *testing.T) {
	for z, e := range elements {
		assert.NotEmpty(t, e.symbol)
		assert.NotEmpty(t, e.allowed)
		assert.Equal(t, uint8(z), symbols[e.symbol].Number, e.symbol)
	}
	assert.Equal(t, []int8{2, 4, 6}, elements[16].allowed)
	assert.Panics(t, func() { readElements("x\tX\t1\t1\t1\t1\n") })
}
