package smiles

import "fmt"

// A SyntaxError reports text that is not a SMILES.
type SyntaxError struct {
	Offset int    // byte of the text, from 0
	Reason string // what is wrong there
}

// Error says what is wrong and where, counting bytes from 1.
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("smiles: character %d: %s", e.Offset+1, e.Reason)
}

// A RefusalError reports a well-formed SMILES that is not a molecule by the rules of a step, or
// whose features have no index.
type RefusalError struct {
	Step   string // cleanup, valence, kekule, rings, aromaticity, stereo or features
	Atom   int    // index of the atom at fault, -1 if none can be named
	Reason string // what is wrong

	note string // how RDKit words the refusal, where it is known
}

// Error names the step and says what is wrong.
func (e *RefusalError) Error() string { return "smiles: " + e.Step + ": " + e.Reason }

// complexity is the refusal of a molecule whose perception would take too long.
func complexity(step string) *RefusalError {
	return &RefusalError{Step: step, Atom: -1, Reason: "this step would take too long"}
}
