package smiles

import "fmt"

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
