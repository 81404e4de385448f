package smiles

import (
	"cmp"
	"slices"
	"sort"
)

// windings turns the @ and @@ of the text, which count neighbours as written, into windings that
// count them in the order of the bonds. The two orders differ at ring digits, whose bonds come
// last.
func (p *Parser) windings() {
	m := &p.m
	chain := int32(len(m.Bonds) - len(p.closures)) // closures have the last bond indices
	var written []int32
	p.sortDigits()
	for i := range m.Atoms {
		a := &m.Atoms[i]
		// More neighbours than this are too many for a centre, whatever hydrogens become counts.
		if !a.Chirality.winds() || a.degree > 4+maxBracketH {
			continue
		}
		written = written[:0]
		around := p.around(int32(i))
		for _, arc := range around {
			if arc.bond < chain && arc.atom < int32(i) {
				written = append(written, arc.bond)
			}
		}
		digits := p.digitsOf(int32(i))
		for _, d := range digits {
			written = append(written, d.bond)
		}
		unsaturated := false
		for _, arc := range around {
			if arc.bond < chain && arc.atom > int32(i) {
				written = append(written, arc.bond)
			}
			t := m.Bonds[arc.bond].Type
			unsaturated = unsaturated || twiceOrder[t] > 2
		}
		odd := oddPermutation(written)
		if a.degree == 3 {
			// The hydrogen, or else the missing neighbour, stands where RDKit expects it or not.
			if a.leads && a.bracketH == 1 || a.bracketH != 1 && len(digits) == 1 && !unsaturated {
				odd = !odd
			}
		}
		if odd {
			a.Chirality = a.Chirality.inverse()
		}
	}
}

// A digit is one end of a ring closure.
type digit struct{ atom, offset, bond int32 }

// sortDigits lists the ring digits atom by atom, in the order of the text.
func (p *Parser) sortDigits() {
	p.digits = p.digits[:0]
	for _, c := range p.closures {
		for end := range 2 {
			p.digits = append(p.digits, digit{c.atom[end], c.offset[end], c.bond})
		}
	}
	slices.SortFunc(p.digits, func(a, b digit) int {
		return cmp.Or(cmp.Compare(a.atom, b.atom), cmp.Compare(a.offset, b.offset))
	})
}

// digitsOf returns the ring digits of atom i.
func (p *Parser) digitsOf(i int32) []digit {
	from := sort.Search(len(p.digits), func(k int) bool { return p.digits[k].atom >= i })
	to := from
	for to < len(p.digits) && p.digits[to].atom == i {
		to++
	}
	return p.digits[from:to]
}

// oddPermutation reports whether sorting distinct numbers takes an odd number of swaps.
func oddPermutation(s []int32) bool {
	odd := false
	for i := range s {
		for j := i + 1; j < len(s); j++ {
			odd = odd != (s[i] > s[j])
		}
	}
	return odd
}

// dropFlatWindings removes the winding of atoms that are not tetrahedral, and arrangements of more
// neighbours than they are for, or of a single one.
func (p *Parser) dropFlatWindings() {
	for i := range p.m.Atoms {
		a := &p.m.Atoms[i]
		flat := a.Chirality.winds() && a.Hybridization != SP3
		if flat || a.Chirality.mostNeighbours() > 0 && !a.arranged() {
			a.Chirality = ChiralUnspecified
		}
	}
}

// arranged reports whether an atom has as many neighbours as its arrangement is for.
func (a *Atom) arranged() bool {
	n := int(a.degree) + int(a.Hydrogens)
	return n >= 2 && n <= a.Chirality.mostNeighbours()
}
