package smiles

import "slices"

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

// aromatize finds aromatic rings and systems of fused rings by Hückel's rule, from the Kekulé
// structure: how the text was written plays no part.
func (p *parser) aromatize() {
	if len(p.blocks) == 0 {
		return
	}
	h := huckel{
		parser: p, donors: make([]donor, len(p.Atoms)),
		atoms: p.ints.zeros(len(p.Atoms)), bonds: p.ints.zeros(len(p.Bonds)),
	}
	for i := range p.blocks {
		b := &p.blocks[i]
		count := 0
		for _, a := range b.atoms {
			h.donors[a] = p.donor(a)
			if h.donors[a].candidate {
				count++
			}
		}
		// A ring of candidates alone must be possible.
		if count == len(b.atoms) || count > 2 && len(b.bonds) > len(b.atoms) {
			h.aromatizeBlock(b)
		}
	}
}

// donor returns what atom i gives to a ring.
func (p *parser) donor(i int32) donor {
	a := &p.Atoms[i]
	d := p.electrons(i)
	if d.low < 0 {
		return donor{}
	}
	e := &elements[a.Number]
	z := int(a.Number) - int(a.Charge) // of the element with as many electrons
	most := -1
	if z >= 0 && z < len(elements) {
		most = elements[z].valence
	}
	d.candidate = (a.Number <= 18 || a.Number == 34 || a.Number == 52) &&
		(e.valence <= 0 || a.valence() <= most) &&
		(a.radicals == 0 || a.Number == 6 && a.Charge == 0)
	if d.candidate && int(a.explicit)-int(a.degree) > 1 {
		d.candidate = p.doubleOrTriple(i) <= 1
	}
	return d
}

// doubleOrTriple counts such bonds of atom i.
func (p *parser) doubleOrTriple(i int32) (count int) {
	for _, arc := range p.around(i) {
		if t := p.Bonds[arc.bond].Type; t == Double || t == Triple {
			count++
		}
	}
	return count
}

// electrons returns how many electrons ring atom i gives to the ring; low is -1 if it cannot take
// part. Electrons of a double bond out of the ring go to the more electronegative end.
func (p *parser) electrons(i int32) donor {
	a := &p.Atoms[i]
	inside, outside, stolen := p.multipleBonds(i)
	one := donor{low: 1, high: 1}
	n := p.piElectrons(i)
	switch {
	case a.Number == 0:
		return donor{low: 1, high: high(inside), wildcard: !inside}
	case n == 0 && outside, n == 1 && outside && stolen:
		return donor{}
	case n == 0 && inside, n == 1 && outside:
		return one
	case n == 1 && int(a.explicit) != int(a.degree)-p.weightlessBonds(i)+int(a.bracketH):
		return one
	case n == 1 && a.Charge == 1:
		return donor{} // as in tropylium
	case n <= 1:
		return donor{low: -1}
	case stolen:
		n--
	}
	return donor{low: int8(2 - n%2), high: int8(2 - n%2)}
}

// high returns the most electrons that a wildcard gives: one where it has a multiple bond in a ring.
func high(inside bool) int8 {
	if inside {
		return 1
	}
	return 2
}

// multipleBonds reports whether ring atom i has multiple bonds in a ring and out of it, and whether the
// electrons of the latter go to its other end.
func (p *parser) multipleBonds(i int32) (inside, outside, stolen bool) {
	a := &p.Atoms[i]
	for _, arc := range p.around(i) {
		b := &p.Bonds[arc.bond]
		switch {
		case b.twiceValence(i) < 4:
		case b.InRing:
			inside = true
		case !outside:
			n := &p.Atoms[arc.atom] // more electronegative with more outer electrons, or as many and smaller
			outer, own := elements[n.Number].outer, elements[a.Number].outer
			outside, stolen = true, outer > own || outer == own && n.Number < a.Number
		}
	}
	return inside, outside, stolen
}

// huckel applies Hückel's rule to the relevant cycles of a block and to fused sets of them.
type huckel struct {
	*parser
	donors       []donor
	cycles       []cycle   // all of whose atoms are candidates
	fused        [][]int32 // cycles that share just one bond with a cycle
	atoms, bonds []int32   // on how many cycles of a set an atom or bond is
}

// aromatizeBlock finds the candidate cycles of a block and which of them are fused.
func (h *huckel) aromatizeBlock(b *block) {
	h.perceive(b)
	h.cycles = h.cycles[:0]
	for _, c := range b.cycles {
		if h.allCandidates(b, c) {
			h.cycles = append(h.cycles, c)
		}
	}
	n := len(h.cycles)
	if n == 0 {
		return
	}
	h.fused = slices.Grow(h.fused[:0], n)[:n]
	clear(h.fused)
	for i, c := range h.cycles {
		for j, d := range h.cycles[:i] {
			h.spend(8 + len(c.bonds))
			if len(c.bonds) <= maxFusedSize && len(d.bonds) <= maxFusedSize && sharedBonds(c, d) == 1 {
				h.fused[i] = append(h.fused[i], int32(j))
				h.fused[j] = append(h.fused[j], int32(i))
			}
		}
	}
	h.aromatizeSets()
}

// allCandidates reports whether a cycle of a block can be aromatic: all its atoms are candidates and
// not all are wildcards.
func (h *huckel) allCandidates(b *block, c cycle) bool {
	known := false
	for _, a := range c.atoms {
		z := h.Atoms[a].Number
		large := len(c.atoms) > maxOpenRing && (z == 8 || z == 16)
		if !h.donors[a].candidate || large && h.inOpenRingOnly(b, a) {
			return false
		}
		known = known || z != 0
	}
	return known
}

// inOpenRingOnly reports a neutral O or S with two single bonds that is on no small ring of its block.
func (h *huckel) inOpenRingOnly(b *block, i int32) bool {
	if a := &h.Atoms[i]; a.Charge != 0 || a.degree != 2 {
		return false
	}
	for _, arc := range h.around(i) {
		if h.Bonds[arc.bond].Type != Single {
			return false
		}
	}
	h.spend(8 * len(b.cycles))
	return !slices.ContainsFunc(b.cycles, func(c cycle) bool {
		return len(c.atoms) <= maxOpenRing && contains(c.atoms, i)
	})
}

// aromatizeSets tries single rings, then fused sets of more and more of them, until all bonds are aromatic.
func (h *huckel) aromatizeSets() {
	n := len(h.cycles)
	set := h.ints.zeros(1)
	open := func(bond int32) bool { return !h.Bonds[bond].aromatic }
	for size := 1; size <= min(n, maxFusedRings); size++ {
		for i := range int32(n) {
			var later []int32
			if size > 1 {
				later = slices.DeleteFunc(slices.Clone(h.fused[i]), func(j int32) bool { return j < i })
			}
			set[0] = i
			h.grow(set, later, size)
		}
		if !slices.ContainsFunc(h.cycles, func(c cycle) bool { return slices.ContainsFunc(c.bonds, open) }) {
			break
		}
	}
}

// grow tests all connected sets of the given size that hold the cycles of a set, some of its extension,
// and others after the first one, each once (S. Wernicke, ESU, IEEE/ACM Trans. Comput. Biol. 3 (2006) 347).
func (h *huckel) grow(set, extension []int32, size int) {
	if len(set) == size {
		h.test(set)
		h.spend(16 * size)
		return
	}
	for len(extension) > 0 {
		last := len(extension) - 1
		next := extension[last]
		extension = extension[:last]
		further := slices.Clone(extension)
		for _, j := range h.fused[next] {
			near := func(i int32) bool { return i == j || slices.Contains(h.fused[i], j) }
			if j > set[0] && !slices.ContainsFunc(set, near) {
				further = append(further, j)
			}
		}
		h.grow(append(slices.Clone(set), next), further, size)
	}
}

// test marks the rim of a set of cycles aromatic if its electrons obey Hückel's rule: the bonds on just
// one of the cycles, and their atoms. Atoms on three of them are inside and give no electrons.
func (h *huckel) test(set []int32) {
	low, high, wildcards := 0, 0, 0
	count := func(a int32, sign int) {
		d := &h.donors[a]
		low += sign * int(d.low)
		high += sign * int(d.high)
		if d.wildcard {
			wildcards += sign
		}
	}
	for _, i := range set {
		for _, a := range h.cycles[i].atoms {
			h.atoms[a]++
			switch h.atoms[a] {
			case 1:
				count(a, 1)
			case 3:
				count(a, -1)
			}
		}
		for _, bond := range h.cycles[i].bonds {
			h.bonds[bond]++
		}
	}
	obeyed := wildcards <= 1 && obeysRule(low, high)
	for _, i := range set {
		for _, k := range h.cycles[i].bonds {
			bond := &h.Bonds[k]
			if obeyed && h.bonds[k] == 1 {
				bond.aromatic = true
				if bond.Type == Single || bond.Type == Double {
					bond.Type = Aromatic
					h.Atoms[bond.Begin].Aromatic, h.Atoms[bond.End].Aromatic = true, true
				}
			}
		}
	}
	h.forget(set)
}

// forget clears the counts of the atoms and bonds of a set.
func (h *huckel) forget(set []int32) {
	for _, i := range set {
		for _, a := range h.cycles[i].atoms {
			h.atoms[a] = 0
		}
		for _, k := range h.cycles[i].bonds {
			h.bonds[k] = 0
		}
	}
}

// obeysRule reports whether a number of electrons in the range is 4n+2. Two electrons count only where
// no more are possible.
func obeysRule(low, high int) bool {
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
