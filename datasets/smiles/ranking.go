package smiles

import (
	"cmp"
	"slices"
)

// ranking is the scratch of ranking atoms. Atoms of equal rank form a class; the classes stand one
// behind the other in order, and the rank of a class is where it starts.
type ranking struct {
	ranks   []int32
	keys    []int64
	labels  []label
	ranked  []int32 // atoms by rank
	spot    []int32 // of an atom in ranked
	class   []int32 // of an atom
	start   []int32 // of a class in ranked
	size    []int32 // of a class
	lists   []int32 // lists of atoms, as listNeighbours makes them
	begin   []int32 // list of atom a is lists[begin[a]:end[a]]
	end     []int32
	touched []int32 // atoms with a neighbour in a new class
	changed []int32 // atoms in a new class
	round   []int32 // in which an atom was last touched
	nbrs    []arc
	near    []int32 // distances of inSmallRing, 0 outside of it
	paired  []bool  // of ringPairs
	visited []bool
}

// refine ranks the atoms by keys, and equal ones by the ranks of their neighbours again and again,
// until nothing changes or each atom can have felt all others (P. Labute, An efficient algorithm
// for the determination of topological RS chirality, 1996). The lists of a class can only begin
// to differ at atoms with a neighbour that changed its class, so only those are looked at.
func (p *Parser) refine() error {
	n := len(p.m.Atoms)
	p.classify()
	p.begin, p.end = resized(p.begin, n), resized(p.end, n)
	p.round = zeroed(p.round, n)
	p.touched = append(p.touched[:0], p.ranked...)
	for round := int32(1); len(p.touched) > 0 && int(round) <= n/2+1; round++ {
		p.lists = p.lists[:0]
		for _, a := range p.touched {
			p.listNeighbours(a)
		}
		slices.SortFunc(p.touched, func(a, b int32) int {
			return cmp.Or(cmp.Compare(p.start[p.class[a]], p.start[p.class[b]]), p.compareLists(a, b))
		})
		// All lists are made before any class changes: a round uses the ranks of the one before.
		p.eachTouchedClass(p.gather)
		p.changed = p.changed[:0]
		p.eachTouchedClass(p.split)
		if !p.spend(16*len(p.touched) + len(p.lists)) {
			return complexity("stereo")
		}
		p.touched = p.touched[:0]
		for _, a := range p.changed {
			for _, arc := range p.around(a) {
				if b := arc.atom; p.round[b] != round && p.size[p.class[b]] > 1 {
					p.round[b] = round
					p.touched = append(p.touched, b)
				}
			}
		}
	}
	p.ranks = resized(p.ranks, n)
	for i := range p.ranks {
		p.ranks[i] = p.start[p.class[i]]
	}
	return nil
}

// classify makes the first classes: atoms with equal keys.
func (p *Parser) classify() {
	n := len(p.m.Atoms)
	p.ranked, p.spot, p.class = resized(p.ranked, n), resized(p.spot, n), resized(p.class, n)
	for i := range p.ranked {
		p.ranked[i] = int32(i)
	}
	slices.SortFunc(p.ranked, func(a, b int32) int { return cmp.Compare(p.keys[a], p.keys[b]) })
	p.start, p.size = p.start[:0], p.size[:0]
	for k, a := range p.ranked {
		if k == 0 || p.keys[p.ranked[k-1]] != p.keys[a] {
			p.start, p.size = append(p.start, int32(k)), append(p.size, 0)
		}
		last := len(p.size) - 1
		p.size[last]++
		p.spot[a], p.class[a] = int32(k), int32(last)
	}
}

// listNeighbours makes the list of atom i: each neighbour's rank (from 1) twice the bond order
// times, highest first, then a 0 for each hydrogen.
func (p *Parser) listNeighbours(i int32) {
	p.nbrs = append(p.nbrs[:0], p.around(i)...)
	rank := func(a arc) int32 { return p.start[p.class[a.atom]] }
	slices.SortFunc(p.nbrs, func(a, b arc) int { return cmp.Compare(rank(b), rank(a)) })
	p.begin[i] = int32(len(p.lists))
	for _, arc := range p.nbrs {
		b, n := &p.m.Bonds[arc.bond], &p.m.Atoms[arc.atom]
		times := twiceOrder[b.Type]
		if b.Type == Double && n.Number == 15 && (n.degree == 3 || n.degree == 4) {
			times = 1 // d orbitals do not count
		}
		for range times {
			p.lists = append(p.lists, rank(arc)+1)
		}
	}
	for range p.m.Atoms[i].Hydrogens {
		p.lists = append(p.lists, 0)
	}
	p.end[i] = int32(len(p.lists))
}

// compareLists compares the lists of two atoms.
func (p *Parser) compareLists(a, b int32) int {
	return slices.Compare(p.lists[p.begin[a]:p.end[a]], p.lists[p.begin[b]:p.end[b]])
}

// eachTouchedClass calls f with the touched atoms of each class of two or more.
func (p *Parser) eachTouchedClass(f func(class int32, touched []int32)) {
	for i := 0; i < len(p.touched); {
		c, k := p.class[p.touched[i]], i+1
		for k < len(p.touched) && p.class[p.touched[k]] == c {
			k++
		}
		if p.size[c] > 1 {
			f(c, p.touched[i:k])
		}
		i = k
	}
}

// gather moves the touched atoms to the end of their class. The others have equal lists, so the
// list of the first one stands for all of them.
func (p *Parser) gather(class int32, touched []int32) {
	last := p.start[class] + p.size[class]
	for _, a := range touched {
		last--
		p.put(p.ranked[last], p.spot[a])
		p.put(a, last)
	}
	if int(p.size[class]) > len(touched) {
		p.listNeighbours(p.ranked[p.start[class]])
	}
}

// put places an atom in the order.
func (p *Parser) put(a, place int32) {
	p.ranked[place], p.spot[a] = a, place
}

// split orders the touched atoms of a class by their lists, before and behind the others, and makes
// a class of each that differ. The others, or else the most that are alike, stay in the class.
func (p *Parser) split(class int32, touched []int32) {
	others := int(p.size[class]) - len(touched)
	kept := p.ranked[p.start[class]]
	if others == 0 {
		kept = p.commonest(touched)
	}
	lower, upper := 0, len(touched)
	for lower < len(touched) && p.compareLists(touched[lower], kept) < 0 {
		lower++
	}
	for upper > lower && p.compareLists(touched[upper-1], kept) > 0 {
		upper--
	}
	start := p.start[class]
	for i := range min(lower, others) { // make room for the lower ones
		p.put(p.ranked[int(start)+i], start+int32(max(lower, others)+i))
	}
	for i, a := range touched {
		if i >= lower {
			i += others
		}
		p.put(a, start+int32(i))
	}
	p.start[class], p.size[class] = start+int32(lower), int32(others+upper-lower)
	p.found(touched[:lower], start)
	p.found(touched[upper:], p.start[class]+p.size[class])
}

// commonest returns the first of the longest run of sorted atoms with equal lists.
func (p *Parser) commonest(atoms []int32) int32 {
	best, longest, first := atoms[0], 0, 0
	for i, a := range atoms {
		if p.compareLists(atoms[first], a) != 0 {
			first = i
		}
		if i-first >= longest {
			best, longest = atoms[first], i-first+1
		}
	}
	return best
}

// found makes new classes of sorted atoms from a place in the order on, one for each list.
func (p *Parser) found(atoms []int32, start int32) {
	for i, a := range atoms {
		if i == 0 || p.compareLists(atoms[i-1], a) != 0 {
			p.start, p.size = append(p.start, start+int32(i)), append(p.size, 0)
		}
		last := len(p.size) - 1
		p.size[last]++
		p.class[a] = int32(last)
		p.changed = append(p.changed, a)
	}
}
