package smiles

import "fmt"

// The lists of PyTorch Geometric end here.
const (
	largestDegree    = 10
	lowestCharge     = -5
	largestCharge    = 6
	largestHydrogens = 8
	largestUnpaired  = 4
)

// AtomFeatures returns the nine features that PyTorch Geometric's from_smiles gives atom i, each the
// index of the value in a list: atomic number, chirality, degree with hydrogens, charge (plus 5),
// hydrogens, unpaired electrons, hybridization, aromatic, in a ring. It panics if there is no such atom.
func (m *Molecule) AtomFeatures(i int) [9]int8 {
	a := &m.Atoms[i]
	return [9]int8{
		int8(a.Number), int8(a.chirality), int8(a.neighbors()), a.Charge - lowestCharge, int8(a.Hydrogens),
		int8(a.radicals), int8(a.Hybridization), index(a.Aromatic), index(a.InRing),
	}
}

// index returns the place of a truth value in the list False, True.
func index(b bool) int8 {
	if b {
		return 1
	}
	return 0
}

// checkFeatures refuses atoms whose properties have no index.
func (p *parser) checkFeatures() {
	for i := range p.Atoms {
		a := &p.Atoms[i]
		reason := ""
		switch n := a.neighbors(); {
		case n > largestDegree:
			reason = fmt.Sprintf("%d neighbors", n)
		case a.Charge < lowestCharge || a.Charge > largestCharge:
			reason = fmt.Sprintf("charge %+d", a.Charge)
		case a.Hydrogens > largestHydrogens:
			reason = fmt.Sprintf("%d hydrogens", a.Hydrogens)
		case a.radicals > largestUnpaired:
			reason = fmt.Sprintf("%d unpaired electrons", a.radicals)
		case a.Hybridization == sp2d:
			reason = fmt.Sprintf("a square of %d neighbors", n)
		default:
			continue
		}
		p.refuse("atom %d has %s, for which there is no feature", i, reason)
	}
}
