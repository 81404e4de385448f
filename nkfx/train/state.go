package train

import (
	"fmt"

	"github.com/gomlx/gomlx/core/tensors"
)

// snapshot is the values of all variables of one training: weights, running
// statistics, moments of the optimizer, learning rate, random numbers. The
// programs map one snapshot to the next; nothing else changes.
type snapshot struct{ values []*tensors.Tensor }

// start returns the state in which a training with that seed begins.
func (e *engine) start(seed int64) (*snapshot, error) {
	if err := e.store.SetRNGStateFromSeed(seed); err != nil {
		return nil, fmt.Errorf("seeding: %w", err)
	}
	initial, err := e.initialize.Call()
	if err != nil {
		return nil, fmt.Errorf("initializing the variables: %w", err)
	}
	byVariable := make(map[string]*tensors.Tensor, len(initial))
	for i, v := range e.initials {
		byVariable[v.Path()] = initial[i]
	}
	s := &snapshot{}
	for _, v := range e.variables {
		value := byVariable[v.Path()]
		if value == nil {
			// The rest begins with a given value: counters, the rate, the
			// state of the random numbers after the initialization.
			if value, err = v.Value(); err != nil {
				return nil, fmt.Errorf("variable %s: %w", v.Path(), err)
			}
		}
		// The copy is the host's, for whatever backend trains.
		local, err := value.LocalClone()
		if err != nil {
			return nil, fmt.Errorf("variable %s: %w", v.Path(), err)
		}
		s.values = append(s.values, local)
	}
	for _, value := range initial {
		value.MustFinalizeAll()
	}
	return s, nil
}

// free releases the memory of the state. It is not to be used after.
func (s *snapshot) free() {
	for _, v := range s.values {
		v.MustFinalizeAll()
	}
	s.values = nil
}
