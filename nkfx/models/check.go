package models

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/neuralkforms/nkf/nkfx/internal/saved"
)

// maxOption bounds the options of a saved model, which decide about memory before the weights are seen not to
// fit.
const maxOption = 1 << 12

// check returns an error for a model that cannot be one that was saved. Whether the weights are those of the
// network is seen when its graph is built.
func (m *Saved) check() error {
	network, err := m.network()
	if err != nil {
		return err
	}
	if err := errors.Join(checkOptions(m.Options), m.checkSizes()); err != nil {
		return err
	}
	if m.Encoder.Encoder == nil {
		return errors.New("it has no encoder")
	}
	if err := m.Encoder.Check(); err != nil {
		return fmt.Errorf("encoder of %s: %w", m.Encoder.Kind, err)
	}
	if err := network.Takes(m.Encoder.Kind); err != nil {
		return err
	}
	return m.Weights.Check()
}

// checkOptions returns an error for options of a network that cannot be.
func checkOptions(text []byte) error {
	var options map[string]any
	if err := json.Unmarshal(text, &options); err != nil {
		return fmt.Errorf("options: %s", saved.Unreadable(err))
	}
	for _, name := range slices.Sorted(maps.Keys(options)) {
		if n, ok := options[name].(float64); ok && !(n >= 0 && n <= maxOption) {
			return fmt.Errorf("options.%s is %v: want 0 to %d", name, n, maxOption)
		}
	}
	return nil
}

// checkSizes returns an error unless the outputs are classes or tasks with names of their own, and the inputs
// have sizes that can be.
func (m *Saved) checkSizes() error {
	names := m.outputs()
	if len(names) == 0 || m.Tasks != nil && m.Classes != nil || m.Regression && m.Tasks == nil {
		return fmt.Errorf("%d classes and %d tasks: it has either", len(m.Classes), len(m.Tasks))
	}
	if unique := slices.Compact(slices.Sorted(slices.Values(names))); len(unique) < len(names) {
		return fmt.Errorf("two of the classes or tasks %q have one name", names)
	}
	in := m.Input
	if in.Dim < 0 || in.Degree < 0 || in.Dim > math.MaxInt32 || in.Outputs != len(names) {
		return fmt.Errorf("input: %d outputs for %d classes or tasks, degree %d, %d coordinates",
			in.Outputs, len(names), in.Degree, in.Dim)
	}
	return nil
}
