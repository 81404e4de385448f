package smiles

import "math/bits"

const (
	maxFusedSize  = 24 // larger rings are looked at alone: a bit more than a porphyrin's rim
	maxFusedRings = 6  // rings that together make one aromatic circuit
	maxOpenRing   = 8  // O and S of a crown ether and the like are in larger rings only
)

// donor is what an atom gives to the π system of a ring: between low and high electrons.
type donor struct {
	low, high int8
	candidate bool // can be part of an aromatic ring at all
	wildcard  bool // gives one or two; a system may have one of these
}

// sextets is the scratch of finding aromatic rings.
type sextets struct {
	donors     []donor
	eligible   []int32 // cycles all of whose atoms are candidates
	component  []int32 // of an eligible cycle, -1 if none yet
	system     []int32 // eligible cycles of the present component
	neighbours [][]int32
	members    []int32 // of the subset that is being grown
	reached    []int8  // how many members a cycle is or touches
	extension  []int32
	cover      []int8 // how many members an atom is on
	low, high  int
	wildcards  int
	done, all  []uint64
}

// aromatize finds aromatic rings and systems of fused rings by Hückel's rule, from the Kekulé
// structure: how the text was written plays no part.
func (p *Parser) aromatize() error {
	if len(p.blocks) == 0 {
		return nil
	}
	n := len(p.m.Atoms)
	p.donors = resized(p.donors, n)
	p.cover = zeroed(p.cover, n)
	for i := range p.blocks {
		b := &p.blocks[i]
		if !p.mayBeAromatic(b) {
			continue
		}
		if err := p.perceive(b); err != nil {
			return err
		}
		if err := p.aromatizeBlock(b); err != nil {
			return err
		}
	}
	return nil
}

// mayBeAromatic finds the donors of a block and reports whether enough of them are candidates for
// a ring to consist of them.
func (p *Parser) mayBeAromatic(b *block) bool {
	count := 0
	for _, a := range b.atoms {
		d := p.donor(a)
		p.donors[a] = d
		if d.candidate {
			count++
		}
	}
	return count == len(b.atoms) || count > 2 && len(b.bonds) > len(b.atoms)
}

// donor returns what atom i gives to a ring.
func (p *Parser) donor(i int32) donor {
	a := &p.m.Atoms[i]
	d := p.electrons(i)
	if d.low < 0 {
		return donor{}
	}
	e := &elements[a.Number]
	d.candidate = (a.Number <= 18 || a.Number == 34 || a.Number == 52) &&
		(e.valence <= 0 || p.valence(a) <= p.chargedDefault(a)) &&
		(a.Radicals == 0 || a.Number == 6 && a.Charge == 0)
	if d.candidate && int(a.explicit)-int(a.degree) > 1 {
		multiple := 0
		for _, arc := range p.around(i) {
			if t := p.m.Bonds[arc.bond].Type; t == Double || t == Triple {
				multiple++
			}
		}
		d.candidate = multiple <= 1
	}
	return d
}

// chargedDefault returns the default valence of the element with as many electrons as a.
func (p *Parser) chargedDefault(a *Atom) int {
	z := int(a.Number) - int(a.Charge)
	if z < 0 || z >= len(elements) {
		return -1
	}
	return elements[z].valence
}

// electrons returns how many electrons ring atom i gives to the ring; low is -1 if it cannot take
// part. Electrons of a double bond out of the ring go to the more electronegative end.
func (p *Parser) electrons(i int32) donor {
	a := &p.m.Atoms[i]
	inside, outside, other := false, false, int32(-1)
	for _, arc := range p.around(i) {
		b := &p.m.Bonds[arc.bond]
		switch {
		case b.twiceValence(i) < 4:
		case b.InRing:
			inside = true
		case !outside:
			outside, other = true, arc.atom
		}
	}
	if a.Number == 0 {
		if inside {
			return donor{low: 1, high: 1}
		}
		return donor{low: 1, high: 2, wildcard: true}
	}
	stolen := outside && moreElectronegative(p.m.Atoms[other].Number, a.Number)
	switch n := p.piElectrons(i); {
	case n == 0 && outside:
		return donor{}
	case n == 0 && inside:
		return donor{low: 1, high: 1}
	case n == 1 && outside:
		if stolen {
			return donor{}
		}
		return donor{low: 1, high: 1}
	case n == 1 && int(a.explicit) != int(a.degree)-p.weightless(i)+int(a.bracketH):
		return donor{low: 1, high: 1}
	case n == 1 && a.Charge == 1:
		return donor{} // as in tropylium
	case n <= 1:
		return donor{low: -1}
	case stolen:
		n--
		return donor{low: int8(2 - n%2), high: int8(2 - n%2)}
	default:
		return donor{low: int8(2 - n%2), high: int8(2 - n%2)}
	}
}

// moreElectronegative compares elements by outer electrons, then by size.
func moreElectronegative(z, than uint8) bool {
	e, f := elements[z].outer, elements[than].outer
	return e > f || e == f && z < than
}

// aromatizeBlock applies Hückel's rule to the relevant cycles of a block and to fused sets of them.
func (p *Parser) aromatizeBlock(b *block) error {
	p.eligible = p.eligible[:0]
	for k := b.cycles[0]; k < b.cycles[1]; k++ {
		if p.allCandidates(p.cycle(k)) {
			p.eligible = append(p.eligible, int32(k))
		}
		if p.work < 0 {
			return complexity("aromaticity")
		}
	}
	n := len(p.eligible)
	p.component = resized(p.component, n)
	for i := range p.component {
		p.component[i] = -1
	}
	if !p.spend(n * n * (4 + len(b.bonds)/64)) {
		return complexity("aromaticity")
	}
	p.fuse()
	p.reached = zeroed(p.reached, n)
	for i := range n {
		if p.component[i] < 0 {
			p.collect(int32(i))
			if err := p.aromatizeSystem(b); err != nil {
				return err
			}
		}
	}
	return nil
}

// allCandidates reports whether a cycle can be aromatic: all its atoms are candidates and not all
// are wildcards.
func (p *Parser) allCandidates(c cycle) bool {
	known := false
	for _, a := range c.atoms {
		d := &p.donors[a]
		if !d.candidate {
			return false
		}
		n := &p.m.Atoms[a]
		if len(c.atoms) > maxOpenRing && (n.Number == 8 || n.Number == 16) && p.inOpenRingOnly(a) {
			return false
		}
		known = known || n.Number != 0
	}
	return known
}

// inOpenRingOnly reports a neutral O or S with two single bonds that is on no small ring.
func (p *Parser) inOpenRingOnly(i int32) bool {
	a := &p.m.Atoms[i]
	if a.Charge != 0 || a.degree != 2 {
		return false
	}
	for _, arc := range p.around(i) {
		if p.m.Bonds[arc.bond].Type != Single {
			return false
		}
	}
	for k := range p.cycleSpans {
		p.work -= len(p.cycle(k).bonds)
		if c := p.cycle(k); len(c.atoms) <= maxOpenRing && p.onCycle(c, i) {
			return false
		}
	}
	return true
}

// fuse finds the neighbours of each eligible cycle: those with which it shares just one bond.
func (p *Parser) fuse() {
	n := len(p.eligible)
	for len(p.neighbours) < n {
		p.neighbours = append(p.neighbours, nil)
	}
	for i := range n {
		p.neighbours[i] = p.neighbours[i][:0]
	}
	for i := range n {
		c := p.cycle(int(p.eligible[i]))
		if len(c.bonds) > maxFusedSize {
			continue
		}
		for j := range i {
			d := p.cycle(int(p.eligible[j]))
			if len(d.bonds) > maxFusedSize {
				continue
			}
			if sharedBonds(c, d) == 1 {
				p.neighbours[i] = append(p.neighbours[i], int32(j))
				p.neighbours[j] = append(p.neighbours[j], int32(i))
			}
		}
	}
}

// collect makes the system of all cycles fused to one, directly or through others.
func (p *Parser) collect(start int32) {
	p.system = append(p.system[:0], start)
	p.component[start] = start
	for head := 0; head < len(p.system); head++ {
		for _, j := range p.neighbours[p.system[head]] {
			if p.component[j] < 0 {
				p.component[j] = start
				p.system = append(p.system, j)
			}
		}
	}
}

// aromatizeSystem tries single rings of the system, then fused sets of more and more of them, until
// all bonds are aromatic.
func (p *Parser) aromatizeSystem(b *block) error {
	p.all = zeroed(p.all, (len(b.bonds)+63)/64)
	p.done = zeroed(p.done, len(p.all))
	for _, i := range p.system {
		for w, word := range p.cycle(int(p.eligible[i])).bits {
			p.all[w] |= word
		}
	}
	for size := 1; size <= min(len(p.system), maxFusedRings); size++ {
		for _, i := range p.system {
			p.extension = p.extension[:0]
			p.join(i)
			ok := p.grow(b, i, size, 0)
			p.leave(i)
			if !ok {
				return complexity("aromaticity")
			}
		}
		complete := true
		for w, word := range p.all {
			complete = complete && p.done[w] == word
		}
		if complete {
			break
		}
	}
	return nil
}

// grow completes the subset to the given size in all ways that keep it connected and its lowest
// member the first one, each once (S. Wernicke, ESU, IEEE/ACM Trans. Comput. Biol. 3 (2006) 347),
// and tests each. The members' neighbours not yet tried are extension[from:]. False means that
// there are too many.
func (p *Parser) grow(b *block, lowest int32, size, from int) bool {
	if len(p.members) == size {
		p.test(b)
		return p.spend(8)
	}
	for last := len(p.extension); last > from; last-- {
		next := p.extension[last-1]
		rest := len(p.extension)
		p.extension = append(p.extension, p.extension[from:last-1]...)
		begin := rest
		for _, j := range p.neighbours[next] {
			if j > lowest && p.reached[j] == 0 {
				p.extension = append(p.extension, j)
			}
		}
		p.join(next)
		ok := p.grow(b, lowest, size, begin)
		p.leave(next)
		p.extension = p.extension[:rest]
		if !ok {
			return false
		}
	}
	return true
}

// join adds a cycle to the subset.
func (p *Parser) join(i int32) {
	if len(p.members) == 0 {
		for _, j := range p.neighbours[i] {
			if j > i {
				p.extension = append(p.extension, j)
			}
		}
	}
	p.members = append(p.members, i)
	p.reached[i]++
	for _, j := range p.neighbours[i] {
		p.reached[j]++
	}
	for _, a := range p.cycle(int(p.eligible[i])).atoms {
		p.cover[a]++
		switch p.cover[a] {
		case 1:
			p.count(a, 1)
		case 3:
			p.count(a, -1) // inside the system, not on its rim
		}
	}
}

// leave takes the last cycle out of the subset.
func (p *Parser) leave(i int32) {
	p.members = p.members[:len(p.members)-1]
	p.reached[i]--
	for _, j := range p.neighbours[i] {
		p.reached[j]--
	}
	for _, a := range p.cycle(int(p.eligible[i])).atoms {
		switch p.cover[a] {
		case 1:
			p.count(a, -1)
		case 3:
			p.count(a, 1)
		}
		p.cover[a]--
	}
}

// count adds the electrons of an atom to those of the subset, or takes them away.
func (p *Parser) count(a int32, sign int) {
	d := &p.donors[a]
	p.low += sign * int(d.low)
	p.high += sign * int(d.high)
	if d.wildcard {
		p.wildcards += sign
	}
}

// test marks the rim of the subset aromatic if its electrons obey Hückel's rule: the bonds on just
// one of the rings, and their atoms.
func (p *Parser) test(b *block) {
	if p.wildcards > 1 || !huckel(p.low, p.high) {
		return
	}
	for w := range p.all {
		once, more := uint64(0), uint64(0)
		for _, i := range p.members {
			word := p.cycle(int(p.eligible[i])).bits[w]
			more |= once & word
			once |= word
		}
		rim := once &^ more
		for rest := rim &^ p.done[w]; rest != 0; rest &= rest - 1 {
			bond := &p.m.Bonds[b.bonds[64*w+bits.TrailingZeros64(rest)]]
			bond.aromatic = true
			if bond.Type == Single || bond.Type == Double {
				bond.Type = Aromatic
				p.m.Atoms[bond.Begin].Aromatic = true
				p.m.Atoms[bond.End].Aromatic = true
			}
		}
		p.done[w] |= rim
	}
}

// huckel reports whether a number of electrons in the range is 4n+2. Two electrons count only where
// no more are possible.
func huckel(low, high int) bool {
	if high < 6 {
		return high == 2
	}
	for n := low; n <= high; n++ {
		if n%4 == 2 {
			return true
		}
	}
	return false
}
