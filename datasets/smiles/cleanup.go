package smiles

// cleanUp rewrites the usual uncharged spellings of charged groups, such as N(=O)=O for
// [N+](=O)[O-], and makes bonds from overfull atoms to metals dative.
func (p *parser) cleanUp() {
	metals := false
	for i := range p.Atoms {
		z := p.Atoms[i].Number
		metals = metals || elements[z].metal
		if z == 7 {
			p.cleanNitrogen(int32(i))
		}
	}
	for i := range p.Atoms {
		switch p.Atoms[i].Number {
		case 15:
			p.cleanPhosphorus(int32(i))
		case 17, 35, 53:
			p.cleanHalogen(int32(i))
		}
	}
	if metals {
		for i := range p.Atoms {
			p.donateToMetal(int32(i))
		}
	}
}

// cleanNitrogen gives a five-valent neutral nitrogen a charge: =O becomes -[O-], and #N becomes =[N-].
func (p *parser) cleanNitrogen(i int32) {
	if v, _ := p.explicitValence(i); v != 5 || p.Atoms[i].Charge != 0 {
		return
	}
	for _, group := range []struct {
		number   uint8
		from, to BondType
	}{{8, Double, Single}, {7, Triple, Double}} {
		for _, arc := range p.around(i) {
			n, b := &p.Atoms[arc.atom], &p.Bonds[arc.bond]
			if n.Number == group.number && n.Charge == 0 && b.Type == group.from {
				b.Type, n.Charge, p.Atoms[i].Charge = group.to, -1, 1
				break
			}
		}
	}
}

// cleanPhosphorus turns C=P(=O)X into C=[P+]([O-])X.
func (p *parser) cleanPhosphorus(i int32) {
	a := &p.Atoms[i]
	if v, _ := p.explicitValence(i); v != 5 || a.Charge != 0 || a.degree != 3 {
		return
	}
	var oxide *arc
	ylide := false
	for k, arc := range p.around(i) {
		n := &p.Atoms[arc.atom]
		switch {
		case p.Bonds[arc.bond].Type != Double:
		case n.Number == 8 && n.Charge == 0:
			oxide = &p.around(i)[k]
		case (n.Number == 6 || n.Number == 7) && n.degree >= 2:
			ylide = true
		}
	}
	if ylide && oxide != nil {
		p.Bonds[oxide.bond].Type, p.Atoms[oxide.atom].Charge, a.Charge = Single, -1, 1
	}
}

// cleanHalogen turns Cl(=O)(=O)(=O)O into [Cl+3]([O-])([O-])([O-])O, and so with fewer oxygens.
func (p *parser) cleanHalogen(i int32) {
	a := &p.Atoms[i]
	if v, _ := p.explicitValence(i); v != 3 && v != 5 && v != 7 || a.Charge != 0 || a.degree < 2 {
		return
	}
	for _, arc := range p.around(i) {
		if p.Atoms[arc.atom].Number != 8 {
			return
		}
	}
	for _, arc := range p.around(i) {
		if b := &p.Bonds[arc.bond]; b.Type == Double {
			b.Type, p.Atoms[arc.atom].Charge = Single, -1
			a.Charge++
		}
	}
}

// donateToMetal makes one single bond from atom i to a metal dative if i is a non-metal above its
// largest valence. Of several metals it takes the one with the fewest dative bonds, and the last of
// those (RDKit: the one of the highest canonical rank, which can be another).
func (p *parser) donateToMetal(i int32) {
	a := &p.Atoms[i]
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
		b := &p.Bonds[arc.bond]
		if b.Type != Single || !elements[p.Atoms[arc.atom].Number].metal {
			continue
		}
		p.spend(len(p.around(arc.atom)))
		count := 0
		for _, other := range p.around(arc.atom) {
			if p.Bonds[other.bond].Type == Dative {
				count++
			}
		}
		if best == nil || count <= fewest {
			best, fewest = b, count
		}
	}
	if best != nil {
		best.Begin, best.End, best.Type = i, best.other(i), Dative
		p.weightless = true
	}
}

// overfull reports a valence above the largest allowed one, or equal to it on an aromatic atom of
// four neighbors: a ring carbon of a metallocene.
func (p *parser) overfull(i int32) bool {
	a := &p.Atoms[i]
	z := int(a.Number) - int(a.Charge)
	if z <= 0 || z >= len(elements) {
		return false
	}
	largest := elements[z].largest()
	if largest <= 0 {
		return false
	}
	bonded, aromatic := p.explicitValence(i)
	if bonded != largest || !a.lowercase {
		return bonded > largest
	}
	h, _ := implicitHydrogens(a, bonded, aromatic)
	return int(a.degree)+int(a.bracketH)+h == 4
}
