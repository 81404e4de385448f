package smiles

// radicals counts the unpaired electrons of bracket atoms: the electrons missing from the
// octet, or from the next allowed valence of an element that exceeds the octet, or left over from the
// outer electrons of an early one. Other atoms are filled up with hydrogens.
func (p *parser) radicals() {
	for i := range p.Atoms {
		if a := &p.Atoms[i]; a.bracket && a.Number != 0 {
			a.radicals = p.unpaired(int32(i))
		}
	}
}

// unpaired returns the number of unpaired electrons of a bracket atom.
func (p *parser) unpaired(i int32) uint8 {
	a := &p.Atoms[i]
	e := &elements[a.Number]
	charge := int(a.Charge)
	if e.anyValence() {
		if a.degree > 0 {
			return 0
		}
		return uint8(max(e.outer-charge, 0) % 2)
	}
	twice := 2 * int(a.bracketH)
	for _, arc := range p.around(i) {
		twice += p.Bonds[arc.bond].twiceValence(i)
	}
	bonded := twice / 2
	octet := 8
	if a.Number <= 2 {
		octet = 2
	}
	n := octet - e.outer - bonded + charge
	if n < 0 {
		n = 0
		if len(e.allowed) > 1 {
			for _, v := range e.allowed {
				if left := int(v) - bonded + charge; left >= 0 {
					n = left
					break
				}
			}
		}
	}
	if rest := e.outer - bonded - charge; rest >= 0 {
		n = min(n, rest)
	}
	return uint8(min(n, 255))
}
