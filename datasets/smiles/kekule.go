package smiles

import (
	"cmp"
	"slices"
)

// kekulize turns the aromatic bonds of each ring system to alternating single and double bonds.
// Aromaticity as written is forgotten afterwards: aromatize finds it anew.
func (p *parser) kekulize() {
	for i := range p.Bonds {
		p.Bonds[i].written = p.Bonds[i].Type == Aromatic
	}
	if slices.ContainsFunc(p.Bonds, func(b Bond) bool { return b.written }) ||
		slices.ContainsFunc(p.Atoms, func(a Atom) bool { return a.lowercase }) {
		k := kekule{parser: p, wants: p.ints.zeros(len(p.Atoms)), place: p.ints.zeros(len(p.Atoms))}
		for i := range p.blocks {
			k.kekulizeBlock(&p.blocks[i])
		}
	}
	for i := range p.Atoms {
		a := &p.Atoms[i]
		if a.lowercase && !a.InRing {
			p.refuse("atom %d is written aromatic but is in no ring", i)
		}
		pyrrole := a.lowercase && (a.Number == 7 || a.Number == 15) && a.Charge == 0 && a.bracketH == 1
		if pyrrole && !p.unbracket(int32(i)) {
			p.refuse("aromatic atom %d does not keep its valence", i)
		}
	}
}

// unbracket lets a pyrrole nitrogen have as many hydrogens as its Kekulé structure leaves room for:
// [nH] was written so only to say that it takes no double bond. It reports whether the valence stays.
func (p *parser) unbracket(i int32) bool {
	a := &p.Atoms[i]
	before := a.valence()
	a.lowercase, a.bracket, a.bracketH = false, false, 0
	bonded, aromatic := p.explicitValence(i)
	h, _ := implicitHydrogens(a, bonded, aromatic)
	a.explicit, a.Hydrogens = int16(bonded), uint8(h)
	a.lowercase = true
	return a.valence() == before
}

// kekule finds Kekulé structures of the ring systems of a molecule.
type kekule struct {
	*parser
	wants []int32 // 1 if the atom takes or may take a double bond
	place []int32 // of the atom in the order of the system, from 1; 0 if it is not part of it
}

// maxTries bounds the sets of wildcards without a double bond that are tried.
const maxTries = 64

// kekulizeBlock finds the Kekulé structure of one ring system: a matching of the atoms that take a double
// bond. Of several it is RDKit's, for it shows where a ring does not end up aromatic: the first in the order
// of the atoms, with all wildcards that may have a double bond; if it is not full, without some of them.
func (k *kekule) kekulizeBlock(b *block) {
	if !slices.ContainsFunc(b.atoms, k.writtenAromatic) {
		return
	}
	order := k.order(b)
	k.makeSingle(order)
	wild := k.optionalWildcards(b)
	for _, a := range wild {
		k.wants[a] = 1
	}
	m := newMatching(k.parser, k.partners(order))
	for i, a := range order {
		m.optional[i+1] = k.wants[a] == 0 || k.Atoms[a].Number == 0
	}
	all, full := m.cover(nil)
	if !all {
		k.refuse("the ring system of atom %d has no Kekulé structure", b.atoms[0])
	}
	for tried := 1; !full && tried < min(maxTries, 1<<min(len(wild), 30)); tried++ {
		var absent []int32
		for i, a := range wild {
			if tried>>i&1 == 1 {
				absent = append(absent, k.place[a])
			}
		}
		_, full = m.cover(absent)
	}
	if !full {
		m.cover(nil)
	}
	for i, partners := range m.neighbors {
		for _, e := range partners {
			if m.mate[i] == e.atom {
				k.Bonds[e.bond].Type, k.Bonds[e.bond].dir = Double, noDirection
			}
		}
	}
	for _, a := range order {
		k.place[a], k.wants[a] = 0, 0
	}
}

// makeSingle finds the atoms that take a double bond, and makes aromatic bonds single.
func (k *kekule) makeSingle(order []int32) {
	for _, a := range order {
		if k.Atoms[a].Number != 0 && k.takesDouble(a) {
			k.wants[a] = 1
		}
	}
	for _, a := range order {
		for _, arc := range k.around(a) {
			if bond := &k.Bonds[arc.bond]; bond.Type == Aromatic {
				bond.Type = Single
			}
		}
	}
}

// order lists the aromatic atoms and wildcards of a block breadth-first from the lowest atom, neighbors
// ascending.
func (k *kekule) order(b *block) []int32 {
	const waiting = -1
	for _, a := range b.atoms {
		if k.Atoms[a].Number == 0 || k.writtenAromatic(a) {
			k.place[a] = waiting
		}
	}
	order := k.ints.zeros(len(b.atoms))[:0]
	visit := func(a int32) {
		if k.place[a] == waiting {
			order = append(order, a)
			k.place[a] = int32(len(order))
		}
	}
	head := 0
	for _, start := range b.atoms {
		visit(start)
		for ; head < len(order); head++ {
			for _, arc := range k.ascending(order[head]) {
				visit(arc.atom)
			}
		}
	}
	return order
}

// ascending returns the arcs of atom a by ascending neighbor.
func (k *kekule) ascending(a int32) []arc {
	arcs := append(k.ends.zeros(len(k.around(a)))[:0], k.around(a)...)
	slices.SortFunc(arcs, func(a, b arc) int { return cmp.Compare(a.atom, b.atom) })
	return arcs
}

// writtenAromatic reports an atom in lower case or on a bond written or implied aromatic.
func (p *parser) writtenAromatic(a int32) bool {
	return p.Atoms[a].lowercase ||
		slices.ContainsFunc(p.around(a), func(a arc) bool { return p.Bonds[a.bond].written })
}

// takesDouble reports whether an atom, with all aromatic bonds counted single, is one short of its
// valence.
func (p *parser) takesDouble(i int32) bool {
	a := &p.Atoms[i]
	sigma, ignored := int(a.Hydrogens), 0
	for _, arc := range p.around(i) {
		b := &p.Bonds[arc.bond]
		if b.written {
			sigma++
			continue
		}
		order := (b.twiceValence(i) + 1) / 2
		sigma += order
		if order == 0 {
			ignored++
		}
	}
	e := &elements[a.Number]
	charge := int(a.Charge)
	if e.early || a.Number == 6 && charge > 0 {
		charge = -charge
	}
	valence := e.valence + charge
	for _, v := range e.allowed[1:] {
		if a.valence() <= valence || v <= 0 {
			break
		}
		valence = int(v) + charge
	}
	if a.neighbors()-int(a.bracketH)-ignored >= valence {
		return false
	}
	return valence == sigma+1 || a.bracket && valence == sigma+2
}

// optionalWildcards returns the wildcards of a block that take a double bond where a ring needs it:
// those on a ring with an aromatic atom of its own, and with fewer earlier saturated neighbors than rings.
func (k *kekule) optionalWildcards(b *block) (optional []int32) {
	wildcard := func(a int32) bool { return k.Atoms[a].Number == 0 }
	if !slices.ContainsFunc(b.atoms, wildcard) {
		return nil
	}
	k.perceive(b)
	rings, hopeful := k.countRings(b)
	for _, a := range b.atoms {
		if !wildcard(a) || !hopeful[a] {
			continue
		}
		saturated := 0
		for _, arc := range k.around(a) {
			// RDKit looks at earlier atoms only.
			n := &k.Atoms[arc.atom]
			if arc.atom < a && n.Number != 0 && !n.lowercase && contains(b.atoms, arc.atom) {
				saturated++
			}
		}
		if saturated < rings[a] {
			optional = append(optional, a)
		}
	}
	return optional
}

// countRings returns on how many rings of a block each atom is, and whether one of these has an aromatic atom
// of its own.
func (k *kekule) countRings(b *block) (rings map[int32]int, hopeful map[int32]bool) {
	rings, hopeful = map[int32]int{}, map[int32]bool{}
	for _, c := range b.cycles {
		for _, a := range c.atoms {
			rings[a]++
		}
	}
	for _, c := range b.cycles {
		own := slices.ContainsFunc(c.atoms, func(a int32) bool {
			return rings[a] == 1 && k.writtenAromatic(a)
		})
		for _, a := range c.atoms {
			hopeful[a] = hopeful[a] || own
		}
		k.spend(8 * len(c.atoms))
	}
	return rings, hopeful
}

// contains reports whether a number is in an ascending list.
func contains(ascending []int32, v int32) bool {
	_, ok := slices.BinarySearch(ascending, v)
	return ok
}

// partners returns, by place, the places of the neighbors that an atom can have a double bond with, in the
// order of the atoms.
func (k *kekule) partners(order []int32) [][]arc {
	partners := make([][]arc, len(order)+1)
	for i, a := range order {
		if k.wants[a] == 0 {
			continue
		}
		free := slices.DeleteFunc(k.ascending(a), func(e arc) bool {
			return k.place[e.atom] == 0 || k.wants[e.atom] == 0 ||
				!k.Bonds[e.bond].written && k.Atoms[a].Number != 0 && k.Atoms[e.atom].Number != 0
		})
		for j := range free {
			free[j].atom = k.place[free[j].atom]
		}
		partners[i+1] = free
	}
	return partners
}
