package smiles

// smallestStereoRing is the size from which a ring can hold a trans double bond.
const smallestStereoRing = 8

// labelBonds names double bonds Z or E where both ends have a / or \ and different neighbours. It
// reports whether some possible ones are left and whether any was settled.
func (p *Parser) labelBonds() (left, labelled bool) {
	m := &p.m
	var conflicting []int32
	for i := range m.Bonds {
		b := &m.Bonds[i]
		if b.Type != Double || b.Stereo != StereoNone {
			continue
		}
		begin, end := &m.Atoms[b.Begin], &m.Atoms[b.End]
		if begin.degree < 2 || begin.degree > 3 || end.degree < 2 || end.degree > 3 ||
			b.InRing && p.inSmallRing(int32(i)) {
			continue
		}
		from, beginClash := p.pointing(b.Begin, int32(i))
		to, endClash := p.pointing(b.End, int32(i))
		switch {
		case from == noDirection || to == noDirection:
			left = true
			continue
		case beginClash || endClash:
			if beginClash {
				conflicting = append(conflicting, b.Begin, int32(i))
			}
			if endClash {
				conflicting = append(conflicting, b.End, int32(i))
			}
		case from == to:
			b.Stereo = StereoZ
		default:
			b.Stereo = StereoE
		}
		labelled = true
	}
	for ; len(conflicting) > 0; conflicting = conflicting[2:] {
		for _, arc := range p.around(conflicting[0]) {
			if arc.bond != conflicting[1] {
				m.Bonds[arc.bond].dir = noDirection
			}
		}
	}
	return left, labelled
}

// pointing returns where the higher-ranked neighbour of atom i stands beside a double bond, seen
// from i, or noDirection if that is not told or the neighbours are alike. Of two neighbours one
// may be told alone; clash reports that both are told to stand on the same side.
func (p *Parser) pointing(i, doubleBond int32) (dir direction, clash bool) {
	var dirs [2]direction
	var ranks [2]int32
	n := 0
	for _, arc := range p.around(i) {
		if arc.bond == doubleBond {
			continue
		}
		b := &p.m.Bonds[arc.bond]
		dirs[n], ranks[n] = b.dir, p.ranks[arc.atom]
		if b.Begin != i {
			dirs[n] = -b.dir
		}
		n++
	}
	if dirs[0] == noDirection && dirs[1] == noDirection || n == 2 && ranks[0] == ranks[1] {
		return noDirection, false
	}
	if n == 1 {
		return dirs[0], false
	}
	switch noDirection {
	case dirs[0]:
		dirs[0] = -dirs[1]
	case dirs[1]:
		dirs[1] = -dirs[0]
	}
	if ranks[0] > ranks[1] {
		return dirs[0], dirs[0] == dirs[1]
	}
	return dirs[1], dirs[0] == dirs[1]
}

// inSmallRing reports whether a ring too small for a trans double bond contains bond i: a
// breadth-first search from one end to the other, without i.
func (p *Parser) inSmallRing(i int32) bool {
	b := &p.m.Bonds[i]
	p.near[b.Begin] = 1 // counts atoms
	p.queue = append(p.queue[:0], b.Begin)
	defer func() {
		for _, a := range p.queue {
			p.near[a] = 0
		}
	}()
	for head := 0; head < len(p.queue); head++ {
		a := p.queue[head]
		if p.near[a] == smallestStereoRing-1 {
			break
		}
		p.work -= len(p.around(a))
		for _, arc := range p.around(a) {
			if arc.bond == i || !p.m.Bonds[arc.bond].InRing || p.near[arc.atom] > 0 {
				continue
			}
			if arc.atom == b.End {
				return true
			}
			p.near[arc.atom] = p.near[a] + 1
			p.queue = append(p.queue, arc.atom)
		}
	}
	return false
}
