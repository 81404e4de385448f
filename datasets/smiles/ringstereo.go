package smiles

import "slices"

// dropUnlabeled removes the winding of atoms without a label, except where it may determine the
// relative position of two atoms of a ring system, as in 1,4-dimethylcyclohexane. The hydrogen of
// a neutral atom such as [C@H] was written only for the winding: without it the atom has as many
// hydrogens as it would outside of brackets.
func (p *parser) dropUnlabeled() {
	paired := p.ringPairs()
	for i := range p.Atoms {
		a := &p.Atoms[i]
		if a.chirality.mostNeighbors() > 0 || p.labels[i] != unlabeled || paired[i] {
			continue
		}
		if a.chirality != achiral && a.bracketH == 1 && a.Charge == 0 {
			a.bracket, a.bracketH = false, 0
			bonded, aromatic := p.explicitValence(int32(i))
			h, _ := implicitHydrogens(a, bonded+int(a.radicals), aromatic)
			a.Hydrogens = uint8(h)
		}
		a.chirality = achiral
	}
}

// ringPairs marks the unlabeled ring atoms with a winding that have another such atom in their
// ring system. Rings joined in one atom count as one system here.
func (p *parser) ringPairs() []bool {
	paired, seen := make([]bool, len(p.Atoms)), make([]bool, len(p.Atoms))
	for i := range p.Atoms {
		if seen[i] || !p.isRingCandidate(int32(i)) {
			continue
		}
		seen[i] = true
		system := []int32{int32(i)}
		for head := 0; head < len(system); head++ {
			for _, arc := range p.around(system[head]) {
				if p.Bonds[arc.bond].InRing && !seen[arc.atom] {
					seen[arc.atom] = true
					system = append(system, arc.atom)
				}
			}
		}
		for _, a := range system[1:] {
			if p.isRingCandidate(a) {
				paired[a], paired[i] = true, true
			}
		}
	}
	return paired
}

// isRingCandidate reports an unlabeled ring atom with a winding whose neighbors can tell two
// sides of the ring apart: two different ones outside of the ring, or one outside and two alike
// inside, or ring neighbors of which just two are alike.
func (p *parser) isRingCandidate(i int32) bool {
	a := &p.Atoms[i]
	if a.chirality == achiral || p.labels[i] != unlabeled || !a.InRing {
		return false
	}
	if a.Number == 7 && a.neighbors() == 3 && !p.isRigid(i) {
		return false
	}
	var outside, inside []int32
	for _, arc := range p.around(i) {
		if p.Bonds[arc.bond].InRing {
			inside = append(inside, p.ranks[arc.atom])
		} else {
			outside = append(outside, p.ranks[arc.atom])
		}
	}
	slices.Sort(inside)
	total := len(inside)
	distinct := len(slices.Compact(inside))
	switch len(outside) {
	case 0:
		return (total == 3 || total == 4) && distinct == total-1
	case 1:
		return total >= 2 && distinct < total
	case 2:
		return outside[0] != outside[1]
	}
	return false
}
