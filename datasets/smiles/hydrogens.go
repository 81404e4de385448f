package smiles

// removeHydrogens turns explicit hydrogen atoms into counts on their neighbours and reports
// whether there were any. Isotopes, hydrides, bridging and free hydrogens stay, and so do those
// that alone tell the geometry of a double bond or belong to an arrangement such as @OH.
func (p *Parser) removeHydrogens() bool {
	m := &p.m
	gone := zeroed(p.fill, len(m.Atoms))
	removed := 0
	for i := len(m.Atoms) - 1; i >= 0; i-- {
		if !p.removable(int32(i)) {
			continue
		}
		gone[i] = 1
		removed++
		h := p.around(int32(i))[0]
		heavy := &m.Atoms[h.atom]
		heavy.bracketH++
		heavy.degree--
		p.detachHydrogen(h, gone)
	}
	if removed == 0 {
		return false
	}
	p.compact(gone)
	return true
}

// removable reports whether atom a is an explicit hydrogen that becomes a count.
func (p *Parser) removable(a int32) bool {
	m := &p.m
	h := &m.Atoms[a]
	if h.Number != 1 || h.degree != 1 || h.Isotope != 0 || h.Charge == -1 {
		return false
	}
	arc := p.around(a)[0]
	heavy := &m.Atoms[arc.atom]
	if heavy.Number <= 1 || heavy.bracketH >= maxBracketH || heavy.Chirality.mostNeighbours() > 0 {
		return false
	}
	if heavy.degree == 2 && m.Bonds[arc.bond].dir != noDirection {
		for _, other := range p.around(arc.atom) {
			if m.Bonds[other.bond].Type == Double {
				return false
			}
		}
	}
	return true
}

// detachHydrogen keeps the winding and the geometry of the heavy atom at the end of arc h right
// when the bond of h goes: the hydrogen becomes the last of the neighbours, and a neighbouring
// single bond inherits its direction.
func (p *Parser) detachHydrogen(h arc, gone []int32) {
	m := &p.m
	heavy := &m.Atoms[h.atom]
	bond := &m.Bonds[h.bond]
	behind, directed := 0, false
	var heir *Bond
	for _, arc := range p.around(h.atom) {
		if gone[arc.atom] == 1 {
			continue // this hydrogen itself, or one that went before
		}
		if arc.bond > h.bond {
			behind++
		}
		if b := &m.Bonds[arc.bond]; b.Type == Single {
			if b.dir == noDirection {
				heir = b
			} else {
				directed = true
			}
		}
	}
	if behind%2 == 1 {
		heavy.Chirality = heavy.Chirality.inverse()
	}
	if bond.dir != noDirection && !directed && heir != nil {
		heir.dir = bond.dir
		if heir.Begin == h.atom && bond.Begin == h.atom {
			heir.dir = -bond.dir
		}
	}
}

// compact removes the atoms marked in gone, with their bonds, and renumbers the others.
func (p *Parser) compact(gone []int32) {
	m := &p.m
	next := int32(0)
	for i := range m.Atoms {
		if gone[i] == 1 {
			gone[i] = -1
			continue
		}
		m.Atoms[next] = m.Atoms[i]
		gone[i] = next
		next++
	}
	m.Atoms = m.Atoms[:next]
	kept := m.Bonds[:0]
	for _, b := range m.Bonds {
		b.Begin, b.End = gone[b.Begin], gone[b.End]
		if b.Begin >= 0 && b.End >= 0 {
			kept = append(kept, b)
		}
	}
	m.Bonds = kept
}
