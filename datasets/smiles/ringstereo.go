package smiles

// dropUnlabelled removes the winding of atoms without a label, but for those of which it may tell how
// two atoms of a ring system stand to each other, as in 1,4-dimethylcyclohexane. The hydrogen of a
// neutral atom such as [C@H] was written for the winding alone: without it the atom has as many
// hydrogens as it would outside of brackets.
func (p *Parser) dropUnlabelled() {
	paired := p.ringPairs()
	for i := range p.m.Atoms {
		a := &p.m.Atoms[i]
		if a.Chirality.mostNeighbours() == 0 && p.labels[i] == unlabelled && !paired[i] {
			if a.Chirality != ChiralUnspecified && a.bracketH == 1 && a.Charge == 0 {
				a.bracket, a.bracketH = false, 0
				bonded, aromatic := p.explicitValence(int32(i))
				h, _ := implicitHydrogens(a, bonded+int(a.Radicals), aromatic)
				a.Hydrogens = uint8(h)
			}
			a.Chirality = ChiralUnspecified
		}
	}
}

// ringPairs marks the unlabelled ring atoms with a winding that have another such atom in their
// ring system. Rings joined in one atom count as one system here.
func (p *Parser) ringPairs() []bool {
	n := len(p.m.Atoms)
	p.paired, p.visited = zeroed(p.paired, n), zeroed(p.visited, n)
	paired, seen, queue := p.paired, p.visited, p.queue
	for i := range p.m.Atoms {
		if seen[i] || !p.isRingCandidate(int32(i)) {
			continue
		}
		seen[i] = true
		queue = append(queue[:0], int32(i))
		for head := 0; head < len(queue); head++ {
			a := queue[head]
			if head > 0 && p.isRingCandidate(a) {
				paired[a], paired[i] = true, true
			}
			for _, arc := range p.around(a) {
				if p.m.Bonds[arc.bond].InRing && !seen[arc.atom] {
					seen[arc.atom] = true
					queue = append(queue, arc.atom)
				}
			}
		}
	}
	p.queue = queue
	return paired
}

// isRingCandidate reports an unlabelled ring atom with a winding whose neighbours can tell two
// sides of the ring apart: two different ones outside of the ring, or one outside and two alike
// inside, or ring neighbours of which just two are alike.
func (p *Parser) isRingCandidate(i int32) bool {
	a := &p.m.Atoms[i]
	if a.Chirality == ChiralUnspecified || p.labels[i] != unlabelled || !a.InRing {
		return false
	}
	if a.Number == 7 && int(a.degree)+int(a.Hydrogens) == 3 && !p.onTriangle(i) && !p.isBridgehead(i) {
		return false
	}
	var outside, inside []int32
	for _, arc := range p.around(i) {
		if p.m.Bonds[arc.bond].InRing {
			inside = append(inside, p.ranks[arc.atom])
		} else {
			outside = append(outside, p.ranks[arc.atom])
		}
	}
	switch len(outside) {
	case 0:
		return (len(inside) == 3 || len(inside) == 4) && distinct(inside) == len(inside)-1
	case 1:
		return len(inside) >= 2 && distinct(inside) < len(inside)
	case 2:
		return outside[0] != outside[1]
	}
	return false
}

// distinct counts the different numbers of a short list.
func distinct(s []int32) int {
	n := 0
	for i, v := range s {
		fresh := true
		for _, w := range s[:i] {
			fresh = fresh && v != w
		}
		if fresh {
			n++
		}
	}
	return n
}

// isBridgehead reports an atom of three or more ring bonds each of whose rings shares two bonds or
// more with another ring of the atom.
func (p *Parser) isBridgehead(i int32) bool {
	bonds := 0
	for _, arc := range p.around(i) {
		if p.m.Bonds[arc.bond].InRing {
			bonds++
		}
	}
	if bonds < 3 {
		return false
	}
	for b := range p.blocks {
		block := &p.blocks[b]
		if !p.spend(1) || p.perceive(block) != nil {
			return false // out of steps, as cleanStereo will notice
		}
		var own []cycle
		for k := block.cycles[0]; k < block.cycles[1]; k++ {
			if c := p.cycle(k); p.onCycle(c, i) {
				own = append(own, c)
			}
		}
		p.work -= len(own) * len(own) * (1 + len(block.bonds)/64)
		for k, c := range own {
			if p.work < 0 {
				return false
			}
			bridged := false
			for l, d := range own {
				bridged = bridged || l != k && sharedBonds(c, d) >= 2
			}
			if !bridged {
				return false
			}
		}
	}
	return true
}
