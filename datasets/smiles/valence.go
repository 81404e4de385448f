package smiles

import "slices"

// valences finds the valence of each atom by its bonds, refuses what exceeds the allowed ones and
// adds implicit hydrogens up to the next allowed one. A charged atom has the valences of the
// element with as many electrons: N+ those of C.
func (p *parser) valences() {
	for i := range p.Atoms {
		p.setValence(int32(i))
	}
}

// setValence does so for one atom.
func (p *parser) setValence(i int32) {
	a := &p.Atoms[i]
	bonded, aromatic := p.explicitValence(i)
	p.checkValence(i, bonded)
	h, ok := implicitHydrogens(a, bonded, aromatic)
	if !ok {
		p.refuse("aromatic atom %d (%s) has valence %d, none that is allowed", i, a.Symbol(), bonded)
	}
	a.explicit, a.Hydrogens = int16(bonded), a.bracketH+uint8(h)
}

// valencesAgain repeats valences if perception has changed what is aromatic. A hydrogen that an
// atom would lose by becoming aromatic, as in O=C1NC=CC=C1, stays as if written in brackets.
func (p *parser) valencesAgain() {
	if !slices.ContainsFunc(p.Bonds, func(b Bond) bool { return b.written != b.aromatic }) &&
		!slices.ContainsFunc(p.Atoms, func(a Atom) bool { return a.lowercase != a.Aromatic }) {
		return
	}
	for i := range p.Atoms {
		a := &p.Atoms[i]
		a.lowercase = a.Aromatic
		if !a.bracket {
			bonded, aromatic := p.explicitValence(int32(i))
			h, _ := implicitHydrogens(a, bonded, aromatic)
			a.bracketH += uint8(max(int(a.Hydrogens)-int(a.bracketH)-h, 0))
		}
		p.setValence(int32(i))
	}
}

// effective returns the element whose valences apply to a. Elements without valences of their own
// stay themselves.
func effective(a *Atom) *element {
	if e := &elements[a.Number]; e.anyValence() {
		return e
	}
	return &elements[min(max(int(a.Number)-int(a.Charge), 0), len(elements)-1)]
}

// applied returns the element whose valences apply to a, and the valence to compare with them. The
// charged P, S, As and Se keep their own valences where the element with as many electrons (such as Cl
// for S-) has but one.
func applied(a *Atom, bonded int) (*element, int) {
	z := int(a.Number) - int(a.Charge)
	if (a.Number == 15 || a.Number == 16) && z > 16 || (a.Number == 33 || a.Number == 34) && z > 34 {
		return &elements[a.Number], bonded - int(a.Charge)
	}
	return effective(a), bonded
}

// explicitValence sums the bond orders and bracket hydrogens of atom a and reports whether a is
// aromatic in the text. An aromatic atom that exceeds its default valence by at most 1.5 is taken
// to have an allowed valence: which of its bonds are double is open until kekulize.
func (p *parser) explicitValence(i int32) (valence int, aromatic bool) {
	a := &p.Atoms[i]
	aromatic = a.lowercase
	twice := 2 * int(a.bracketH)
	for _, arc := range p.around(i) {
		b := &p.Bonds[arc.bond]
		twice += b.twiceValence(i)
		aromatic = aromatic || b.Type == Aromatic
	}
	if e := effective(a); aromatic && e.valence >= 0 && twice > 2*e.valence {
		allowed := e.valence
		for _, v := range e.allowed {
			if v >= 0 && 2*int(v) <= twice {
				allowed = int(v)
			}
		}
		if twice-2*allowed <= 3 {
			twice = 2 * allowed
		}
	}
	return (twice + 1) / 2, aromatic
}

// checkValence refuses a valence by bonds above the largest allowed one.
func (p *parser) checkValence(i int32, bonded int) {
	a := &p.Atoms[i]
	e, compared := applied(a, bonded)
	largest := e.largest()
	if a.Number == 1 && a.Charge == -1 {
		largest = 2 // a bridging hydride
	}
	if largest >= 0 && elements[a.Number].largest() >= 0 && compared > largest {
		p.refuse("atom %d (%s) has valence %d, more than is permitted", i, a.Symbol(), bonded)
	}
}

// implicitHydrogens returns how many hydrogens fill the atom up to an allowed valence. An aromatic
// atom is only filled up to the default one; ok is false if its valence is not allowed.
func implicitHydrogens(a *Atom, bonded int, aromatic bool) (h int, ok bool) {
	e, bonded := applied(a, bonded)
	switch {
	case a.bracket || a.Number == 0 || e.valence < 0:
		return 0, true
	case aromatic && bonded <= e.valence:
		return e.valence - bonded, true
	}
	for _, v := range e.allowed {
		switch {
		case v < 0:
		case aromatic && bonded == int(v):
			return 0, true
		case !aromatic && bonded <= int(v):
			return int(v) - bonded, true
		}
	}
	return 0, !aromatic || e.largest() < 0
}
