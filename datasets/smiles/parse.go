package smiles

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// text is the state of reading a SMILES from left to right.
type text struct {
	s            string
	pos          int
	prev         int32   // atom that the next bond begins at, -1 at the start of a fragment
	branches     []int32 // atoms to return to at ')'
	bond         bondMark
	closures     []closure
	digits       []digit // of closures, for windings
	open         []int32 // closure (index plus one) of each number that waits for its second digit
	hasChirality bool
	hasHydrogen  bool // an atom H is written
	hasDirection bool
	hasColon     bool // a bond is written aromatic
	hasDative    bool
	hasAny       bool // a bond ~ is written
}

// closureDigits is the largest number of digits of a ring closure, as in %(99999).
const closureDigits = 5

// A bondMark is the bond symbol that stands before an atom or ring digit.
type bondMark struct {
	kind BondType // UnspecifiedBond if there is none, or for / and \
	dir  direction
	seen bool
}

// The kinds of bonds that only the text knows.
const (
	dativeLeft BondType = 18 // <-, from the later atom to the earlier one
	anyBond    BondType = 19 // ~, of no kind; the default one at a ring digit, as in RDKit
)

// A closure is a pair of equal ring digits.
type closure struct {
	number        int32
	atom          [2]int32 // where the first and the second digit stand
	mark          [2]bondMark
	offset        [2]int32 // in the text, which orders the digits of an atom
	bond          int32
	secondPresent bool
}

// read parses the text to atoms and bonds, nothing perceived.
func (p *Parser) read(s string) error {
	begin, end, err := trim(s)
	if err != nil {
		return err
	}
	p.s, p.pos, p.prev = s[:end], begin, -1
	p.m.Atoms, p.m.Bonds = p.m.Atoms[:0], p.m.Bonds[:0]
	p.branches, p.closures = p.branches[:0], p.closures[:0]
	p.bond = bondMark{}
	p.hasChirality, p.hasHydrogen, p.hasDirection = false, false, false
	p.hasColon, p.hasDative, p.hasAny = false, false, false
	if err := p.readText(); err != nil {
		clear(p.open)
		return err
	}
	return p.close()
}

// trim returns where in the text the SMILES begins and ends: white space around it and a name after
// it are no part of it. As in RDKit a name asks for no white space before the SMILES, and a name that
// begins with | would be an extension (CXSMILES), which can change the molecule.
func trim(s string) (begin, end int, err error) {
	const white = " \t\n\v\f\r"
	begin = len(s) - len(strings.TrimLeft(s, white))
	s = strings.TrimRight(s, white)
	end = len(s)
	if begin >= end {
		return 0, 0, syntax(0, "the SMILES is empty")
	}
	k := strings.IndexAny(s[begin:], " \t\n")
	if k < 0 {
		return begin, end, nil
	}
	end = begin + k
	switch name := strings.TrimLeft(s[end:], white); {
	case begin > 0:
		return 0, 0, syntax(0, "white space stands before a SMILES with a name")
	case name[0] == '|':
		return 0, 0, syntax(len(s)-len(name), "extensions of SMILES (CXSMILES, |...|) are not supported")
	}
	return begin, end, nil
}

// syntax makes the error for what stands at an offset.
func syntax(offset int, reason string) error {
	return &SyntaxError{Offset: offset, Reason: reason}
}

// readText reads all symbols. A branch must begin with a bond or an atom, and nothing but an atom
// may follow a dot.
func (p *Parser) readText() error {
	fragment := true // an atom must come, without a bond to it
	branch := false  // a branch has just been opened
	for p.pos < len(p.s) {
		c := p.s[p.pos]
		if fragment && !startsAtom(c) {
			return syntax(p.pos, "an atom must stand here")
		}
		var err error
		switch {
		case startsAtom(c):
			fragment, branch = false, false
			err = p.readAtom()
		case branch && (c == '(' || c >= '0' && c <= '9' || c == '%' || c == '.' || c == ')'):
			return syntax(p.pos, "a branch must begin with an atom")
		case c >= '0' && c <= '9' || c == '%':
			err = p.readClosure()
		case p.bond.seen:
			return syntax(p.pos, "an atom or ring digit must follow the bond")
		case c == '(':
			p.branches = append(p.branches, p.prev)
			branch = true
			p.pos++
		case c == ')':
			last := len(p.branches) - 1
			if last < 0 {
				return syntax(p.pos, "no branch is open")
			}
			p.prev = p.branches[last]
			p.branches = p.branches[:last]
			p.pos++
		case c == '.':
			p.prev, fragment = -1, true
			p.pos++
		default:
			err = p.readBond()
		}
		if err != nil {
			return err
		}
	}
	switch {
	case fragment || branch || p.bond.seen:
		return syntax(len(p.s), "an atom is missing at the end")
	case len(p.branches) > 0:
		return syntax(len(p.s), "a branch is not closed")
	}
	return nil
}

// startsAtom reports whether an atom symbol can begin with c.
func startsAtom(c byte) bool {
	switch c {
	case '[', '*', 'B', 'C', 'N', 'O', 'P', 'S', 'F', 'I', 'b', 'c', 'n', 'o', 'p', 's':
		return true
	}
	return false
}

// readBond reads a bond symbol.
func (p *Parser) readBond() error {
	mark := bondMark{seen: true}
	c := p.s[p.pos]
	p.pos++
	switch c {
	case '-':
		mark.kind = Single
		if p.at('>') {
			mark.kind = Dative
			p.hasDative = true
		}
	case '<':
		if !p.at('-') {
			return syntax(p.pos-1, "'<' must be followed by '-'")
		}
		mark.kind = dativeLeft
		p.hasDative = true
	case '=':
		mark.kind = Double
	case '#':
		mark.kind = Triple
	case '$':
		mark.kind = Quadruple
	case ':':
		mark.kind = Aromatic
		p.hasColon = true
	case '~':
		mark.kind = anyBond
	case '/':
		mark.dir = upward
	case '\\':
		mark.dir = downward
		p.at('\\') // doubled where text was escaped twice
	default:
		_, size := utf8.DecodeRuneInString(p.s[p.pos-1:])
		return syntax(p.pos-1, fmt.Sprintf("%q is not a symbol of SMILES", p.s[p.pos-1:p.pos-1+size]))
	}
	p.bond = mark
	return nil
}

// at consumes c if it stands next.
func (p *Parser) at(c byte) bool {
	if p.pos < len(p.s) && p.s[p.pos] == c {
		p.pos++
		return true
	}
	return false
}

// number consumes decimal digits, at most width of them; ok is false if there are none.
func (p *Parser) number(width int) (n int, ok bool) {
	begin := p.pos
	for p.pos < len(p.s) && p.pos < begin+width && p.s[p.pos] >= '0' && p.s[p.pos] <= '9' {
		n = 10*n + int(p.s[p.pos]-'0')
		p.pos++
	}
	return n, p.pos > begin
}

// addAtom appends an atom and the bond to the atom before it.
func (p *Parser) addAtom(a Atom) error {
	m := &p.m
	n := int32(len(m.Atoms))
	if n == MaxAtoms {
		return syntax(p.pos, fmt.Sprintf("more than %d atoms", MaxAtoms))
	}
	a.leads = p.prev < 0
	m.Atoms = append(m.Atoms, a)
	if p.prev >= 0 {
		p.addBond(p.prev, n, p.bond)
		if p.bond.kind == anyBond {
			m.Bonds[len(m.Bonds)-1].Type = UnspecifiedBond
			p.hasAny = true
		}
		p.bond = bondMark{}
	}
	p.prev = n
	return nil
}

// addBond appends a bond. Without a symbol it is aromatic between lower-case atoms, else single.
func (p *Parser) addBond(begin, end int32, mark bondMark) {
	m := &p.m
	b, e := &m.Atoms[begin], &m.Atoms[end]
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
	if mark.dir != noDirection {
		p.hasDirection = true
	}
	b.degree++
	e.degree++
	m.Bonds = append(m.Bonds, Bond{Begin: begin, End: end, Type: mark.kind, dir: mark.dir})
}

// readAtom reads an atom in brackets or of the organic subset.
func (p *Parser) readAtom() error {
	c := p.s[p.pos]
	if c == '[' {
		return p.readBracket()
	}
	p.pos++
	var a Atom
	switch c {
	case '*':
	case 'B':
		a.Number = 5
		if p.at('r') {
			a.Number = 35
		}
	case 'C':
		a.Number = 6
		if p.at('l') {
			a.Number = 17
		}
	case 'b', 'c', 'n', 'o', 'p', 's':
		a.Number = symbols[symbolKey(c-'a'+'A', 0)]
		a.lowercase = true
	default:
		a.Number = symbols[symbolKey(c, 0)]
	}
	return p.addAtom(a)
}

// readClosure reads a ring digit, %nn or %(nnnnn).
func (p *Parser) readClosure() error {
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
		return syntax(offset, "a ring closure is a digit, %nn from 10 or %(n) up to 99999")
	}
	if n >= len(p.open) {
		p.open = append(p.open, make([]int32, n+1-len(p.open))...)
	}
	mark := p.bond
	p.bond = bondMark{}
	m := &p.m
	a := &m.Atoms[p.prev]
	if a.Chirality != ChiralUnspecified && int(p.prev) < len(m.Atoms)-1 {
		// RDKit counts a ring digit behind a branch at the wrong place.
		if d := a.degree; d == 1 || d == 2 && p.prev > 0 || d == 3 && p.prev == 0 {
			a.Chirality = a.Chirality.inverse()
		}
	}
	if k := p.open[n]; k > 0 {
		p.open[n] = 0
		c := &p.closures[k-1]
		if c.atom[0] == p.prev {
			return syntax(offset, "the ring closure joins an atom to itself")
		}
		c.atom[1], c.mark[1], c.offset[1] = p.prev, mark, int32(offset)
		c.secondPresent = true
		return nil
	}
	if len(p.closures) == MaxAtoms {
		return syntax(offset, fmt.Sprintf("more than %d ring closures", MaxAtoms))
	}
	p.closures = append(p.closures, closure{
		number: int32(n),
		atom:   [2]int32{p.prev},
		mark:   [2]bondMark{mark},
		offset: [2]int32{int32(offset)},
	})
	p.open[n] = int32(len(p.closures))
	return nil
}

// close adds the bonds of ring closures, by ascending number and then in the order of the text.
func (p *Parser) close() error {
	if len(p.closures) == 0 {
		return nil
	}
	slices.SortStableFunc(p.closures, func(a, b closure) int { return cmp.Compare(a.number, b.number) })
	for i := range p.closures {
		if c := &p.closures[i]; !c.secondPresent {
			clear(p.open)
			return syntax(int(c.offset[0]), "the ring is not closed")
		}
	}
	for i := range p.closures {
		c := &p.closures[i]
		c.bond = int32(len(p.m.Bonds))
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
	return nil
}

// rejectDoubledBonds refuses ring closures between atoms that are bonded already.
func (p *Parser) rejectDoubledBonds() error {
	if len(p.closures) == 0 {
		return nil
	}
	for i := range p.fill {
		p.fill[i] = -1
	}
	for a := range p.fill {
		for _, arc := range p.around(int32(a)) {
			if p.fill[arc.atom] == int32(a) {
				for i := range p.closures {
					if c := &p.closures[i]; c.bond == arc.bond {
						return syntax(int(c.offset[1]), "the ring closure joins atoms bonded already")
					}
				}
			}
			p.fill[arc.atom] = int32(a)
		}
	}
	return nil
}
