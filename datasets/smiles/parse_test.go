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
		var syntax *Error
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

// Chain bonds come in the order of the text, ring closures after them by ascending number.
func TestBondOrder(t *testing.T) {
	m := parsed(t, "C2CC1CC2CC1")
	var ends [][2]int32
	for _, b := range m.Bonds {
		ends = append(ends, [2]int32{b.Begin, b.End})
	}
	want := [][2]int32{{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 6}, {6, 2}, {4, 0}}
	assert.Equal(t, want, ends)
}

// The symbol of a closure may stand at either digit; the bond begins where it stands.
func TestClosureSymbol(t *testing.T) {
	for text, want := range map[string]Bond{
		"C=1CC1":              {Begin: 0, End: 2, Type: Double},
		"C1CC=1":              {Begin: 2, End: 0, Type: Double},
		"C%12CC%12":           {Begin: 2, End: 0, Type: Single},
		"C%(12)CC%12":         {Begin: 2, End: 0, Type: Single},
		"C0CC0":               {Begin: 2, End: 0, Type: Single},
		"N->1CC[Fe]1":         {Begin: 0, End: 3, Type: Dative},
		"N1CC[Fe]<-1":         {Begin: 0, End: 3, Type: Dative},
		"[Fe]1CCN->1":         {Begin: 3, End: 0, Type: Dative},
		"[Fe]<-1CCN1":         {Begin: 3, End: 0, Type: Dative},
		"C$1CC1":              {Begin: 0, End: 2, Type: Quadruple},
		"[Fe]#1[Fe][U]1":      {Begin: 0, End: 2, Type: Triple},
		"C~1CC=1":             {Begin: 0, End: 2, Type: Single}, // as in RDKit
		"C1CC~1":              {Begin: 2, End: 0, Type: Single},
		"C=1CC~1":             {Begin: 0, End: 2, Type: Double},
		"C%(99999)CC%(99999)": {Begin: 2, End: 0, Type: Single},
		"C%(7)CC7":            {Begin: 2, End: 0, Type: Single},
		"C1CC1~C name":        {Begin: 2, End: 0, Type: Single},
	} {
		var p parser
		p.read(text)
		got := p.Bonds[len(p.Bonds)-1]
		assert.Equal(t, want, got, text)
	}
}

func TestBrackets(t *testing.T) {
	for text, want := range map[string]Atom{
		"[13CH3-:7]": {Number: 6, Charge: -1, Isotope: 13, bracketH: 3, atomMap: 8},
		"[Fe++]":     {Number: 26, Charge: 2},
		"[O--]":      {Number: 8, Charge: -2},
		"[Fe+3]":     {Number: 26, Charge: 3},
		"[se]":       {Number: 34, lowercase: true},
		"[nH]":       {Number: 7, bracketH: 1, lowercase: true},
		"[Sc]":       {Number: 21},
		"[Og]":       {Number: 118},
		"[*]":        {},
		"[HH]":       {Number: 1, bracketH: 1},
		"[C@@H]":     {Number: 6, bracketH: 1, chirality: clockwise},
		"[C@TH2]":    {Number: 6, chirality: clockwise},
		"[C@TH1]":    {Number: 6, chirality: counterclockwise},
		"[C@TH]":     {Number: 6, chirality: counterclockwise},
		"[P@TB17H2]": {Number: 15, bracketH: 2, chirality: trigonalBipyramidal},
		"[Co@OHH]":   {Number: 27, bracketH: 1, chirality: octahedral},
		"[Pt@SP3+2]": {Number: 78, Charge: 2, chirality: squarePlanar},
		"[C@AL2]":    {Number: 6, chirality: allene},
		"[12#7@H-]":  {Number: 7, Charge: -1, Isotope: 12, bracketH: 1, chirality: counterclockwise},
		"[#0]":       {},
		"[#118]":     {Number: 118},
		"[Uuo]":      {Number: 118},
		"[Uun]":      {Number: 110},
		"['Rf']":     {Number: 104},
		"[0C]":       {Number: 6},
		"[CH0:0]":    {Number: 6, atomMap: 1},
	} {
		var p parser
		p.read(text)
		want.bracket, want.leads = true, true
		assert.Equal(t, want, p.Atoms[0], text)
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
