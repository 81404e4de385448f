package train

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
)

// snapshot is the values of all variables of one training: weights, running
// statistics, moments of the optimizer, learning rate, random numbers. The
// programs map one snapshot to the next; nothing else changes.
type snapshot struct {
	values []*tensors.Tensor
	shared *snapshot // owner of some of the values, or nil
}

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

// tested returns the state that is tested: the same, or, where the optimizer
// keeps one, with the moving average of the weights. The caller
// frees it if it is another.
func (e *engine) tested(s *snapshot) (*snapshot, error) {
	at := slices.IndexFunc(e.variables, func(v *model.Variable) bool {
		return v.Name() == averageName && strings.HasSuffix(v.Scope(), adamScope)
	})
	if at < 0 {
		return s, nil
	}
	var average []float32
	if err := guard(func() { average = tensors.MustCopyFlatData[float32](s.values[at]) }); err != nil {
		return nil, fmt.Errorf("reading the average of the weights: %w", err)
	}
	out := &snapshot{shared: s}
	for i, v := range e.variables {
		value := s.values[i]
		if v.Trainable {
			size := v.Shape().Size()
			value = tensors.FromFlatDataAndDimensions(average[:size], v.Shape().Dimensions...)
			average = average[size:]
		}
		out.values = append(out.values, value)
	}
	return out, nil
}

// free releases the memory of the state. It is not to be used after.
func (s *snapshot) free() {
	for i, v := range s.values {
		if s.shared == nil || v != s.shared.values[i] {
			v.MustFinalizeAll()
		}
	}
	s.values = nil
}
