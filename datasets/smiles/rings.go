package smiles

import "slices"

// rings are the ring systems of a molecule.
type rings struct {
	blockOf []int32 // number, from 1, of the block that a bond is in; 0 if it is on no cycle
	blocks  []block
}

// A block is a largest set of bonds any two of which lie on a common cycle: a fused ring system.
// Rings that share an atom alone (spiro) are in different blocks.
type block struct {
	atoms, bonds []int32 // ascending
	cycles       []cycle // the relevant ones, once perceived
}

// findRings finds the blocks and with them which bonds and atoms are on a cycle. Dative bonds make
// no rings.
//
// It is the search of J. Hopcroft and R. Tarjan (Algorithm 447, Comm. ACM 16 (1973) 372): a bond of
// a depth-first tree is in the block of the bond above it if a bond from below leads back beyond that.
func (p *parser) findRings() {
	n := len(p.Atoms)
	p.rings = rings{blockOf: p.ints.zeros(len(p.Bonds)), blocks: p.blocks[:0]}
	if len(p.closures) == 0 {
		return
	}
	depth, lowest, via := p.ints.zeros(n), p.ints.zeros(n), p.ints.zeros(n)
	order := p.depthFirst(depth, via)
	copy(lowest, depth) // the lowest depth that bonds from below an atom lead back to
	for k := len(order) - 1; k >= 0; k-- {
		a := order[k]
		for _, arc := range p.around(a) {
			b := arc.atom
			switch {
			case arc.bond == via[a] || p.Bonds[arc.bond].Type == Dative:
			case depth[b] < depth[a]:
				lowest[a] = min(lowest[a], depth[b])
			case arc.bond == via[b]:
				lowest[a] = min(lowest[a], lowest[b])
			}
		}
	}
	count := int32(0)
	for _, a := range order {
		if lowest[a] == depth[a] {
			continue // the root, or below a bridge
		}
		above := p.Bonds[via[a]].other(a)
		var k int32
		if lowest[a] < depth[above] {
			k = p.blockOf[via[above]]
		} else {
			count++
			k = count
		}
		for _, arc := range p.around(a) {
			if arc.bond == via[a] || depth[arc.atom] < depth[a] && p.Bonds[arc.bond].Type != Dative {
				p.blockOf[arc.bond] = k
			}
		}
	}
	p.fillBlocks(int(count))
}

// depthFirst returns the atoms in the order of a depth-first search from the first atom of each
// fragment, without recursion as chains can be long. It fills in the depth of each atom, from 1, and
// the bond to the atom above it.
func (p *parser) depthFirst(depth, via []int32) []int32 {
	order := p.ints.zeros(len(p.Atoms))[:0]
	stack := p.ends.zeros(len(p.arcs) + 1)[:0] // atoms to visit by bonds from those above
	for root := range p.Atoms {
		stack = append(stack, arc{int32(root), -1})
		for len(stack) > 0 {
			last := len(stack) - 1
			a, bond := stack[last].atom, stack[last].bond
			stack = stack[:last]
			if depth[a] > 0 {
				continue
			}
			depth[a], via[a] = 1, bond
			if bond >= 0 {
				depth[a] += depth[p.Bonds[bond].other(a)]
			}
			order = append(order, a)
			for _, arc := range p.around(a) {
				if depth[arc.atom] == 0 && p.Bonds[arc.bond].Type != Dative {
					stack = append(stack, arc)
				}
			}
		}
	}
	return order
}

// fillBlocks lists the atoms and bonds of the blocks and marks them.
func (p *parser) fillBlocks(count int) {
	p.blocks = slices.Grow(p.blocks, count)[:count]
	size := p.ints.zeros(count + 1)
	for _, k := range p.blockOf {
		size[k]++
	}
	for k := range p.blocks {
		n := int(size[k+1])
		p.blocks[k] = block{atoms: p.ints.zeros(n)[:0], bonds: p.ints.zeros(n)[:0]}
	}
	for i, k := range p.blockOf {
		if k > 0 {
			bond := &p.Bonds[i]
			bond.InRing, p.Atoms[bond.Begin].InRing, p.Atoms[bond.End].InRing = true, true, true
			p.blocks[k-1].bonds = append(p.blocks[k-1].bonds, int32(i))
		}
	}
	for a := range int32(len(p.Atoms)) {
		if !p.Atoms[a].InRing {
			continue
		}
		for _, arc := range p.around(a) {
			k := p.blockOf[arc.bond]
			if k == 0 {
				continue
			}
			b := &p.blocks[k-1]
			if n := len(b.atoms); n == 0 || b.atoms[n-1] != a {
				b.atoms = append(b.atoms, a)
			}
		}
	}
}
