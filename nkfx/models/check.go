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
	"strconv"
	"strings"
)

// check returns an error for a model that cannot be one that was saved. What is left unknown is whether the
// weights are those of the network: that is seen when its graph is built, before anything is computed.
func (m *Saved) check() error {
	network, err := m.network()
	if err != nil {
		return err
	}
	if err := m.checkOptions(network); err != nil {
		return err
	}
	if err := m.checkOutputs(); err != nil {
		return err
	}
	if err := m.checkInput(network); err != nil {
		return err
	}
	return m.checkWeights()
}

// maxPoints bounds the points of the rule of a saved model: memory grows with
// them, and weights do not tell how many there were.
const maxPoints = 1000

// checkOptions returns an error for options that no weights of this number belong to: they could take all
// memory, or time, before the weights are seen not to fit. A layer has weights, and so has each form and
// hidden unit.
func (m *Saved) checkOptions(network Model) error {
	var options map[string]any
	text, err := json.Marshal(network.Options)
	if err == nil {
		err = json.Unmarshal(text, &options)
	}
	if err != nil {
		return fmt.Errorf("options: %s", unreadable(err))
	}
	for _, name := range slices.Sorted(maps.Keys(options)) {
		value, ok := options[name].(float64)
		most := m.numbers()
		switch strings.ToLower(name) {
		case "points":
			most = maxPoints
		case "layers":
			most = len(m.Weights)
		}
		if ok && !(value >= 0 && value <= float64(most)) {
			return fmt.Errorf("options.%s is %v: of %d weights with %d numbers it is at most %d", name, value,
				len(m.Weights), m.numbers(), most)
		}
	}
	size, sized := network.Options.(Size)
	for _, number := range []int{size.Hidden, size.Forms, size.Points - 1, size.Layers} {
		if sized && number < 1 {
			return fmt.Errorf("options: a network of the size %+v has nothing to learn", size)
		}
	}
	// A layer leads from all hidden units to half as many or more, and to the forms.
	if sized && size.Hidden*max(size.Hidden/2, size.Forms) > m.numbers() {
		return fmt.Errorf("options: %d numbers of weights are too few for the size %+v", m.numbers(), size)
	}
	return nil
}

// checkOutputs returns an error unless the outputs have names, each another one.
func (m *Saved) checkOutputs() error {
	what, names := "classes", m.Classes
	if m.Tasks != nil {
		what, names = "tasks", m.Tasks
		if m.Classes != nil {
			return errors.New("there are classes and tasks: it has one of them")
		}
	} else if m.Regression {
		return errors.New("the classes are said to be numbers")
	}
	if len(names) == 0 || len(names) > m.numbers() {
		return fmt.Errorf("there are %d %s for %d numbers of weights", len(names), what, m.numbers())
	}
	if name, twice := repeated(names); twice {
		return fmt.Errorf("%s: %q stands there twice", what, name)
	}
	return nil
}

// repeated returns a name that stands in a list twice.
func repeated(names []string) (string, bool) {
	seen := make(map[string]bool, len(names))
	for _, name := range names {
		if seen[name] {
			return name, true
		}
		seen[name] = true
	}
	return "", false
}

// checkInput returns an error unless the encoder is of a kind of data that the network takes, and the input
// can be what it makes.
func (m *Saved) checkInput(network Model) error {
	in := m.Input
	if in.Dim < 0 || in.Degree < 0 || in.Dim > math.MaxInt32 || in.Points < 0 ||
		in.Outputs != len(m.outputs()) {
		return fmt.Errorf("input: %d outputs for %d classes or tasks, degree %d, %d coordinates, %d points",
			in.Outputs, len(m.outputs()), in.Degree, in.Dim, in.Points)
	}
	if m.Labeled < -1 || m.Labeled > in.Degree {
		return fmt.Errorf("outputs for simplices of dimension %d, of those up to %d", m.Labeled, in.Degree)
	}
	if m.Encoder.Encoder == nil {
		return errors.New("it has no encoder")
	}
	if err := m.Encoder.Check(); err != nil {
		return fmt.Errorf("encoder of %s: %w", m.Encoder.Kind, err)
	}
	return network.Takes(m.Encoder.Kind, false)
}

// checkWeights returns an error for a variable without a name of its own, of another size than its data, or
// with a value that is not finite.
func (m *Saved) checkWeights() error {
	seen := make(map[string]bool, len(m.Weights))
	for _, w := range m.Weights {
		name := strconv.Quote(w.Path)
		if !path.IsAbs(w.Path) || path.Clean(w.Path) != w.Path || path.Base(w.Path) == "/" {
			return fmt.Errorf("weights: %s is no name of a variable", name)
		}
		if seen[w.Path] {
			return fmt.Errorf("weights: the variable %s stands there twice", name)
		}
		seen[w.Path] = true
		size := 4
		for _, d := range w.Dims {
			if d < 1 || d > len(w.Data) {
				size = -1
				break
			}
			size = min(size*d, len(w.Data)+1) // no overflow
		}
		if size != len(w.Data) {
			return fmt.Errorf("weights: the variable %s has the shape %v and %d bytes", name, w.Dims,
				len(w.Data))
		}
		for i := 0; i < len(w.Data); i += 4 {
			x := math.Float32frombits(binary.LittleEndian.Uint32(w.Data[i:]))
			if slices.Contains([]float64{math.Inf(1), math.Inf(-1)}, float64(x)) || x != x {
				return fmt.Errorf("weights: number %d of the variable %s is %v", i/4, name, x)
			}
		}
	}
	return nil
}
