package smiles

import "slices"

// maxOptional bounds the wildcards of a ring system that are tried with and without a double bond.
const maxOptional = 16

// markWildcards lets the wildcards of the block take double bonds where a ring may need them. A
// wildcard is out of question if no ring of it has an aromatic atom of its own, or if it has as many
// earlier saturated neighbours as rings.
func (p *Parser) markWildcards(b *block) error {
	p.optional = p.optional[:0]
	for _, a := range b.atoms {
		if p.m.Atoms[a].Number != 0 {
			continue
		}
		if err := p.perceive(b); err != nil {
			return err
		}
		p.place[a] = unseen
		inRings, hopeless, saturated := 0, 0, 0
		for k := b.cycles[0]; k < b.cycles[1]; k++ {
			c := p.cycle(k)
			if !p.onCycle(c, a) {
				continue
			}
			inRings++
			if !p.hasOwnAromatic(b, c) {
				hopeless++
			}
			if p.work < 0 {
				return complexity("kekule")
			}
		}
		for _, arc := range p.around(a) {
			// RDKit looks at earlier atoms only.
			if n := &p.m.Atoms[arc.atom]; arc.atom < a && n.Number != 0 && !n.lowercase {
				if _, ok := slices.BinarySearch(b.atoms, arc.atom); ok {
					saturated++
				}
			}
		}
		p.wants[a] = hopeless < inRings && saturated < inRings
		if p.wants[a] {
			p.optional = append(p.optional, a)
		}
	}
	return nil
}

// onCycle reports whether a cycle passes through atom a.
func (p *Parser) onCycle(c cycle, a int32) bool {
	p.work -= len(c.bonds)
	for _, i := range c.bonds {
		if b := &p.m.Bonds[i]; b.Begin == a || b.End == a {
			return true
		}
	}
	return false
}

// hasOwnAromatic reports whether a cycle has an aromatic atom that is on no other cycle.
func (p *Parser) hasOwnAromatic(b *block, c cycle) bool {
	for _, i := range c.bonds {
		for _, a := range [2]int32{p.m.Bonds[i].Begin, p.m.Bonds[i].End} {
			if !p.writtenAromatic(a) {
				continue
			}
			count := 0
			for k := b.cycles[0]; k < b.cycles[1] && p.work >= 0; k++ {
				if p.onCycle(p.cycle(k), a) {
					count++
				}
			}
			if count == 1 {
				return true
			}
		}
	}
	return false
}

// searchWithoutWildcards repeats the search with every choice of wildcards that take no double
// bond.
func (p *Parser) searchWithoutWildcards(b *block) (bool, error) {
	optional := p.optional
	if len(optional) > maxOptional {
		return false, complexity("kekule")
	}
	wanted := make([]bool, len(b.atoms))
	p.reset(b)
	for k, a := range b.atoms {
		wanted[k] = p.wants[a]
	}
	for mask := 1; mask < 1<<len(optional); mask++ {
		p.reset(b)
		for k, a := range b.atoms {
			p.wants[a] = wanted[k]
		}
		for k, a := range optional {
			if mask&(1<<k) != 0 {
				p.wants[a] = false
			}
		}
		if ok, err := p.search(b); ok || err != nil {
			return ok, err
		}
	}
	return false, nil
}

// reset takes a search back to its beginning.
func (p *Parser) reset(b *block) {
	p.undo(-1)
	for _, a := range b.atoms {
		if p.place[a] != outside {
			p.place[a] = unseen
		}
	}
}
