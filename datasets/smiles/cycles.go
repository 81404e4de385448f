package smiles

import (
	"cmp"
	"slices"
)

// A cycle is a relevant cycle: one that is no sum of shorter ones. The relevant cycles are the
// union of all minimum cycle bases, so unlike a smallest set of smallest rings they do not depend
// on a choice: cubane has all its six faces.
type cycle struct{ atoms, bonds []int32 } // ascending

// storeCost is what storing a bond of a cycle costs of the work that is allowed, so that memory is
// bounded too: to about 1 byte for each step.
const storeCost = 16

// perceive finds the relevant cycles of a block, once (P. Vismara, Union of all the minimum cycle
// bases of a graph, Electron. J. Combin. 4 (1997) R9).
func (p *parser) perceive(b *block) {
	switch {
	case b.cycles != nil:
		return
	case len(b.bonds) == len(b.atoms):
		b.cycles = []cycle{{b.atoms, b.bonds}}
		return
	case len(p.steps) < len(p.Atoms):
		p.steps = make([]step, len(p.Atoms))
	}
	dimension := len(b.bonds) - len(b.atoms) + 1
	s := search{parser: p, block: p.blockOf[b.bonds[0]], queue: p.ints.zeros(len(b.atoms))[:0]}
	defer s.reset()
	families := make([]family, 0, dimension+1)
	for _, root := range b.atoms {
		s.measure(root)
		families = s.propose(families)
	}
	b.cycles = make([]cycle, 0, dimension+1)
	if len(families) == dimension {
		for _, f := range families { // as few as make a basis
			b.cycles = s.store(b.cycles, f)
		}
		return
	}
	s.relevant(b, families, dimension)
}

// relevant stores the cycles of families that are no sums of shorter ones: a basis has the given dimension.
func (s *search) relevant(b *block, families []family, dimension int) {
	slices.SortStableFunc(families, func(f, g family) int { return cmp.Compare(len(f.bonds), len(g.bonds)) })
	basis := map[int32][]int32{} // cycles by their lowest bonds
	for len(families) > 0 && len(basis) < dimension {
		size := len(families[0].bonds)
		var relevant []family
		for len(families) > 0 && len(families[0].bonds) == size {
			if s.reduce(basis, families[0].bonds) != nil {
				relevant = append(relevant, families[0])
			}
			families = families[1:]
		}
		for _, f := range relevant {
			b.cycles = s.store(b.cycles, f)
			if rest := s.reduce(basis, f.bonds); rest != nil {
				basis[rest[0]] = rest
			}
		}
	}
}

// reduce subtracts cycles of the basis from a set of bonds until none has its lowest bond. Nothing is
// left of a sum of cycles of the basis.
func (p *parser) reduce(basis map[int32][]int32, bonds []int32) []int32 {
	for len(bonds) > 0 {
		row, ok := basis[bonds[0]]
		if !ok {
			return bonds
		}
		bonds = sum(bonds, row)
		p.spend(1 + len(bonds))
	}
	return nil
}

// sum returns the numbers that are in just one of two ascending lists.
func sum(a, b []int32) []int32 {
	out := make([]int32, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		switch c := cmp.Compare(a[0], b[0]); {
		case c < 0:
			out, a = append(out, a[0]), a[1:]
		case c > 0:
			out, b = append(out, b[0]), b[1:]
		default:
			a, b = a[1:], b[1:]
		}
	}
	return append(append(out, a...), b...)
}

// sharedBonds counts the bonds that two cycles have in common.
func sharedBonds(c, d cycle) int {
	return (len(c.bonds) + len(d.bonds) - len(sum(c.bonds, d.bonds))) / 2
}

// A search looks for the cycles of a block whose highest atom is the root: those that consist of two
// shortest paths to the root, through lower atoms, that meet in the root alone, and of a bond or an
// atom opposite to the root.
type search struct {
	*parser
	block  int32
	queue  []int32 // the root and the atoms reached from it
	closer []arc   // neighbors of an atom that are closer to the root
}

// A step records how a search reached an atom.
type step struct {
	distance int32 // atoms on a shortest path, 0 if the atom was not reached
	branch   int32 // first atom of one shortest path from the root
	back     arc   // last step of that path
	several  bool  // there are other shortest paths
}

// A family holds the cycles through a root, p and q that differ in their paths from p and q to the root.
type family struct {
	root, p, q int32
	e, f       int32   // the bonds from p and q to an atom between them, or twice that between p and q
	several    bool    // there is more than one cycle
	bonds      []int32 // of one of the cycles, ascending
}

// measure finds the shortest paths from the root through lower atoms.
func (s *search) measure(root int32) {
	s.reset()
	s.steps[root] = step{distance: 1}
	s.queue = append(s.queue, root)
	for head := 0; head < len(s.queue); head++ {
		if head == 1 && len(s.queue) == 2 {
			return // no cycle closes at an atom with a single lower neighbor
		}
		a := s.queue[head]
		from := s.steps[a]
		for _, arc := range s.around(a) {
			b := &s.steps[arc.atom]
			switch {
			case arc.atom > root || s.blockOf[arc.bond] != s.block:
			case b.distance == 0:
				*b = from
				b.distance++
				b.back.atom, b.back.bond = a, arc.bond
				if a == root {
					b.branch = arc.atom
				}
				s.queue = append(s.queue, arc.atom)
			case b.distance == from.distance+1:
				b.several = true
			}
		}
		s.spend(len(s.around(a)))
	}
}

// reset forgets the paths.
func (s *search) reset() {
	for _, a := range s.queue {
		s.steps[a] = step{}
	}
	s.queue = s.queue[:0]
}

// propose appends the families of cycles of the root, after measure.
func (s *search) propose(families []family) []family {
	root := s.queue[0]
	for _, y := range s.queue[1:] {
		s.closer = s.closer[:0]
		for _, e := range s.around(y) {
			from := s.steps[e.atom]
			switch {
			case e.atom > root || from.distance == 0 || s.blockOf[e.bond] != s.block:
			case from.distance == s.steps[y].distance && e.atom < y:
				families = s.proposeOne(families, e.atom, y, e.bond, e.bond)
			case from.distance == s.steps[y].distance-1 && e.atom != root:
				for _, f := range s.closer {
					families = s.proposeOne(families, e.atom, f.atom, e.bond, f.bond)
				}
				s.closer = append(s.closer, e)
			}
		}
	}
	return families
}

// proposeOne appends the family with the bonds e and f unless the paths from p and q meet before the root.
func (s *search) proposeOne(families []family, p, q, e, f int32) []family {
	s.spend(1)
	if s.steps[p].branch == s.steps[q].branch {
		return families
	}
	bonds := append(s.ints.zeros(2 * int(s.steps[p].distance))[:0], e, f)
	if e == f {
		bonds = bonds[:1]
	}
	for _, a := range [2]int32{p, q} {
		for ; a != s.queue[0]; a = s.steps[a].back.atom {
			bonds = append(bonds, s.steps[a].back.bond)
		}
	}
	slices.Sort(bonds)
	s.spend(storeCost * len(bonds))
	return append(families, family{s.queue[0], p, q, e, f, s.steps[p].several || s.steps[q].several, bonds})
}

// store appends the cycles of a family.
func (s *search) store(cycles []cycle, f family) []cycle {
	add := func(bonds []int32) {
		atoms := s.ints.zeros(2 * len(bonds))[:0]
		for _, i := range bonds {
			atoms = append(atoms, s.Bonds[i].Begin, s.Bonds[i].End)
		}
		slices.Sort(atoms)
		cycles = append(cycles, cycle{slices.Compact(atoms), bonds})
		s.spend(storeCost * len(bonds))
	}
	if !f.several {
		add(f.bonds)
		return cycles
	}
	s.measure(f.root)
	closing := []int32{f.e, f.f}
	if f.e == f.f {
		closing = closing[:1]
	}
	s.eachPath(f.p, closing, func(half []int32) {
		s.eachPath(f.q, half, func(bonds []int32) {
			bonds = slices.Clone(bonds)
			slices.Sort(bonds)
			add(bonds)
		})
	})
	return cycles
}

// eachPath calls f with the bonds and those of each shortest path from atom a to the root.
func (s *search) eachPath(a int32, bonds []int32, f func([]int32)) {
	if s.steps[a].distance == 1 {
		f(bonds)
		return
	}
	for _, arc := range s.around(a) {
		closer := s.steps[arc.atom].distance == s.steps[a].distance-1 && s.blockOf[arc.bond] == s.block
		if closer {
			s.spend(storeCost)
			s.eachPath(arc.atom, append(bonds, arc.bond), f)
		}
	}
}
