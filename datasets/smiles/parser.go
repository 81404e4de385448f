package smiles

import (
	"fmt"
	"slices"
	"sync"
)

// A parser perceives one molecule after another, each in the memory of the one before.
type parser struct {
	Molecule
	text
	step       string  // name of the current one, for errors
	work       int     // steps left before the molecule is refused as too complex
	weightless bool    // some bonds add nothing to a valence
	first      []int32 // the arcs of atom a are arcs[first[a]:first[a+1]], in the order of the bonds
	arcs       []arc
	rings
	stereo
	steps []step // of searches for cycles, zeros between them
	ints  memory[int32]
	ends  memory[arc]
}

// arc is a bond seen from one of its atoms.
type arc struct{ atom, bond int32 }

// memory hands out slices that last until the parser turns to the next molecule.
type memory[T any] struct {
	all  []T
	used int
}

// zeros returns n zero values.
func (m *memory[T]) zeros(n int) []T {
	if m.used+n > len(m.all) {
		m.all, m.used = make([]T, 2*(len(m.all)+n)), 0
	}
	s := m.all[m.used : m.used+n : m.used+n]
	m.used += n
	clear(s)
	return s
}

var parsers = sync.Pool{New: func() any { return new(parser) }}

// Parse reads a SMILES and perceives its molecule.
func Parse(smiles string) (*Molecule, error) {
	p := parsers.Get().(*parser)
	defer parsers.Put(p)
	if err := p.parse(smiles); err != nil {
		return nil, err
	}
	// Without bonds they are nil, whether the parser has read other molecules before or not.
	return &Molecule{Atoms: slices.Clone(p.Atoms), Bonds: append([]Bond(nil), p.Bonds...)}, nil
}

// steps perceive the molecule in RDKit's order; each relies on those before it.
var steps = []struct {
	name string
	take func(*parser)
}{
	{"chirality", (*parser).windings}, {"hydrogens", (*parser).removeHydrogens},
	{"cleanup", (*parser).cleanUp}, {"valence", (*parser).valences}, {"rings", (*parser).findRings},
	{"kekule", (*parser).kekulize}, {"radicals", (*parser).radicals}, {"aromaticity", (*parser).aromatize},
	{"conjugation", (*parser).conjugate}, {"hybridization", (*parser).hybridize},
	{"valence", (*parser).valencesAgain}, {"stereo", (*parser).cleanStereo},
	{"features", (*parser).checkFeatures},
}

// parse reads a SMILES and takes all steps.
func (p *parser) parse(smiles string) (err error) {
	defer func() {
		if r := recover(); r != nil {
			refused, ok := r.(*refusal)
			if !ok {
				panic(r)
			}
			err = refused
		}
	}()
	p.work, p.weightless = workLimit, false
	p.ints.used, p.ends.used = 0, 0
	p.stereo = stereo{}
	p.read(smiles)
	p.connect()
	p.rejectDoubledBonds()
	for _, step := range steps {
		p.step = step.name
		step.take(p)
	}
	return nil
}

// connect lists the arcs of each atom.
func (p *parser) connect() {
	n := len(p.Atoms)
	p.first = p.ints.zeros(n + 1)
	p.arcs = p.ends.zeros(2 * len(p.Bonds))
	for i := range p.Atoms {
		p.first[i+1] = p.first[i] + int32(p.Atoms[i].degree)
	}
	next := p.ints.zeros(n)
	copy(next, p.first)
	for i := range p.Bonds {
		b := &p.Bonds[i]
		p.arcs[next[b.Begin]] = arc{b.End, int32(i)}
		next[b.Begin]++
		p.arcs[next[b.End]] = arc{b.Begin, int32(i)}
		next[b.End]++
	}
}

// around returns the arcs of atom a, in the order of the bonds.
func (p *parser) around(a int32) []arc { return p.arcs[p.first[a]:p.first[a+1]] }

// refusal is the error of a text that is not a SMILES, or of a SMILES that a step of perception refuses.
type refusal struct {
	Step   string // syntax, cleanup, valence, kekule, aromaticity, stereo or features
	Reason string // what is wrong, and where: bytes of the text from 1, atoms from 0
}

// Error returns the step and the reason.
func (e *refusal) Error() string {
	if e.Step == "syntax" {
		return "smiles: " + e.Reason
	}
	return "smiles: " + e.Step + ": " + e.Reason
}

// syntax refuses the text at an offset. Like refuse and spend it panics with a *refusal, which parse returns.
func syntax(offset int, format string, args ...any) {
	panic(&refusal{"syntax", fmt.Sprintf("character %d: ", offset+1) + fmt.Sprintf(format, args...)})
}

// refuse refuses the molecule in the current step.
func (p *parser) refuse(format string, args ...any) {
	panic(&refusal{p.step, fmt.Sprintf(format, args...)})
}

// workLimit bounds the steps of all searches that can grow faster than the molecule. A step takes
// some nanoseconds; no molecule of BACE, BBBP or HIV needs a thousandth of the limit.
const workLimit = 1 << 26

// spend takes steps off those left, and refuses a molecule that has none left.
func (p *parser) spend(steps int) {
	if p.work -= steps; p.work < 0 {
		p.refuse("this step would take too long")
	}
}
