package smiles

import (
	"fmt"
	"strings"
)

// Bounds of what a bracket may say. RDKit goes on counting from 0 or from -128 past those of isotopes,
// hydrogens and charges.
const (
	maxIsotope  = 65_535
	maxBracketH = 255
	maxCharge   = 127
	maxMap      = 999_999_999
)

// readBracket reads [isotope symbol chirality hydrogens charge :map], of which only the symbol
// must stand.
func (p *Parser) readBracket() error {
	begin := p.pos
	p.pos++
	a := Atom{bracket: true}
	if n, ok := p.natural(); ok {
		if n > maxIsotope {
			return syntax(begin, "an isotope is a number up to 65535")
		}
		a.Isotope = uint16(n)
	}
	hydrogen := p.pos < len(p.s) && p.s[p.pos] == 'H'
	if !p.readSymbol(&a) {
		return syntax(p.pos, "not the symbol of an element")
	}
	if hydrogen = hydrogen && a.Number == 1; hydrogen && p.pos < len(p.s) && p.s[p.pos] == '@' {
		return syntax(p.pos, "a hydrogen has no winding")
	}
	if err := p.readChirality(&a); err != nil {
		return err
	}
	if p.at('H') {
		a.bracketH = 1
		if n, ok := p.natural(); ok {
			if n > maxBracketH {
				return syntax(begin, "too many hydrogens")
			}
			a.bracketH = uint8(n)
		}
	}
	if err := p.readCharge(&a); err != nil {
		return err
	}
	if p.at(':') {
		n, ok := p.natural()
		if !ok || n > maxMap {
			return syntax(begin, "an atom map is a number up to 999999999")
		}
		a.atomMap = uint32(n) + 1
	}
	if !p.at(']') {
		return syntax(p.pos, "']' must stand here")
	}
	if a.Number == 1 {
		p.hasHydrogen = true
	}
	if a.Chirality != ChiralUnspecified {
		p.hasChirality = true
	}
	return p.addAtom(a)
}

// natural consumes a number of up to ten digits without leading zeros.
func (p *Parser) natural() (n int, ok bool) {
	if p.at('0') {
		return 0, true
	}
	n, ok = p.number(10)
	return n, ok
}

// provisional has the symbols of elements 110 to 118 before they were named.
const provisional = "Uun Uuu Uub Uut Uuq Uup Uuh Uus Uuo"

// readSymbol reads the symbol of an element, the longest that fits, or # and its number.
func (p *Parser) readSymbol(a *Atom) bool {
	rest := p.s[p.pos:]
	if rest == "" {
		return false
	}
	switch {
	case rest[0] == '#':
		p.pos++
		n, ok := p.natural()
		a.Number = uint8(min(n, 255))
		return ok && n < len(elements)
	case rest[0] == '\'':
		// The elements from rutherfordium on may stand in quotes.
		if len(rest) < 4 || rest[3] != '\'' {
			return false
		}
		p.pos += 4
		for z := 104; z < len(elements); z++ {
			if elements[z].symbol == rest[1:3] {
				a.Number = uint8(z)
			}
		}
		return a.Number != 0
	case len(rest) >= 3 && rest[:2] == "Uu":
		if k := strings.Index(provisional, rest[:3]); k >= 0 {
			p.pos += 3
			a.Number = uint8(110 + k/4)
			return true
		}
	}
	return p.readPlainSymbol(a, rest)
}

// readPlainSymbol reads *, the symbol of an element or that of an aromatic one in lower case.
func (p *Parser) readPlainSymbol(a *Atom, rest string) bool {
	c, second := rest[0], byte(0)
	if len(rest) > 1 && rest[1] >= 'a' && rest[1] <= 'z' {
		second = rest[1]
	}
	switch {
	case c == '*':
		p.pos++
		return true
	case c >= 'A' && c <= 'Z':
		if z := symbols[symbolKey(c, second)]; second != 0 && z != 0 {
			a.Number = z
			p.pos += 2
			return true
		}
		a.Number = symbols[symbolKey(c, 0)]
	case c == 's' && (second == 'e' || second == 'i'), c == 'a' && second == 's', c == 't' && second == 'e':
		a.Number = symbols[symbolKey(c-'a'+'A', second)]
		a.lowercase = true
		p.pos += 2
		return true
	case c == 'b' || c == 'c' || c == 'n' || c == 'o' || c == 'p' || c == 's':
		a.Number = symbols[symbolKey(c-'a'+'A', 0)]
		a.lowercase = true
	}
	if a.Number == 0 {
		return false
	}
	p.pos++
	return true
}

// chiralClasses are the arrangements of neighbors and how many of each can be told apart.
var chiralClasses = [...]struct {
	name  string
	count int
	tag   Chirality
}{
	{"TH", 2, ChiralCounterclockwise},
	{"AL", 2, ChiralAllene},
	{"SP", 3, ChiralSquarePlanar},
	{"TB", 20, ChiralTrigonalBipyramidal},
	{"OH", 30, ChiralOctahedral},
}

// readChirality reads @, @@ or a class with or without the number of an arrangement, such as @TH1.
func (p *Parser) readChirality(a *Atom) error {
	if !p.at('@') {
		return nil
	}
	if p.at('@') {
		a.Chirality = ChiralClockwise
		return nil
	}
	a.Chirality = ChiralCounterclockwise
	for _, class := range chiralClasses {
		if !strings.HasPrefix(p.s[p.pos:], class.name) {
			continue
		}
		p.pos += len(class.name)
		a.Chirality = class.tag
		begin := p.pos
		n, ok := p.natural()
		if ok && (n < 1 || n > class.count) {
			return syntax(begin,
				fmt.Sprintf("the arrangements @%s have the numbers 1 to %d", class.name, class.count))
		}
		if class.name == "TH" && n == 2 {
			a.Chirality = ChiralClockwise
		}
		break
	}
	return nil
}

// readCharge reads +, -, ++, --, +n or -n.
func (p *Parser) readCharge(a *Atom) error {
	begin := p.pos
	sign := 1
	switch {
	case p.at('+'):
		if p.at('+') {
			a.Charge = 2
			return nil
		}
	case p.at('-'):
		sign = -1
		if p.at('-') {
			a.Charge = -2
			return nil
		}
	default:
		return nil
	}
	n, ok := p.natural()
	if !ok {
		n = 1
	}
	if n > maxCharge {
		return syntax(begin, "the charge is too large")
	}
	a.Charge = int8(sign * n)
	return nil
}
