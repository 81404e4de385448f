package smiles

import (
	"fmt"
)

// A parser reads and perceives a molecule.
type parser struct {
	Molecule
	text
	step  string  // name of the current one, for errors
	work  int     // steps left before the molecule is refused as too complex
	first []int32 // the arcs of atom a are arcs[first[a]:first[a+1]], in the order of the bonds
	arcs  []arc
	rings
	stereo
	steps []step // of searches for cycles, zeros between them
}

// arc is a bond seen from one of its atoms.
type arc struct{ atom, bond int32 }

// Parse reads a SMILES and perceives its molecule.
func Parse(smiles string) (*Molecule, error) {
	var p parser
	if err := p.parse(smiles); err != nil {
		return nil, err
	}
	return &p.Molecule, nil
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
	p.work = workLimit
	begin, end := trim(smiles)
	p.text = text{s: smiles[:end], pos: begin, prev: -1}
	p.readText()
	p.close()
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
	p.first = make([]int32, n+1)
	p.arcs = make([]arc, 2*len(p.Bonds))
	for i := range p.Atoms {
		p.first[i+1] = p.first[i] + int32(p.Atoms[i].degree)
	}
	next := make([]int32, n)
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
