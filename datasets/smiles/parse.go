package smiles

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

// text is the state of reading a SMILES from left to right.
type text struct {
	s        string
	pos      int
	prev     int32   // atom that the next bond begins at, -1 at the start of a fragment
	branches []int32 // atoms to return to at ')'
	bond     bondMark
	closures []closure
	open     []int32 // closure (index plus one) of each number that waits for its second digit
}

// A bondMark is the bond symbol that stands before an atom or ring digit.
type bondMark struct {
	kind BondType // UnspecifiedBond if there is none, or for / and \
	dir  direction
}

// The kinds of bonds that only the text knows.
const (
	dativeLeft BondType = 18 // <-, from the later atom to the earlier one
	anyBond    BondType = 19 // ~, of no kind; the default one at a ring digit, as in RDKit
)

// bondMarks are the symbols of bonds. The marks of -> and <- begin with those of - and <.
var bondMarks = [256]bondMark{
	'-': {kind: Single}, '=': {kind: Double}, '#': {kind: Triple}, '$': {kind: Quadruple},
	':': {kind: Aromatic}, '<': {kind: dativeLeft}, '~': {kind: anyBond},
	'/': {dir: upward}, '\\': {dir: downward},
}

// A closure is a pair of equal ring digits.
type closure struct {
	number int
	atom   [2]int32 // where the first and the second digit stand
	mark   [2]bondMark
	offset [2]int // in the text, which orders the digits of an atom
}

// closureDigits is the largest number of digits of a ring closure, as in %(99999).
const closureDigits = 5

// read parses the text to atoms and bonds, nothing perceived.
func (p *parser) read(s string) {
	begin, end := trim(s)
	p.Atoms, p.Bonds = p.Atoms[:0], p.Bonds[:0]
	p.text = text{
		s: s[:end], pos: begin, prev: -1,
		branches: p.branches[:0], closures: p.closures[:0], open: p.open,
	}
	clear(p.open)
	p.readText()
	p.close()
}

// trim returns where in the text the SMILES begins and ends: white space around it and a name after
// it are no part of it. As in RDKit a name asks for no white space before the SMILES, and a name that
// begins with | would be an extension (CXSMILES), which can change the molecule.
func trim(s string) (begin, end int) {
	const white = " \t\n\v\f\r"
	begin = len(s) - len(strings.TrimLeft(s, white))
	s = strings.TrimRight(s, white)
	if begin >= len(s) {
		syntax(0, "the SMILES is empty")
	}
	k := strings.IndexAny(s[begin:], " \t\n")
	if k < 0 {
		return begin, len(s)
	}
	end = begin + k
	switch name := strings.TrimLeft(s[end:], white); {
	case begin > 0:
		syntax(0, "white space stands before a SMILES with a name")
	case name[0] == '|':
		syntax(len(s)-len(name), "extensions of SMILES (CXSMILES, |...|) are not supported")
	}
	return begin, end
}

// readText reads all symbols. A branch must begin with a bond or an atom, and nothing but an atom
// may follow a dot.
func (p *parser) readText() {
	fragment := true // an atom must come, without a bond to it
	branch := false  // a branch has just been opened
	for p.pos < len(p.s) {
		c := p.s[p.pos]
		atom, digit := strings.IndexByte("[*BCNOPSFIbcnops", c) >= 0, strings.IndexByte("0123456789%", c) >= 0
		switch {
		case fragment && !atom:
			syntax(p.pos, "an atom must stand here")
		case atom:
			fragment, branch = false, false
			p.readAtom()
		case branch && (digit || strings.IndexByte("(.)", c) >= 0):
			syntax(p.pos, "a branch must begin with an atom")
		case digit:
			p.readClosure()
		case p.bond != bondMark{}:
			syntax(p.pos, "an atom or ring digit must follow the bond")
		case c == '(' || c == ')':
			branch = c == '('
			p.readBranch()
		case c == '.':
			p.prev, fragment = -1, true
			p.pos++
		default:
			p.readBond()
		}
	}
	p.readEnd(fragment || branch)
}

// readEnd checks that nothing is open at the end, where an atom may have been expected.
func (p *parser) readEnd(expected bool) {
	if expected || p.bond != (bondMark{}) {
		syntax(len(p.s), "an atom is missing at the end")
	}
	if len(p.branches) > 0 {
		syntax(len(p.s), "a branch is not closed")
	}
}

// readBranch opens or closes a branch.
func (p *parser) readBranch() {
	last := len(p.branches) - 1
	switch {
	case p.s[p.pos] == '(':
		p.branches = append(p.branches, p.prev)
	case last < 0:
		syntax(p.pos, "no branch is open")
	default:
		p.prev, p.branches = p.branches[last], p.branches[:last]
	}
	p.pos++
}

// readBond reads a bond symbol.
func (p *parser) readBond() {
	begin := p.pos
	c := p.s[begin]
	p.bond = bondMarks[c]
	p.pos++
	switch {
	case p.bond == bondMark{}:
		_, size := utf8.DecodeRuneInString(p.s[begin:])
		syntax(begin, "%q is not a symbol of SMILES", p.s[begin:begin+size])
	case c == '-' && p.at('>'):
		p.bond.kind = Dative
	case c == '<' && !p.at('-'):
		syntax(begin, "'<' must be followed by '-'")
	case c == '\\':
		p.at('\\') // doubled where text was escaped twice
	}
}

// at consumes c if it stands next.
func (p *parser) at(c byte) bool {
	if p.pos < len(p.s) && p.s[p.pos] == c {
		p.pos++
		return true
	}
	return false
}

// number consumes decimal digits, at most width of them; ok is false if there are none.
func (p *parser) number(width int) (n int, ok bool) {
	begin := p.pos
	for p.pos < len(p.s) && p.pos < begin+width && p.s[p.pos] >= '0' && p.s[p.pos] <= '9' {
		n = 10*n + int(p.s[p.pos]-'0')
		p.pos++
	}
	return n, p.pos > begin
}

// readAtom reads an atom in brackets or of the organic subset.
func (p *parser) readAtom() {
	if p.s[p.pos] == '[' {
		p.readBracket()
		return
	}
	a := letters[p.s[p.pos]]
	p.pos++
	switch {
	case a.Number == 5 && !a.lowercase && p.at('r'):
		a.Number = 35
	case a.Number == 6 && !a.lowercase && p.at('l'):
		a.Number = 17
	}
	p.addAtom(a)
}

// addAtom appends an atom and the bond to the atom before it.
func (p *parser) addAtom(a Atom) {
	n := int32(len(p.Atoms))
	if n == maxAtoms {
		syntax(p.pos, "more than %d atoms", maxAtoms)
	}
	a.leads = p.prev < 0
	p.Atoms = append(p.Atoms, a)
	if !a.leads {
		p.addBond(p.prev, n, p.bond)
		if p.bond.kind == anyBond {
			p.Bonds[len(p.Bonds)-1].Type = UnspecifiedBond
			p.weightless = true
		}
		p.bond = bondMark{}
	}
	p.prev = n
}

// addBond appends a bond. Without a symbol it is aromatic between lower-case atoms, else single.
func (p *parser) addBond(begin, end int32, mark bondMark) {
	b, e := &p.Atoms[begin], &p.Atoms[end]
	switch mark.kind {
	case UnspecifiedBond, anyBond:
		mark.kind = Single
		if b.lowercase && e.lowercase {
			mark.kind = Aromatic
		}
	case dativeLeft:
		mark.kind = Dative
		begin, end = end, begin
	}
	p.weightless = p.weightless || mark.kind == Dative
	b.degree++
	e.degree++
	p.Bonds = append(p.Bonds, Bond{Begin: begin, End: end, Type: mark.kind, dir: mark.dir})
}

// closureNumber reads the number of a ring closure.
func (p *parser) closureNumber() int {
	offset := p.pos
	least, most := 1, 1
	parenthesis := false
	if p.at('%') {
		least, most = 2, 2
		if parenthesis = p.at('('); parenthesis {
			least, most = 1, closureDigits
		}
	}
	begin := p.pos
	n, _ := p.number(most)
	if digits := p.pos - begin; digits < least || least == 2 && n < 10 || parenthesis && !p.at(')') {
		syntax(offset, "a ring closure is a digit, %%nn from 10 or %%(n) up to 99999")
	}
	return n
}

// readClosure reads a ring digit, %nn or %(nnnnn).
func (p *parser) readClosure() {
	offset := p.pos
	n := p.closureNumber()
	if n >= len(p.open) {
		p.open = append(p.open, make([]int32, n+1-len(p.open))...)
	}
	mark := p.bond
	p.bond = bondMark{}
	a := &p.Atoms[p.prev]
	if int(p.prev) < len(p.Atoms)-1 {
		// RDKit counts a ring digit behind a branch at the wrong place.
		if d := a.degree; d == 1 || d == 2 && p.prev > 0 || d == 3 && p.prev == 0 {
			a.chirality = a.chirality.inverse()
		}
	}
	if k := p.open[n]; k > 0 {
		p.open[n] = 0
		c := &p.closures[k-1]
		if c.atom[0] == p.prev {
			syntax(offset, "the ring closure joins an atom to itself")
		}
		c.atom[1], c.mark[1], c.offset[1] = p.prev, mark, offset
		return
	}
	if len(p.closures) == maxAtoms {
		syntax(offset, "more than %d ring closures", maxAtoms)
	}
	p.closures = append(p.closures, closure{n, [2]int32{p.prev}, [2]bondMark{mark}, [2]int{offset}})
	p.open[n] = int32(len(p.closures))
}

// close adds the bonds of ring closures, by ascending number and then in the order of the text.
func (p *parser) close() {
	for _, k := range p.open {
		if k > 0 {
			syntax(p.closures[k-1].offset[0], "the ring is not closed")
		}
	}
	slices.SortStableFunc(p.closures, func(a, b closure) int { return cmp.Compare(a.number, b.number) })
	for _, c := range p.closures {
		// The bond begins at the second digit unless the first one carries an order.
		from := 1
		if c.mark[0].kind != UnspecifiedBond {
			from = 0
		}
		mark := c.mark[from]
		if mark.dir == noDirection {
			mark.dir = c.mark[1-from].dir
			if mark.kind != dativeLeft {
				mark.dir = -mark.dir // told from the other end
			}
		}
		p.addBond(c.atom[from], c.atom[1-from], mark)
	}
}

// rejectDoubledBonds refuses ring closures between atoms that are bonded already.
func (p *parser) rejectDoubledBonds() {
	if len(p.closures) == 0 {
		return
	}
	seen := p.ints.zeros(len(p.Atoms)) // the last atom, plus one, with this neighbor
	for a := range int32(len(p.Atoms)) {
		for _, arc := range p.around(a) {
			if k := int(arc.bond) - len(p.Bonds) + len(p.closures); seen[arc.atom] == a+1 && k >= 0 {
				syntax(p.closures[k].offset[1], "the ring closure joins atoms bonded already")
			}
			seen[arc.atom] = a + 1
		}
	}
}
