package smiles

import "slices"

// hybridize names the orbitals of each atom by its bonds and lone pairs. It then drops the windings of
// atoms that turned out flat, and arrangements of more neighbors than they are for, or of a single one.
func (p *parser) hybridize() {
	for i := range p.Atoms {
		a := &p.Atoms[i]
		a.Hybridization = p.hybridization(int32(i))
		flat := a.chirality.winds() && a.Hybridization != sp3
		if flat || a.chirality.mostNeighbors() > 0 && !a.arranged() {
			a.chirality = achiral
		}
	}
}

// firstByDegree is the first element whose orbitals are counted by its neighbors alone: actinium.
const firstByDegree = 89

// hybridization returns the hybridization of atom i. Four orbitals make SP3, but SP2 if one of at most
// three bonds is conjugated, as in an amide's nitrogen.
func (p *parser) hybridization(i int32) Hybridization {
	a := &p.Atoms[i]
	neighbors := a.neighbors()
	orbitals := neighbors
	if a.Number < firstByDegree {
		orbitals = p.bondsAndLonePairs(i)
	}
	switch {
	case a.Number == 0:
		return unhybridized
	case a.chirality.winds() && neighbors == 4:
		return sp3
	case a.arranged():
		return [...]Hybridization{sp2d, sp3d, sp3d2}[a.chirality-squarePlanar]
	case orbitals < 0 || orbitals > 6:
		return unhybridized
	case orbitals == 4 && neighbors <= 3 && p.onConjugated(i):
		return sp2
	}
	return Hybridization(max(orbitals, 1))
}

// arranged reports whether an atom has as many neighbors as its arrangement is for.
func (a *Atom) arranged() bool {
	return a.neighbors() >= 2 && a.neighbors() <= a.chirality.mostNeighbors()
}

// bondsAndLonePairs counts the orbitals of atom i. Below an octet a radical takes one of its own.
func (p *parser) bondsAndLonePairs(i int32) int {
	a := &p.Atoms[i]
	n := a.neighbors()
	if p.weightless {
		for _, arc := range p.around(i) {
			if b := &p.Bonds[arc.bond]; b.Type == Dative && b.Begin == i {
				n--
			}
		}
	}
	if a.Number <= 1 {
		return n
	}
	outer, valence, charge := elements[a.Number].outer, a.valence(), int(a.Charge)
	free := outer - valence - charge
	if valence+outer-charge < 8 {
		radicals := int(a.radicals)
		return n + (free-radicals)/2 + radicals
	}
	return n + free/2
}

// onConjugated reports whether a bond of atom i is conjugated.
func (p *parser) onConjugated(i int32) bool {
	return slices.ContainsFunc(p.around(i), func(a arc) bool { return p.Bonds[a.bond].conjugated })
}
