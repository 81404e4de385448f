package smiles

import (
	"cmp"
	"slices"
)

// windings turns the @ and @@ of the text, which count neighbours as written, into windings that
// count them in the order of the bonds. The two orders differ at ring digits, whose bonds come
// last.
func (p *Parser) windings() {
	m := &p.m
	chain := int32(len(m.Bonds) - len(p.closures)) // closures have the last bond indices
	var digits []*closure
	var written []int32
	for i := range m.Atoms {
		a := &m.Atoms[i]
		if a.Chirality == ChiralUnspecified {
			continue
		}
		digits, written = digits[:0], written[:0]
		for k := range p.closures {
			if c := &p.closures[k]; c.atom[0] == int32(i) || c.atom[1] == int32(i) {
				digits = append(digits, c)
			}
		}
		slices.SortFunc(digits, func(c, d *closure) int {
			return cmp.Compare(c.offsetAt(int32(i)), d.offsetAt(int32(i)))
		})
		around := p.around(int32(i))
		for _, arc := range around {
			if arc.bond < chain && arc.atom < int32(i) {
				written = append(written, arc.bond)
			}
		}
		for _, c := range digits {
			written = append(written, c.bond)
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

// offsetAt returns where in the text the closure's digit on atom a stands.
func (c *closure) offsetAt(a int32) int32 {
	if c.atom[0] == a {
		return c.offset[0]
	}
	return c.offset[1]
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

// dropFlatWindings removes the winding of atoms that are not tetrahedral.
func (p *Parser) dropFlatWindings() {
	for i := range p.m.Atoms {
		if a := &p.m.Atoms[i]; a.Hybridization != SP3 {
			a.Chirality = ChiralUnspecified
		}
	}
}
