package smiles

// Symbol returns the symbol of the atom's element, such as "Cl", or "*" for the wildcard.
func (a Atom) Symbol() string { return elements[a.Number].symbol }
