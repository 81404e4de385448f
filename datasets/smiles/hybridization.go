package smiles

// hybridize names the orbitals of each atom by its bonds and lone pairs: four make SP3, but SP2 if
// one of at most three bonds is conjugated, as in an amide's nitrogen. It then drops the windings
// of atoms that turned out flat.
func (p *Parser) hybridize() {
	for i := range p.m.Atoms {
		a := &p.m.Atoms[i]
		a.Hybridization = p.hybridization(int32(i))
	}
	if p.hasChirality {
		p.dropFlatWindings()
	}
}

// firstByDegree is the first element whose orbitals are counted by its neighbours alone: actinium.
const firstByDegree = 89

// hybridization returns the hybridization of atom i.
func (p *Parser) hybridization(i int32) Hybridization {
	a := &p.m.Atoms[i]
	neighbours := int(a.degree) + int(a.Hydrogens)
	if a.Number == 0 {
		return Unhybridized
	}
	switch {
	case a.Chirality.winds() && neighbours == 4:
		return SP3
	case a.arranged():
		return map[Chirality]Hybridization{
			ChiralSquarePlanar: sp2d, ChiralTrigonalBipyramidal: SP3D, ChiralOctahedral: SP3D2,
		}[a.Chirality]
	}
	orbitals := neighbours
	if a.Number < firstByDegree {
		orbitals = p.bondsAndLonePairs(i)
	}
	switch orbitals {
	case 0, 1:
		return S
	case 2:
		return SP
	case 3:
		return SP2
	case 4:
		if neighbours <= 3 && p.onConjugated(i) {
			return SP2
		}
		return SP3
	case 5:
		return SP3D
	case 6:
		return SP3D2
	}
	return Unhybridized
}

// bondsAndLonePairs counts the orbitals of atom i. Below an octet a radical takes one of its own.
func (p *Parser) bondsAndLonePairs(i int32) int {
	a := &p.m.Atoms[i]
	n := int(a.degree) + int(a.Hydrogens)
	if p.hasDative {
		n -= p.donated(i)
	}
	if a.Number <= 1 {
		return n
	}
	outer, valence, charge := elements[a.Number].outer, p.valence(a), int(a.Charge)
	free := outer - valence - charge
	if valence+outer-charge < 8 {
		radicals := int(a.Radicals)
		return n + (free-radicals)/2 + radicals
	}
	return n + free/2
}

// onConjugated reports whether a bond of atom i is conjugated.
func (p *Parser) onConjugated(i int32) bool {
	for _, arc := range p.around(i) {
		if p.m.Bonds[arc.bond].Conjugated {
			return true
		}
	}
	return false
}
