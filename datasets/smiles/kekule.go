package smiles

import "fmt"

// kekule is the scratch of finding Kekulé structures.
type kekule struct {
	wants    []bool  // atom must still take a double bond
	order    []int32 // atoms done, then atoms waiting
	place    []int32 // of an atom in order; waiting or outside as below
	doubled  []int32 // bonds made double, in turn
	choices  []arc   // partners not yet tried
	retries  []retry
	byAtom   []arc   // neighbours by ascending index
	optional []int32 // wildcards, which need not take a double bond
}

const (
	unseen  = -1 // not in order yet
	outside = -2 // not part of the search
)

// A retry is an atom that still has partners to try: of choices[begin:], those from next on.
type retry struct {
	atom        int32
	begin, next int
}

// maxRetries is RDKit's bound on the wrong turns of a search.
const maxRetries = 100

// kekulize turns the aromatic bonds of each ring system to alternating single and double bonds.
// Aromaticity as written is forgotten afterwards: aromatize finds it anew.
func (p *Parser) kekulize() error {
	m := &p.m
	written := false
	for i := range m.Bonds {
		if m.Bonds[i].Type == Aromatic {
			m.Bonds[i].written = true
			written = true
		}
	}
	for i := range m.Atoms {
		written = written || m.Atoms[i].lowercase
	}
	if written {
		n := len(m.Atoms)
		p.wants = zeroed(p.wants, n)
		p.place = resized(p.place, n)
		for i := range p.place {
			p.place[i] = outside
		}
		for i := range p.blocks {
			if err := p.kekulizeBlock(&p.blocks[i]); err != nil {
				return err
			}
		}
	}
	for i := range m.Atoms {
		a := &m.Atoms[i]
		if a.lowercase && !a.InRing {
			return &RefusalError{
				Step: "kekule", Atom: i,
				Reason: fmt.Sprintf("atom %d is written aromatic but is in no ring", i),
				note:   fmt.Sprintf("AtomKekulizeException: non-ring atom %d marked aromatic", i),
			}
		}
		if a.lowercase && (a.Number == 7 || a.Number == 15) && a.Charge == 0 && a.bracketH == 1 {
			if !p.unbracket(int32(i)) {
				return &RefusalError{
					Step: "kekule", Atom: i,
					Reason: fmt.Sprintf("aromatic atom %d does not keep its valence", i),
					note:   "AtomKekulizeException: Kekulization somehow screwed up valence",
				}
			}
		}
	}
	return nil
}

// unbracket lets a pyrrole nitrogen have as many hydrogens as its Kekulé structure leaves room for:
// [nH] was written so only to say that it takes no double bond. It reports whether the valence stays.
func (p *Parser) unbracket(i int32) bool {
	a := &p.m.Atoms[i]
	before := p.valence(a)
	a.lowercase, a.bracket, a.bracketH = false, false, 0
	bonded, aromatic := p.explicitValence(i)
	h, _ := implicitHydrogens(a, bonded, aromatic)
	a.explicit, a.Hydrogens = int16(bonded), uint8(h)
	a.lowercase = true
	return p.valence(a) == before
}

// kekulizeBlock finds a Kekulé structure of one ring system.
func (p *Parser) kekulizeBlock(b *block) error {
	if !p.markAromatic(b) {
		return nil
	}
	if err := p.markWildcards(b); err != nil {
		return err
	}
	ok, err := p.search(b)
	if err == nil && !ok {
		ok, err = p.searchWithoutWildcards(b)
	}
	if err != nil {
		return err
	}
	if !ok {
		atom := -1
		for _, a := range b.atoms {
			if p.wants[a] {
				atom = int(a)
				break
			}
		}
		return &RefusalError{
			Step: "kekule", Atom: atom,
			Reason: fmt.Sprintf("the ring system of atom %d has no Kekulé structure", b.atoms[0]),
			note:   "KekulizeException: Can't kekulize mol.",
		}
	}
	for _, a := range b.atoms {
		p.place[a] = outside
	}
	return nil
}

// markAromatic finds the atoms of the block that must take a double bond and makes their aromatic
// bonds single; false means that there is nothing aromatic here.
func (p *Parser) markAromatic(b *block) bool {
	found := false
	for _, a := range b.atoms {
		if p.writtenAromatic(a) {
			found = true
			p.place[a] = unseen
			p.wants[a] = p.takesDouble(a)
		}
	}
	if !found {
		return false
	}
	for _, a := range b.atoms {
		if p.place[a] != unseen && p.m.Atoms[a].Number != 0 {
			continue
		}
		for _, arc := range p.around(a) {
			if bond := &p.m.Bonds[arc.bond]; bond.Type == Aromatic {
				bond.Type = Single
			}
		}
	}
	return true
}

// writtenAromatic reports an atom in lower case or on a bond written or implied aromatic.
func (p *Parser) writtenAromatic(a int32) bool {
	if p.m.Atoms[a].lowercase {
		return true
	}
	for _, arc := range p.around(a) {
		if p.m.Bonds[arc.bond].written {
			return true
		}
	}
	return false
}

// takesDouble reports whether an atom, with all aromatic bonds counted single, is one short of its
// valence.
func (p *Parser) takesDouble(i int32) bool {
	a := &p.m.Atoms[i]
	sigma, ignored := int(a.Hydrogens), 0
	for _, arc := range p.around(i) {
		b := &p.m.Bonds[arc.bond]
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
	implicit := int(a.Hydrogens) - int(a.bracketH)
	total := int(a.explicit) + implicit
	for _, v := range e.allowed[1:] {
		if total <= valence || v <= 0 {
			break
		}
		valence = int(v) + charge
	}
	if int(a.degree)+implicit-ignored >= valence {
		return false
	}
	return valence == sigma+1 || a.bracket && valence == sigma+2
}

// search looks for a perfect matching of the atoms that want a double bond: breadth-first from the
// lowest atom, giving each the first partner that is free, and back to the last choice where one
// is left alone. The order is RDKit's, for it shows where a ring does not end up aromatic.
func (p *Parser) search(b *block) (bool, error) {
	p.order, p.doubled = p.order[:0], p.doubled[:0]
	p.choices, p.retries = p.choices[:0], p.retries[:0]
	head, start, tries := 0, 0, 0
	for {
		if head == len(p.order) {
			for start < len(b.atoms) && p.place[b.atoms[start]] != unseen {
				start++
			}
			if start == len(b.atoms) {
				return true, nil
			}
			p.enqueue(b.atoms[start])
		}
		a := p.order[head]
		head++
		if !p.spend(8) {
			return false, complexity("kekule")
		}
		retrying := len(p.retries) > 0 && p.retries[len(p.retries)-1].atom == a
		first := len(p.choices)
		if !retrying {
			p.look(a, head)
		}
		if !p.wants[a] {
			continue
		}
		switch {
		case retrying:
			last := &p.retries[len(p.retries)-1]
			p.pair(a, p.choices[last.next])
			last.next++
			if last.next == len(p.choices) {
				p.choices = p.choices[:last.begin]
				p.retries = p.retries[:len(p.retries)-1]
			}
		case len(p.choices) > first:
			p.pair(a, p.choices[first])
			if first+1 < len(p.choices) {
				p.retries = append(p.retries, retry{a, first, first + 1})
			} else {
				p.choices = p.choices[:first]
			}
		case p.m.Atoms[a].Number == 0:
			// A wildcard may go without.
		case len(p.retries) == 0 || tries == maxRetries:
			return false, nil
		default:
			tries++
			last := p.retries[len(p.retries)-1]
			head = int(p.place[last.atom])
			p.undo(int32(head))
		}
	}
}

// enqueue appends an atom to those waiting.
func (p *Parser) enqueue(a int32) {
	p.place[a] = int32(len(p.order))
	p.order = append(p.order, a)
}

// look appends the neighbours of a, by ascending index, to those waiting and, if a wants a double
// bond, its possible partners to the choices.
func (p *Parser) look(a int32, head int) {
	p.byAtom = append(p.byAtom[:0], p.around(a)...)
	for i := range p.byAtom {
		for ; i > 0 && p.byAtom[i].atom < p.byAtom[i-1].atom; i-- {
			p.byAtom[i], p.byAtom[i-1] = p.byAtom[i-1], p.byAtom[i]
		}
	}
	for _, arc := range p.byAtom {
		place := p.place[arc.atom]
		if place == outside || place >= 0 && int(place) < head {
			continue
		}
		if place == unseen {
			p.enqueue(arc.atom)
		}
		if !p.wants[a] || !p.wants[arc.atom] {
			continue
		}
		if p.m.Bonds[arc.bond].written || p.m.Atoms[a].Number == 0 || p.m.Atoms[arc.atom].Number == 0 {
			p.choices = append(p.choices, arc)
		}
	}
}

// pair makes the bond of an arc from a double.
func (p *Parser) pair(a int32, to arc) {
	p.m.Bonds[to.bond].Type, p.m.Bonds[to.bond].dir = Double, noDirection
	p.wants[a], p.wants[to.atom] = false, false
	p.doubled = append(p.doubled, to.bond)
}

// undo makes the double bonds single again that touch no atom before a place in the order.
func (p *Parser) undo(place int32) {
	kept := p.doubled[:0]
	for _, i := range p.doubled {
		b := &p.m.Bonds[i]
		if p.place[b.Begin] < place || p.place[b.End] < place {
			kept = append(kept, i)
			continue
		}
		b.Type = Single
		p.wants[b.Begin], p.wants[b.End] = true, true
	}
	p.doubled = kept
}
