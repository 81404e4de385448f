package smiles

import (
	"cmp"
	"slices"
)

// label is the name of a stereocentre, which ranks its atom.
type label uint8

const (
	unlabelled label = iota
	labelS
	labelR
)

// cleanStereo drops the windings of atoms that are no stereocentres and names double bonds Z or E.
// The ranks are close to those of Cahn, Ingold and Prelog, though not the same; what is found is
// used to rank anew while that settles more.
func (p *Parser) cleanStereo() error {
	centres := p.hasWindings()
	bonds := p.hasDirection && p.hasDirectedDouble()
	if !centres && !bonds {
		return nil
	}
	n := len(p.m.Atoms)
	p.labels, p.near = zeroed(p.labels, n), zeroed(p.near, n)
	p.rankByElement()
	if err := p.refine(); err != nil {
		return err
	}
	windings := centres
	for {
		labelledCentre, labelledBond := false, false
		if centres {
			centres, labelledCentre = p.labelCentres()
		}
		if bonds {
			bonds, labelledBond = p.labelBonds()
		}
		if !centres && !bonds || !labelledCentre && !labelledBond {
			break
		}
		if !p.spend(n) {
			return complexity("stereo")
		}
		p.rankByLabels()
		if err := p.refine(); err != nil {
			return err
		}
	}
	if windings {
		p.dropUnlabelled()
	}
	if p.work < 0 {
		return complexity("stereo")
	}
	return nil
}

// hasWindings reports whether any atom has a winding.
func (p *Parser) hasWindings() bool {
	if !p.hasChirality {
		return false
	}
	for i := range p.m.Atoms {
		if p.m.Atoms[i].Chirality != ChiralUnspecified {
			return true
		}
	}
	return false
}

// hasDirectedDouble reports whether a double bond has a / or \ beside it.
func (p *Parser) hasDirectedDouble() bool {
	for i := range p.m.Bonds {
		b := &p.m.Bonds[i]
		if b.Type != Double {
			continue
		}
		for _, a := range [2]int32{b.Begin, b.End} {
			for _, arc := range p.around(a) {
				if p.m.Bonds[arc.bond].dir != noDirection {
					return true
				}
			}
		}
	}
	return false
}

// rankByElement gives the first keys: atomic number, then mass relative to the commonest isotope,
// then atom map.
func (p *Parser) rankByElement() {
	const massBits, mapBits = 10, 10
	p.keys = resized(p.keys, len(p.m.Atoms))
	for i := range p.m.Atoms {
		a := &p.m.Atoms[i]
		mass := 0
		if a.Isotope != 0 {
			mass = int(a.Isotope) - elements[a.Number].isotope
			if mass >= 0 {
				mass++ // an isotope that is written ranks above one that is not
			}
		}
		mass = max(mass+1<<(massBits-1), 0) % (1 << massBits)
		key := int64(a.Number)<<massBits | int64(mass)
		p.keys[i] = key<<mapBits | int64(a.atomMap%(1<<mapBits))
	}
}

// rankByLabels gives keys by the ranks so far, then the labels R over S over none, then the
// double bonds Z over E over none.
func (p *Parser) rankByLabels() {
	factor := int64(100)
	for factor < int64(len(p.m.Atoms)) {
		factor *= 10
	}
	for i := range p.m.Atoms {
		key := int64(p.ranks[i])*factor + 10*int64(p.labels[i])
		for _, arc := range p.around(int32(i)) {
			if b := &p.m.Bonds[arc.bond]; b.Type == Double {
				switch b.Stereo {
				case StereoE:
					key++
				case StereoZ:
					key += 2
				}
			}
		}
		p.keys[i] = key
	}
}

// labelCentres labels the atoms whose winding is settled by the ranks. It reports whether some
// possible centres are left and whether any was labelled.
func (p *Parser) labelCentres() (left, labelled bool) {
	for i := range p.m.Atoms {
		a := &p.m.Atoms[i]
		if a.Chirality == ChiralUnspecified || p.labels[i] != unlabelled || !p.isCentre(int32(i)) {
			continue
		}
		if p.equalNeighbours(int32(i)) {
			left = true
			continue
		}
		labelled = true
		p.nbrs = append(p.nbrs[:0], p.around(int32(i))...)
		slices.SortFunc(p.nbrs, func(a, b arc) int {
			return cmp.Or(cmp.Compare(p.ranks[a.atom], p.ranks[b.atom]), cmp.Compare(a.bond, b.bond))
		})
		order := p.fill[:0]
		for _, arc := range p.nbrs {
			order = append(order, arc.bond)
		}
		odd := oddPermutation(order)
		if len(order) == 3 && a.Hydrogens == 1 {
			odd = !odd
		}
		if (a.Chirality == ChiralCounterclockwise) != odd {
			p.labels[i] = labelS
		} else {
			p.labels[i] = labelR
		}
	}
	return left, labelled
}

// isCentre reports whether atom i could be a stereocentre, whatever its neighbours are.
func (p *Parser) isCentre(i int32) bool {
	a := &p.m.Atoms[i]
	bonds := 0
	for _, arc := range p.around(i) {
		if p.holds(arc, i) {
			bonds++
		}
	}
	total := bonds + int(a.Hydrogens)
	if total < 3 || total > 4 || bonds < 3 && a.Number != 15 && a.Number != 33 {
		return false
	}
	if bonds != 3 {
		return true
	}
	if a.Hydrogens == 1 {
		for _, arc := range p.around(i) {
			if n := &p.m.Atoms[arc.atom]; n.Number == 1 && n.Isotope == 0 {
				return false
			}
		}
		return true
	}
	switch a.Number {
	case 7:
		return a.Hybridization == SP3 && !p.onConjugated(i) && (p.onTriangle(i) || p.isBridgehead(i))
	case 15, 33:
		return true
	case 16, 34:
		return a.explicit == 4 || a.explicit == 3 && a.Charge == 1
	}
	return false
}

// holds reports whether the bond of an arc matters to the winding of atom i.
func (p *Parser) holds(arc arc, i int32) bool {
	b := &p.m.Bonds[arc.bond]
	return b.Type != UnspecifiedBond && (b.Type != Dative || b.Begin != i)
}

// equalNeighbours reports whether two neighbours of atom i have the same rank.
func (p *Parser) equalNeighbours(i int32) bool {
	around := p.around(i)
	for k, e := range around {
		for _, f := range around[:k] {
			if p.ranks[e.atom] == p.ranks[f.atom] && p.holds(e, i) && p.holds(f, i) {
				return true
			}
		}
	}
	return false
}

// onTriangle reports whether atom i is in a ring of three.
func (p *Parser) onTriangle(i int32) bool {
	for _, e := range p.around(i) {
		p.work -= len(p.around(e.atom))
		for _, f := range p.around(e.atom) {
			for _, g := range p.around(f.atom) {
				ring := p.m.Bonds[e.bond].InRing && p.m.Bonds[f.bond].InRing && p.m.Bonds[g.bond].InRing
				if ring && g.atom == i && f.bond != e.bond && f.atom != i {
					return true
				}
			}
		}
	}
	return false
}
