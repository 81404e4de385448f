package smiles

import (
	"cmp"
	"slices"

	"github.com/neuralkforms/nkf/datasets/internal/simplex"
)

// stereo is what ranks the atoms of a molecule and what the ranks settle.
type stereo struct {
	ranks  []int32
	labels []label
}

// label is the name of a stereocenter, which ranks its atom.
type label uint8

const (
	unlabeled label = iota
	labelS
	labelR
)

// cleanStereo drops the windings of atoms that are no stereocenters and names double bonds Z or E.
// The ranks are close to those of Cahn, Ingold and Prelog, though not the same; what is found is
// used to rank anew while that settles more.
func (p *parser) cleanStereo() {
	windings := slices.ContainsFunc(p.Atoms, func(a Atom) bool { return a.chirality != achiral })
	centers := windings
	bonds := slices.ContainsFunc(p.Bonds, func(b Bond) bool { return b.dir != noDirection })
	if !centers && !bonds {
		return
	}
	p.labels = make([]label, len(p.Atoms))
	keys := p.elementKeys()
	for {
		p.rank(keys)
		labeledCenter, labeledBond := false, false
		if centers {
			centers, labeledCenter = p.labelCenters()
		}
		if bonds {
			bonds, labeledBond = p.labelBonds()
		}
		if !centers && !bonds || !labeledCenter && !labeledBond {
			break
		}
		keys = p.labelKeys()
	}
	if windings {
		p.dropUnlabeled()
	}
}

// labelCenters labels the atoms whose winding is settled by the ranks. It reports whether some
// possible centers are left and whether any was labeled.
func (p *parser) labelCenters() (left, labeled bool) {
	for i := range p.Atoms {
		a := &p.Atoms[i]
		if a.chirality == achiral || p.labels[i] != unlabeled || !p.isCenter(int32(i)) {
			continue
		}
		arcs := slices.Clone(p.around(int32(i)))
		slices.SortFunc(arcs, func(a, b arc) int {
			return cmp.Or(cmp.Compare(p.ranks[a.atom], p.ranks[b.atom]), cmp.Compare(a.bond, b.bond))
		})
		order := make([]int32, len(arcs))
		alike, last := false, int32(-1)
		for k, arc := range arcs {
			order[k] = arc.bond
			if p.holds(arc, int32(i)) {
				alike = alike || p.ranks[arc.atom] == last
				last = p.ranks[arc.atom]
			}
		}
		if alike {
			left = true
			continue
		}
		labeled = true
		odd := simplex.Sort(order) < 0
		if len(order) == 3 && a.Hydrogens == 1 {
			odd = !odd
		}
		p.labels[i] = labelR
		if (a.chirality == counterclockwise) != odd {
			p.labels[i] = labelS
		}
	}
	return left, labeled
}

// isCenter reports whether atom i could be a stereocenter, whatever its neighbors are.
func (p *parser) isCenter(i int32) bool {
	a := &p.Atoms[i]
	bonds := 0
	for _, arc := range p.around(i) {
		if p.holds(arc, i) {
			bonds++
		}
	}
	total := bonds + int(a.Hydrogens)
	switch {
	case total < 3 || total > 4 || bonds < 3 && a.Number != 15 && a.Number != 33:
		return false
	case bonds != 3:
		return true
	case a.Hydrogens == 1:
		return !slices.ContainsFunc(p.around(i), func(arc arc) bool {
			n := &p.Atoms[arc.atom]
			return n.Number == 1 && n.Isotope == 0
		})
	}
	return p.keepsWinding(i)
}

// keepsWinding reports an atom of three bonds and a lone pair that does not turn inside out.
func (p *parser) keepsWinding(i int32) bool {
	a := &p.Atoms[i]
	switch a.Number {
	case 7:
		return a.Hybridization == sp3 && !p.onConjugated(i) && p.isRigid(i)
	case 15, 33:
		return true
	case 16, 34:
		return a.explicit == 4 || a.explicit == 3 && a.Charge == 1
	}
	return false
}

// holds reports whether the bond of an arc matters to the winding of atom i.
func (p *parser) holds(arc arc, i int32) bool {
	b := &p.Bonds[arc.bond]
	return b.Type != UnspecifiedBond && (b.Type != Dative || b.Begin != i)
}

// isRigid reports an atom in a ring of three, or a bridgehead: an atom of three or more ring bonds
// each of whose rings shares two bonds or more with another ring of the atom.
func (p *parser) isRigid(i int32) bool {
	bonds := 0
	var own []cycle
	for k, e := range p.around(i) {
		number := p.blockOf[e.bond]
		if number == 0 {
			continue
		}
		bonds++
		same := func(earlier arc) bool { return p.blockOf[earlier.bond] == number }
		if slices.ContainsFunc(p.around(i)[:k], same) {
			continue
		}
		b := &p.blocks[number-1]
		p.perceive(b)
		p.spend(4 * len(b.cycles))
		for _, c := range b.cycles {
			if contains(c.atoms, i) {
				own = append(own, c)
			}
		}
	}
	if slices.ContainsFunc(own, func(c cycle) bool { return len(c.atoms) == 3 }) {
		return true
	}
	for k, c := range own {
		bridged := false
		for l, d := range own {
			p.spend(len(c.bonds))
			bridged = bridged || l != k && sharedBonds(c, d) >= 2
		}
		if !bridged {
			return false
		}
	}
	return bonds >= 3
}
