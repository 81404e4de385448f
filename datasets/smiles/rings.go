package smiles

import "slices"

// A block is a largest set of bonds any two of which lie on a common cycle: a fused ring system.
// Rings that share an atom alone (spiro) are in different blocks.
type block struct {
	atoms, bonds []int32 // ascending
	cycles       [2]int  // range of its relevant cycles, once perceived
	perceived    bool
}

// rings holds the blocks and the scratch of finding them.
type rings struct {
	blocks        []block
	blockAtoms    []int32
	blockBonds    []int32
	depth, lowest []int32
	via           []int32 // bond that the search came by
	next          []int32 // next arc to look at
	path          []int32 // atoms on the way from the root
	pending       []int32 // bonds not yet in a block
	relevant
}

// findRings finds the blocks and with them which bonds and atoms are on a cycle, by Tarjan's
// search for biconnected components. Dative bonds make no rings.
func (p *Parser) findRings() {
	m := &p.m
	n := len(m.Atoms)
	p.blocks = p.blocks[:0]
	p.blockAtoms, p.blockBonds = p.blockAtoms[:0], p.blockBonds[:0]
	p.resetCycles()
	if len(p.closures) == 0 {
		return
	}
	// Appending must not move what the blocks already refer to. An atom lies in several blocks
	// only where each takes another two of its bonds.
	p.blockBonds = resized(p.blockBonds, len(m.Bonds))[:0]
	p.blockAtoms = resized(p.blockAtoms, len(m.Bonds))[:0]
	p.depth = zeroed(p.depth, n)
	p.lowest = resized(p.lowest, n)
	p.via = resized(p.via, n)
	p.next = resized(p.next, n)
	for i := range m.Atoms {
		if p.depth[i] == 0 {
			p.searchBlocks(int32(i))
		}
	}
}

// searchBlocks finds the blocks of the fragment of root by depth-first search, without recursion:
// chains can be long.
func (p *Parser) searchBlocks(root int32) {
	m := &p.m
	p.pending = p.pending[:0]
	p.path = append(p.path[:0], root)
	p.depth[root], p.lowest[root], p.via[root] = 1, 1, -1
	p.next[root] = p.first[root]
	for len(p.path) > 0 {
		a := p.path[len(p.path)-1]
		if p.next[a] < p.first[a+1] {
			arc := p.arcs[p.next[a]]
			p.next[a]++
			switch {
			case arc.bond == p.via[a] || m.Bonds[arc.bond].Type == Dative:
			case p.depth[arc.atom] == 0:
				p.pending = append(p.pending, arc.bond)
				b := arc.atom
				p.depth[b] = p.depth[a] + 1
				p.lowest[b] = p.depth[b]
				p.via[b] = arc.bond
				p.next[b] = p.first[b]
				p.path = append(p.path, b)
			case p.depth[arc.atom] < p.depth[a]:
				p.pending = append(p.pending, arc.bond)
				p.lowest[a] = min(p.lowest[a], p.depth[arc.atom])
			}
			continue
		}
		p.path = p.path[:len(p.path)-1]
		if len(p.path) == 0 {
			break
		}
		parent := p.path[len(p.path)-1]
		p.lowest[parent] = min(p.lowest[parent], p.lowest[a])
		if p.lowest[a] >= p.depth[parent] {
			p.closeBlock(p.via[a])
		}
	}
}

// closeBlock makes a block of the pending bonds from the given one on, unless it is a bridge.
func (p *Parser) closeBlock(from int32) {
	m := &p.m
	k := len(p.pending) - 1
	for p.pending[k] != from {
		k--
	}
	bonds := p.pending[k:]
	p.pending = p.pending[:k]
	if len(bonds) == 1 {
		return
	}
	firstBond, firstAtom := len(p.blockBonds), len(p.blockAtoms)
	p.blockBonds = append(p.blockBonds, bonds...)
	for _, b := range bonds {
		bond := &m.Bonds[b]
		bond.InRing = true
		for _, a := range [2]int32{bond.Begin, bond.End} {
			// The depth of an atom seen in this block is negative until the block is done.
			m.Atoms[a].InRing = true
			if p.depth[a] > 0 {
				p.depth[a] = -p.depth[a]
				p.blockAtoms = append(p.blockAtoms, a)
			}
		}
	}
	b := block{atoms: p.blockAtoms[firstAtom:], bonds: p.blockBonds[firstBond:]}
	for _, a := range b.atoms {
		p.depth[a] = -p.depth[a]
	}
	slices.Sort(b.atoms)
	slices.Sort(b.bonds)
	p.blocks = append(p.blocks, b)
}
