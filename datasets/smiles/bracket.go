package smiles

// Bounds of what a bracket may say; each is past anything that has features.
const (
	maxBracketH = 99
	maxCharge   = 99
	maxMap      = 65_534
)

// readBracket reads [isotope symbol chirality hydrogens charge :map], of which only the symbol
// must stand.
func (p *Parser) readBracket() error {
	begin := p.pos
	p.pos++
	a := Atom{bracket: true}
	if n, ok := p.number(4); ok {
		a.Isotope = uint16(n)
	}
	if !p.readSymbol(&a) {
		return syntax(p.pos, "not the symbol of an element")
	}
	if err := p.readChirality(&a); err != nil {
		return err
	}
	if p.at('H') {
		a.bracketH = 1
		if n, ok := p.number(3); ok {
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
		n, ok := p.number(6)
		if !ok || n > maxMap {
			return syntax(begin, "an atom map is a number up to 65534")
		}
		a.atomMap = uint16(n) + 1
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

// readSymbol reads the symbol of an element, the longest that fits.
func (p *Parser) readSymbol(a *Atom) bool {
	rest := p.s[p.pos:]
	if rest == "" {
		return false
	}
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

// readChirality reads @, @@, @TH1 or @TH2.
func (p *Parser) readChirality(a *Atom) error {
	if !p.at('@') {
		return nil
	}
	if p.at('@') {
		a.Chirality = ChiralClockwise
		return nil
	}
	a.Chirality = ChiralCounterclockwise
	if p.at('T') {
		if !p.at('H') || p.pos == len(p.s) || p.s[p.pos] != '1' && p.s[p.pos] != '2' {
			return syntax(p.pos, "of the chirality classes only @TH1 and @TH2 are known")
		}
		if p.s[p.pos] == '2' {
			a.Chirality = ChiralClockwise
		}
		p.pos++
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
	n, ok := p.number(3)
	if !ok {
		n = 1
	}
	if n > maxCharge {
		return syntax(begin, "the charge is too large")
	}
	a.Charge = int8(sign * n)
	return nil
}
