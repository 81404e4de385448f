package smiles

import "sync"

// A Parser reads one SMILES after another, reusing its memory. The zero value is ready to use. A
// Parser must not be used by several goroutines at once.
type Parser struct {
	m    Molecule
	work int // steps left before a molecule is refused as too complex
	text
	graph
	rings
	kekule
	sextets
	ranking
}

// arc is a bond seen from one of its atoms.
type arc struct{ atom, bond int32 }

// graph lists the arcs of each atom, in the order of the bonds.
type graph struct {
	first []int32 // arcs of atom a are arcs[first[a]:first[a+1]]
	arcs  []arc
	fill  []int32
}

// around returns the arcs of atom a, in the order of the bonds.
func (g *graph) around(a int32) []arc { return g.arcs[g.first[a]:g.first[a+1]] }

// workLimit bounds the steps of all searches that can grow faster than the molecule. Each step is
// some nanoseconds; no molecule of BACE, BBBP or HIV needs a thousandth of it.
const workLimit = 1 << 26

// spend takes steps off what a molecule may cost and reports whether any are left.
func (p *Parser) spend(steps int) bool {
	p.work -= steps
	return p.work >= 0
}

var parsers = sync.Pool{New: func() any { return new(Parser) }}

// Parse reads a SMILES and perceives its molecule. The error is a *SyntaxError if the text is no
// SMILES, a *RefusalError if it is one but no molecule that the rules allow.
func Parse(smiles string) (*Molecule, error) {
	p := parsers.Get().(*Parser)
	defer parsers.Put(p)
	m, err := p.Parse(smiles)
	if err != nil {
		return nil, err
	}
	return m.clone(), nil
}

// Parse is as the function Parse, but the molecule belongs to the parser: it is valid until the
// next call.
func (p *Parser) Parse(smiles string) (*Molecule, error) {
	p.work = workLimit
	if err := p.read(smiles); err != nil {
		return nil, err
	}
	p.connect()
	if err := p.rejectDoubledBonds(); err != nil {
		return nil, err
	}
	if err := p.sanitize(); err != nil {
		return nil, err
	}
	return &p.m, nil
}

// sanitize perceives in RDKit's order; each step relies on those before it.
func (p *Parser) sanitize() error {
	if p.hasChirality {
		p.windings()
	}
	if p.hasHydrogen && p.removeHydrogens() {
		p.connect()
	}
	p.cleanUp()
	if p.work < 0 {
		return complexity("cleanup")
	}
	if err := p.valences(); err != nil {
		return err
	}
	p.findRings()
	if err := p.kekulize(); err != nil {
		return err
	}
	p.radicals()
	if err := p.aromatize(); err != nil {
		return err
	}
	p.conjugate()
	p.hybridize()
	if err := p.valencesAgain(); err != nil {
		return err
	}
	if err := p.cleanStereo(); err != nil {
		return err
	}
	return p.checkFeatures()
}

// connect builds the graph from the bonds.
func (p *Parser) connect() {
	m := &p.m
	n := len(m.Atoms)
	p.first = resized(p.first, n+1)
	p.arcs = resized(p.arcs, 2*len(m.Bonds))
	p.fill = resized(p.fill, n)
	next := int32(0)
	for i := range m.Atoms {
		p.first[i], p.fill[i] = next, next
		next += int32(m.Atoms[i].degree)
	}
	p.first[n] = next
	for i := range m.Bonds {
		b := &m.Bonds[i]
		p.arcs[p.fill[b.Begin]] = arc{b.End, int32(i)}
		p.fill[b.Begin]++
		p.arcs[p.fill[b.End]] = arc{b.Begin, int32(i)}
		p.fill[b.End]++
	}
}

// resized returns a slice of length n, on the memory of s where that suffices; the contents are
// left over from earlier use.
func resized[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/2+16)
	}
	return s[:n]
}

// zeroed is resized with contents set to zero.
func zeroed[T any](s []T, n int) []T {
	s = resized(s, n)
	clear(s)
	return s
}
