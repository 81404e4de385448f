package smiles

// removeHydrogens turns explicit hydrogen atoms into counts on their neighbors. Isotopes, hydrides,
// bridging and free hydrogens stay, and so do those that alone tell the geometry of a double bond or
// belong to an arrangement such as @OH.
func (p *parser) removeHydrogens() {
	var gone []bool
	for i := int32(len(p.Atoms)) - 1; i >= 0; i-- {
		if !p.removable(i) {
			continue
		}
		if gone == nil {
			gone = make([]bool, len(p.Atoms))
		}
		gone[i] = true
		h := p.around(i)[0]
		heavy := &p.Atoms[h.atom]
		heavy.bracketH++
		heavy.degree--
		p.detachHydrogen(h, gone)
	}
	if gone != nil {
		p.compact(gone)
	}
}

// removable reports whether atom a is an explicit hydrogen that becomes a count.
func (p *parser) removable(a int32) bool {
	h := &p.Atoms[a]
	if h.Number != 1 || h.degree != 1 || h.Isotope != 0 || h.Charge == -1 {
		return false
	}
	arc := p.around(a)[0]
	heavy := &p.Atoms[arc.atom]
	if heavy.Number <= 1 || heavy.bracketH >= maxBracketH || heavy.chirality.mostNeighbors() > 0 {
		return false
	}
	if heavy.degree == 2 && p.Bonds[arc.bond].dir != noDirection {
		for _, other := range p.around(arc.atom) {
			if p.Bonds[other.bond].Type == Double {
				return false
			}
		}
	}
	return true
}

// detachHydrogen keeps the winding and the geometry of the heavy atom at the end of arc h right
// when the bond of h goes: the hydrogen becomes the last of the neighbors, and a neighboring
// single bond inherits its direction.
func (p *parser) detachHydrogen(h arc, gone []bool) {
	heavy, bond := &p.Atoms[h.atom], &p.Bonds[h.bond]
	directed := false
	var heir *Bond
	for _, arc := range p.around(h.atom) {
		if gone[arc.atom] {
			continue // this hydrogen itself, or one that went before
		}
		if arc.bond > h.bond {
			heavy.chirality = heavy.chirality.inverse()
		}
		if b := &p.Bonds[arc.bond]; b.Type == Single {
			if b.dir == noDirection {
				heir = b
			} else {
				directed = true
			}
		}
	}
	if bond.dir != noDirection && !directed && heir != nil {
		heir.dir = bond.dir
		if heir.Begin == h.atom && bond.Begin == h.atom {
			heir.dir = -bond.dir
		}
	}
}

// compact removes atoms with their bonds, and renumbers the others.
func (p *parser) compact(gone []bool) {
	place := p.ints.zeros(len(p.Atoms))
	atoms, bonds := p.Atoms[:0], p.Bonds[:0]
	for i, a := range p.Atoms {
		place[i] = int32(len(atoms))
		if !gone[i] {
			atoms = append(atoms, a)
		}
	}
	for _, b := range p.Bonds {
		if !gone[b.Begin] && !gone[b.End] {
			b.Begin, b.End = place[b.Begin], place[b.End]
			bonds = append(bonds, b)
		}
	}
	p.Atoms, p.Bonds = atoms, bonds
	p.connect()
}
