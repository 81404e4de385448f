package smiles

// conjugate marks the bonds of conjugated systems: aromatic ones, and any multiple bond beside a
// bond to an atom with electrons to share.
func (p *Parser) conjugate() {
	m := &p.m
	for i := range m.Bonds {
		m.Bonds[i].Conjugated = m.Bonds[i].aromatic
	}
	for i := range m.Bonds {
		b := &m.Bonds[i]
		if twiceOrder[b.Type] >= 3 {
			p.conjugateAround(b.Begin, int32(i))
			p.conjugateAround(b.End, int32(i))
		}
	}
}

// conjugateAround marks the multiple bond of atom i and its bonds to other candidates.
func (p *Parser) conjugateAround(i, multiple int32) {
	m := &p.m
	a := &m.Atoms[i]
	if n := int(a.degree) + int(a.Hydrogens); n < 2 || n > 3 || a.degree < 2 {
		return
	}
	b := &m.Bonds[multiple]
	if !p.sharesElectrons(i) || !p.sharesElectrons(b.other(i)) {
		return
	}
	for _, arc := range p.around(i) {
		n := &m.Atoms[arc.atom]
		if arc.bond != multiple && int(n.degree)+int(n.Hydrogens) <= 3 && p.sharesElectrons(arc.atom) {
			b.Conjugated = true
			m.Bonds[arc.bond].Conjugated = true
		}
	}
}

// sharesElectrons reports whether atom i can take part in conjugation: it has electrons to share,
// is not hypervalent, and is no P, S or heavier relative of these inside a chain.
func (p *Parser) sharesElectrons(i int32) bool {
	a := &p.m.Atoms[i]
	e := &elements[a.Number]
	if lowest := e.allowed[0]; a.Charge == 0 && lowest >= 0 && p.valence(a) > int(lowest) {
		return false
	}
	if a.Number > 10 && (e.outer == 5 || e.outer == 6 && int(a.degree)+int(a.Hydrogens) >= 2) {
		return false
	}
	return p.piElectrons(i) > 0
}

// valence returns the valence of an atom with its implicit hydrogens.
func (p *Parser) valence(a *Atom) int {
	return int(a.explicit) + int(a.Hydrogens) - int(a.bracketH)
}

// piElectrons returns the number of electrons that atom i can give to a π system, or -1 if it can
// take no part: what sigma bonds leave of its default valence, plus lone pairs.
func (p *Parser) piElectrons(i int32) int {
	a := &p.m.Atoms[i]
	e := &elements[a.Number]
	neighbours := int(a.degree) + int(a.Hydrogens)
	if p.hasDative || p.hasAny {
		neighbours -= p.weightless(i)
	}
	if e.valence <= 1 || neighbours > 3 {
		return -1
	}
	n := e.valence - neighbours + max(e.outer-e.valence-int(a.Charge), 0) - int(a.Radicals)
	if n > 1 && int(a.explicit)-int(a.degree) > 1 {
		return 1
	}
	return n
}

// weightless counts the bonds of atom i that add nothing to its valence.
func (p *Parser) weightless(i int32) int {
	n := 0
	for _, arc := range p.around(i) {
		if p.m.Bonds[arc.bond].twiceValence(i) == 0 {
			n++
		}
	}
	return n
}

// donated counts the dative bonds that begin at atom i.
func (p *Parser) donated(i int32) int {
	n := 0
	for _, arc := range p.around(i) {
		if b := &p.m.Bonds[arc.bond]; b.Type == Dative && b.Begin == i {
			n++
		}
	}
	return n
}
