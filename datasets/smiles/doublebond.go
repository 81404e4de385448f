package smiles

import "slices"

// smallestStereoRing is the size from which a ring can hold a trans double bond.
const smallestStereoRing = 8

// labelBonds names double bonds Z or E where both ends have a / or \ and different neighbors. It
// reports whether some possible ones are left and whether any was settled.
func (p *parser) labelBonds() (left, labeled bool) {
	var conflicting []arc // ends of double bonds
	for i := range p.Bonds {
		b := &p.Bonds[i]
		if b.Type != Double || b.stereo != noStereo || !p.mayBeStereo(int32(i)) {
			continue
		}
		from, beginClash := p.pointing(b.Begin, int32(i))
		to, endClash := p.pointing(b.End, int32(i))
		if from == noDirection || to == noDirection {
			left = true
			continue
		}
		labeled = true
		switch {
		case beginClash || endClash:
			if beginClash {
				conflicting = append(conflicting, arc{b.Begin, int32(i)})
			}
			if endClash {
				conflicting = append(conflicting, arc{b.End, int32(i)})
			}
		case from == to:
			b.stereo = stereoZ
		default:
			b.stereo = stereoE
		}
	}
	for _, end := range conflicting {
		for _, arc := range p.around(end.atom) {
			if arc.bond != end.bond {
				p.Bonds[arc.bond].dir = noDirection
			}
		}
	}
	return left, labeled
}

// mayBeStereo reports a double bond whose ends have one or two other neighbors, in no ring too small
// for a trans double bond.
func (p *parser) mayBeStereo(i int32) bool {
	b := &p.Bonds[i]
	for _, a := range [2]int32{b.Begin, b.End} {
		if n := p.Atoms[a].degree; n < 2 || n > 3 {
			return false
		}
	}
	if !b.InRing {
		return true
	}
	ring := &p.blocks[p.blockOf[i]-1]
	p.perceive(ring)
	p.spend(4 * len(ring.cycles))
	return !slices.ContainsFunc(ring.cycles, func(c cycle) bool {
		return len(c.bonds) < smallestStereoRing && contains(c.bonds, i)
	})
}

// pointing returns where the higher-ranked neighbor of atom i stands beside a double bond, seen
// from i, or noDirection if no bond marks it or the neighbors are equivalent. It is enough that
// one of two neighbors is marked; clash reports marks that put both on the same side.
func (p *parser) pointing(i, doubleBond int32) (dir direction, clash bool) {
	var dirs [2]direction
	var ranks [2]int32
	n := 0
	for _, arc := range p.around(i) {
		if arc.bond == doubleBond {
			continue
		}
		b := &p.Bonds[arc.bond]
		dirs[n], ranks[n] = b.dir, p.ranks[arc.atom]
		if b.Begin != i {
			dirs[n] = -b.dir
		}
		n++
	}
	switch {
	case dirs[0] == noDirection && dirs[1] == noDirection || n == 2 && ranks[0] == ranks[1]:
		return noDirection, false
	case n == 1:
		return dirs[0], false
	case dirs[0] == noDirection:
		dirs[0] = -dirs[1]
	case dirs[1] == noDirection:
		dirs[1] = -dirs[0]
	}
	if ranks[0] > ranks[1] {
		return dirs[0], dirs[0] == dirs[1]
	}
	return dirs[1], dirs[0] == dirs[1]
}
