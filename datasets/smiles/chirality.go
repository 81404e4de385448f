package smiles

import (
	"cmp"
	"slices"

	"github.com/neuralkforms/nkf/datasets/internal/simplex"
)

// windings turns the @ and @@ of the text, which count neighbors as written, into windings that
// count them in the order of the bonds. The two orders differ at ring digits, whose bonds come
// last.
func (p *parser) windings() {
	chain := int32(len(p.Bonds) - len(p.closures)) // closures have the last bond indices
	for i := range int32(len(p.Atoms)) {
		a := &p.Atoms[i]
		// More neighbors than this are too many for a center, whatever hydrogens become counts.
		if !a.chirality.winds() || a.degree > 4+maxBracketH {
			continue
		}
		before, digits, after := p.asWritten(i, chain)
		unsaturated := slices.ContainsFunc(p.around(i), func(e arc) bool {
			return p.Bonds[e.bond].Type.twiceOrder() > 2
		})
		offset := func(bond int32) int {
			c := &p.closures[bond-chain]
			if c.atom[0] == i {
				return c.offset[0]
			}
			return c.offset[1]
		}
		slices.SortFunc(digits, func(a, b int32) int { return cmp.Compare(offset(a), offset(b)) })
		odd := simplex.Sort(slices.Concat(before, digits, after)) < 0
		if a.degree == 3 {
			// The hydrogen, or else the missing neighbor, stands where RDKit expects it or not.
			if a.leads && a.bracketH == 1 || a.bracketH != 1 && len(digits) == 1 && !unsaturated {
				odd = !odd
			}
		}
		if odd {
			a.chirality = a.chirality.inverse()
		}
	}
}

// asWritten returns the bonds of atom i by where they are written, and those of ring digits.
func (p *parser) asWritten(i, chain int32) (before, digits, after []int32) {
	for _, arc := range p.around(i) {
		switch {
		case arc.bond >= chain:
			digits = append(digits, arc.bond)
		case arc.atom < i:
			before = append(before, arc.bond)
		default:
			after = append(after, arc.bond)
		}
	}
	return before, digits, after
}
