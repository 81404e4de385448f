package smiles

import "strings"

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
func (p *parser) readBracket() {
	begin := p.pos
	p.pos++
	isotope, _ := p.natural()
	if isotope > maxIsotope {
		syntax(begin, "an isotope is a number up to 65535")
	}
	letter := p.pos
	a, ok := p.readSymbol()
	if !ok {
		syntax(p.pos, "not the symbol of an element")
	}
	a.bracket, a.Isotope = true, uint16(isotope)
	if a.Number == 1 && p.s[letter] == 'H' && strings.HasPrefix(p.s[p.pos:], "@") {
		syntax(p.pos, "a hydrogen has no winding")
	}
	p.readChirality(&a)
	if p.at('H') {
		n, ok := p.natural()
		switch {
		case !ok:
			n = 1
		case n > maxBracketH:
			syntax(begin, "too many hydrogens")
		}
		a.bracketH = uint8(n)
	}
	p.readCharge(&a)
	if p.at(':') {
		n, ok := p.natural()
		if !ok || n > maxMap {
			syntax(begin, "an atom map is a number up to 999999999")
		}
		a.atomMap = uint32(n) + 1
	}
	if !p.at(']') {
		syntax(p.pos, "']' must stand here")
	}
	p.addAtom(a)
}

// natural consumes a number of up to ten digits without leading zeros.
func (p *parser) natural() (n int, ok bool) {
	if p.at('0') {
		return 0, true
	}
	return p.number(10)
}

// readSymbol reads the symbol of an element, the longest that fits, or # and its number.
func (p *parser) readSymbol() (a Atom, ok bool) {
	if p.at('#') {
		n, ok := p.natural()
		if !ok || n >= len(elements) {
			return a, false
		}
		return Atom{Number: uint8(n)}, true
	}
	rest := p.s[p.pos:]
	for size := min(4, len(rest)); size > 0; size-- {
		if a, ok = symbols[rest[:size]]; ok {
			p.pos += size
			return a, true
		}
	}
	return a, false
}

// chiralClasses are the arrangements of neighbors and how many of each can be told apart.
var chiralClasses = [...]struct {
	name  string
	count int
	tag   chirality
}{
	{"TH", 2, counterclockwise},
	{"AL", 2, allene},
	{"SP", 3, squarePlanar},
	{"TB", 20, trigonalBipyramidal},
	{"OH", 30, octahedral},
}

// readChirality reads @, @@ or a class with or without the number of an arrangement, such as @TH1.
func (p *parser) readChirality(a *Atom) {
	switch {
	case !p.at('@'):
		return
	case p.at('@'):
		a.chirality = clockwise
		return
	}
	a.chirality = counterclockwise
	for _, class := range chiralClasses {
		if !strings.HasPrefix(p.s[p.pos:], class.name) {
			continue
		}
		p.pos += len(class.name)
		a.chirality = class.tag
		begin := p.pos
		n, ok := p.natural()
		if ok && (n < 1 || n > class.count) {
			syntax(begin, "the arrangements @%s have the numbers 1 to %d", class.name, class.count)
		}
		if class.name == "TH" && n == 2 {
			a.chirality = clockwise
		}
		break
	}
}

// readCharge reads +, -, ++, --, +n or -n.
func (p *parser) readCharge(a *Atom) {
	begin := p.pos
	var sign int8
	switch {
	case p.at('+'):
		sign = 1
	case p.at('-'):
		sign = -1
	default:
		return
	}
	if p.at(p.s[begin]) {
		a.Charge = 2 * sign
		return
	}
	n, ok := p.natural()
	switch {
	case !ok:
		n = 1
	case n > maxCharge:
		syntax(begin, "the charge is too large")
	}
	a.Charge = sign * int8(n)
}
