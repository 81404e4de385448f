package smiles

// conjugate marks the bonds of conjugated systems: aromatic ones, and any multiple bond beside a
// bond to an atom with electrons to share.
func (p *parser) conjugate() {
	for i := range p.Bonds {
		p.Bonds[i].conjugated = p.Bonds[i].aromatic
	}
	for i := range p.Bonds {
		b := &p.Bonds[i]
		if b.Type.twiceOrder() >= 3 {
			p.conjugateAround(b.Begin, int32(i))
			p.conjugateAround(b.End, int32(i))
		}
	}
}

// conjugateAround marks the multiple bond of atom i and its bonds to other candidates.
func (p *parser) conjugateAround(i, multiple int32) {
	a := &p.Atoms[i]
	if n := a.neighbors(); n < 2 || n > 3 || a.degree < 2 {
		return
	}
	b := &p.Bonds[multiple]
	if !p.sharesElectrons(i) || !p.sharesElectrons(b.other(i)) {
		return
	}
	for _, arc := range p.around(i) {
		n := &p.Atoms[arc.atom]
		if arc.bond != multiple && n.neighbors() <= 3 && p.sharesElectrons(arc.atom) {
			b.conjugated = true
			p.Bonds[arc.bond].conjugated = true
		}
	}
}

// sharesElectrons reports whether atom i can take part in conjugation: it has electrons to share,
// is not hypervalent, and is no P, S or heavier relative of these inside a chain.
func (p *parser) sharesElectrons(i int32) bool {
	a := &p.Atoms[i]
	e := &elements[a.Number]
	if lowest := e.allowed[0]; a.Charge == 0 && lowest >= 0 && a.valence() > int(lowest) {
		return false
	}
	if a.Number > 10 && (e.outer == 5 || e.outer == 6 && a.neighbors() >= 2) {
		return false
	}
	return p.piElectrons(i) > 0
}

// piElectrons returns the number of electrons that atom i can give to a π system, or -1 if it can
// take no part: what sigma bonds leave of its default valence, plus lone pairs.
func (p *parser) piElectrons(i int32) int {
	a := &p.Atoms[i]
	e := &elements[a.Number]
	neighbors := a.neighbors() - p.weightlessBonds(i)
	if e.valence <= 1 || neighbors > 3 {
		return -1
	}
	n := e.valence - neighbors + max(e.outer-e.valence-int(a.Charge), 0) - int(a.radicals)
	if n > 1 && int(a.explicit)-int(a.degree) > 1 {
		return 1
	}
	return n
}

// weightlessBonds counts the bonds of atom i that add nothing to its valence.
func (p *parser) weightlessBonds(i int32) (n int) {
	if !p.weightless {
		return 0
	}
	for _, arc := range p.around(i) {
		if p.Bonds[arc.bond].twiceValence(i) == 0 {
			n++
		}
	}
	return n
}
