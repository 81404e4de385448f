package train

import (
	"fmt"

	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/train/optimizer"
)

// snapshot is the values of all variables of one training: weights, running
// statistics, moments of the optimizer, learning rate, random numbers. The
// programs map one snapshot to the next; nothing else changes.
type snapshot struct{ values []*tensors.Tensor }

// start returns the state in which a training with that seed begins.
func (e *engine) start(seed int64) (*snapshot, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	initializer, err := e.initializer()
	if err != nil {
		return nil, err
	}
	if err := e.store.SetRNGStateFromSeed(seed); err != nil {
		return nil, fmt.Errorf("seeding: %w", err)
	}
	initial, err := initializer.Call()
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

// setRate sets the learning rate of the steps that follow.
func (e *engine) setRate(s *snapshot, rate float64) error {
	for i, v := range e.variables {
		if v.Name() == optimizer.ParamLearningRate {
			old := s.values[i]
			s.values[i] = tensors.FromScalar(float32(rate))
			return old.FinalizeAll()
		}
	}
	return fmt.Errorf("the optimizer has no variable %q", optimizer.ParamLearningRate)
}

// clone returns a copy.
func (s *snapshot) clone() (*snapshot, error) {
	out := &snapshot{}
	for _, v := range s.values {
		c, err := v.Clone()
		if err != nil {
			out.free()
			return nil, fmt.Errorf("copying a state: %w", err)
		}
		out.values = append(out.values, c)
	}
	return out, nil
}

// free releases the memory of the state. It is not to be used after.
func (s *snapshot) free() {
	for _, v := range s.values {
		v.MustFinalizeAll()
	}
	s.values = nil
}
