package models

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"path"
	"slices"
	"strings"

	"github.com/neuralkforms/nkf/nkfx/internal/outputs"
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
	seen := make(map[string]bool, len(m.Weights))
	for _, w := range m.Weights {
		if err := w.check(); err != nil {
			return err
		}
		if seen[w.Path] {
			return fmt.Errorf("weights: the variable %q occurs twice", w.Path)
		}
		seen[w.Path] = true
	}
	return nil
}

// checkOptions returns an error for options of a network that cannot be.
func checkOptions(text []byte) error {
	var options map[string]any
	if err := json.Unmarshal(text, &options); err != nil {
		return fmt.Errorf("options: %s", unreadable(err))
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

// check returns an error for a variable without a name, of another size than its data, or with a value that
// is not finite.
func (w Weight) check() error {
	if !path.IsAbs(w.Path) || path.Clean(w.Path) != w.Path || path.Base(w.Path) == "/" {
		return fmt.Errorf("weights: %q is not the name of a variable", w.Path)
	}
	size := 4
	for _, d := range w.Dims {
		if d < 1 || d > len(w.Data) {
			size = -1
			break
		}
		size = min(size*d, len(w.Data)+1) // no overflow
	}
	if size != len(w.Data) {
		return fmt.Errorf("weights: the variable %q has the shape %v and %d bytes", w.Path, w.Dims,
			len(w.Data))
	}
	for i := 0; i < len(w.Data); i += 4 {
		if x := math.Float32frombits(binary.LittleEndian.Uint32(w.Data[i:])); outputs.NotFinite(x) {
			return fmt.Errorf("weights: number %d of the variable %q is %v", i/4, w.Path, x)
		}
	}
	return nil
}

// cause returns what a network panicked with while its graph was built, without what GoMLX says of itself.
func cause(err error) string {
	text := err.Error()
	if at := strings.LastIndex(text, "panicked: "); at >= 0 {
		text = text[at+len("panicked: "):]
	}
	text, _, _ = strings.Cut(text, " when Store.")
	return text
}
