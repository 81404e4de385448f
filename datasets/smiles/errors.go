package smiles

import "fmt"

// An Error reports text that is not a SMILES, or a SMILES that a step of perception refuses.
type Error struct {
	Step   string // syntax, cleanup, valence, kekule, rings, aromaticity, stereo or features
	Offset int    // byte of the text at fault, from 0, if the step is syntax
	Atom   int    // index of the atom at fault, -1 if none can be named
	Reason string // what is wrong
}

// Error says what is wrong and where; bytes of the text are counted from 1.
func (e *Error) Error() string {
	if e.Step == "syntax" {
		return fmt.Sprintf("smiles: character %d: %s", e.Offset+1, e.Reason)
	}
	return "smiles: " + e.Step + ": " + e.Reason
}

// syntax returns the error for the text at an offset.
func syntax(offset int, format string, args ...any) error {
	return &Error{Step: "syntax", Offset: offset, Atom: -1, Reason: fmt.Sprintf(format, args...)}
}

// complexity returns the refusal of a molecule that would take too long to perceive.
func complexity(step string) error {
	return &Error{Step: step, Atom: -1, Reason: "this step would take too long"}
}

// refuse returns the refusal of an atom.
func refuse(step string, atom int, format string, args ...any) error {
	return &Error{Step: step, Atom: atom, Reason: fmt.Sprintf(format, args...)}
}
