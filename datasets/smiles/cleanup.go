package smiles

// cleanUp rewrites the usual uncharged spellings of charged groups, such as N(=O)=O for
// [N+](=O)[O-], and makes bonds from overfull atoms to metals dative.
func (p *Parser) cleanUp() {
	p.cleanNitrogens()
	metals := false
	for i := range p.m.Atoms {
		switch z := p.m.Atoms[i].Number; z {
		case 15:
			p.cleanPhosphorus(int32(i))
		case 17, 35, 53:
			p.cleanHalogen(int32(i))
		default:
			metals = metals || elements[z].metal
		}
	}
	if metals {
		for i := range p.m.Atoms {
			p.donateToMetal(int32(i))
		}
	}
}

// cleanNitrogens gives five-valent neutral nitrogens a charge: =O becomes -[O-], and #N becomes
// =[N-].
func (p *Parser) cleanNitrogens() {
	m := &p.m
	for i := range m.Atoms {
		a := &m.Atoms[i]
		if a.Number != 7 || a.Charge != 0 || a.degree == 0 {
			continue
		}
		if v, _ := p.explicitValence(int32(i)); v != 5 {
			continue
		}
		p.separate(int32(i), 8, Double, Single)
		p.separate(int32(i), 7, Triple, Double)
	}
}

// separate lowers the first bond of the given type from atom i to a neutral neighbour of the given
// element, which becomes negative, and makes atom i positive.
func (p *Parser) separate(i int32, number uint8, from, to BondType) {
	m := &p.m
	for _, arc := range p.around(i) {
		n, b := &m.Atoms[arc.atom], &m.Bonds[arc.bond]
		if n.Number == number && n.Charge == 0 && b.Type == from {
			b.Type = to
			n.Charge = -1
			m.Atoms[i].Charge = 1
			return
		}
	}
}

// cleanPhosphorus turns C=P(=O)X into C=[P+]([O-])X.
func (p *Parser) cleanPhosphorus(i int32) {
	m := &p.m
	a := &m.Atoms[i]
	if a.Charge != 0 || a.degree != 3 {
		return
	}
	if v, _ := p.explicitValence(i); v != 5 {
		return
	}
	oxide := -1
	ylide := false
	for k, arc := range p.around(i) {
		if m.Bonds[arc.bond].Type != Double {
			continue
		}
		n := &m.Atoms[arc.atom]
		switch {
		case n.Number == 8 && n.Charge == 0:
			oxide = k
		case (n.Number == 6 || n.Number == 7) && n.degree >= 2:
			ylide = true
		}
	}
	if ylide && oxide >= 0 {
		arc := p.around(i)[oxide]
		m.Bonds[arc.bond].Type = Single
		m.Atoms[arc.atom].Charge = -1
		a.Charge = 1
	}
}

// cleanHalogen turns Cl(=O)(=O)(=O)O into [Cl+3]([O-])([O-])([O-])O, and so with fewer oxygens.
func (p *Parser) cleanHalogen(i int32) {
	m := &p.m
	a := &m.Atoms[i]
	if a.Charge != 0 || a.degree < 2 {
		return
	}
	if v, _ := p.explicitValence(i); v != 3 && v != 5 && v != 7 {
		return
	}
	for _, arc := range p.around(i) {
		if m.Atoms[arc.atom].Number != 8 {
			return
		}
	}
	for _, arc := range p.around(i) {
		if b := &m.Bonds[arc.bond]; b.Type == Double {
			b.Type = Single
			m.Atoms[arc.atom].Charge = -1
			a.Charge++
		}
	}
}

// donateToMetal makes one single bond from atom i to a metal dative if i is a non-metal above its
// largest valence. Of several metals it takes the one with the fewest dative bonds, and the last of
// those (RDKit: the one of the highest canonical rank, which can be another).
func (p *Parser) donateToMetal(i int32) {
	m := &p.m
	a := &m.Atoms[i]
	switch a.Number {
	case 1, 2, 9, 10:
		return
	}
	if elements[a.Number].metal || !p.overfull(i) {
		return
	}
	var best *Bond
	fewest := 0
	for _, arc := range p.around(i) {
		b := &m.Bonds[arc.bond]
		if b.Type != Single || !elements[m.Atoms[arc.atom].Number].metal {
			continue
		}
		count := 0
		if !p.spend(len(p.around(arc.atom))) {
			return // as sanitize will notice
		}
		for _, other := range p.around(arc.atom) {
			if m.Bonds[other.bond].Type == Dative {
				count++
			}
		}
		if best == nil || count <= fewest {
			best, fewest = b, count
		}
	}
	if best != nil {
		best.Begin, best.End = i, best.other(i)
		best.Type = Dative
		p.hasDative = true
	}
}

// overfull reports a valence above the largest allowed one, or equal to it on an aromatic atom of
// four neighbours: a ring carbon of a metallocene.
func (p *Parser) overfull(i int32) bool {
	a := &p.m.Atoms[i]
	z := int(a.Number) - int(a.Charge)
	if z <= 0 || z >= len(elements) {
		return false
	}
	largest := elements[z].largest()
	if largest <= 0 {
		return false
	}
	bonded, isAromatic := p.explicitValence(i)
	if bonded != largest || !a.lowercase {
		return bonded > largest
	}
	h, _ := implicitHydrogens(a, bonded, isAromatic)
	return int(a.degree)+int(a.bracketH)+h == 4
}
