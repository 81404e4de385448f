package models

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"path"
	"slices"
	"strconv"

	"github.com/neuralkforms/nkf/datasets/mesh"
	"github.com/neuralkforms/nkf/datasets/moleculenet"
)

// check returns an error for a model that cannot be one that was saved. What is left unknown is whether the
// weights are those of the network: that is seen when its graph is built, before anything is computed.
func (m *Saved) check() error {
	network, err := Lookup(m.Model, m.Size)
	if err != nil {
		return err
	}
	if err := m.checkSize(network); err != nil {
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

// checkSize returns an error for a size that no weights of this number belong to: it could take all memory
// before the weights are seen not to fit. Models of the paper have a layer from Hidden to half as many or
// more, and weights in each of their Layers; one of forms has a layer from Forms to Hidden.
func (m *Saved) checkSize(network Model) error {
	n, s := m.numbers(), m.Size
	if _, sized := network.Options.(Size); !sized {
		if s != (Size{}) {
			return fmt.Errorf("a size is given, and the model %q has one of its own", m.Model)
		}
		return nil
	}
	for _, bound := range []struct {
		name               string
		value, least, most int
	}{
		{"hidden", s.Hidden, 2, n}, {"forms", s.Forms, 1, n}, {"points", s.Points, 2, maxPoints},
		{"layers", s.Layers, 1, len(m.Weights)},
		{"hidden", s.Hidden, 2, n / max(1, s.Hidden/2)}, {"forms", s.Forms, 1, n / max(1, s.Hidden)},
	} {
		if bound.value < bound.least || bound.value > bound.most {
			return fmt.Errorf("size.%s is %d: of %d weights with %d numbers it is %d to %d", bound.name,
				bound.value, len(m.Weights), n, bound.least, bound.most)
		}
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
	} else if m.Numbers {
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

// checkInput returns an error unless the model is of one kind of data, which its network takes.
func (m *Saved) checkInput(network Model) error {
	if m.Dim < 0 || m.Degree < 0 || m.Dim > math.MaxInt32 {
		return fmt.Errorf("%d coordinates of simplices of dimension %d", m.Dim, m.Degree)
	}
	kinds := 0
	for _, is := range []bool{m.Preparation != nil, m.Features != "", m.Mesh != mesh.Options{},
		m.Encoding.Features != 0} {
		if is {
			kinds++
		}
	}
	switch {
	case kinds > 1:
		return errors.New("it is of several kinds of data: graphs, molecules, meshes or paths")
	case (m.Preparation == nil) != (m.Columns == nil):
		return errors.New("paths have a preparation and columns, other data neither")
	case network.Paths() && m.Preparation == nil:
		return fmt.Errorf("the model %q is of paths, and no preparation is there", m.Model)
	case m.Preparation != nil:
		return m.checkPaths()
	case network.Meshes() != nil || m.Mesh != mesh.Options{}:
		return m.checkMesh(network)
	case m.Features != "":
		return m.checkMolecules()
	}
	return nil
}

// checkPaths returns an error unless paths have the channels that the network takes.
func (m *Saved) checkPaths() error {
	p, columns := m.Preparation, m.Columns
	if err := p.Check(); err != nil {
		return fmt.Errorf("preparation: %w", err)
	}
	channels := len(p.Mean)
	if len(columns.Coordinates) != channels || len(columns.Units) != channels {
		return fmt.Errorf("columns: %d names and %d units of %d coordinates", len(columns.Coordinates),
			len(columns.Units), channels)
	}
	if p.Longest > 0 {
		channels++
	}
	if m.Dim != channels {
		return fmt.Errorf("dim is %d, and the preparation makes %d", m.Dim, channels)
	}
	return nil
}

// checkMesh returns an error unless meshes are encoded for the network.
func (m *Saved) checkMesh(network Model) error {
	want := mesh.Options{Faces: true} // as any other model takes them
	if network.Meshes() != nil {
		want = *network.Meshes()
	}
	if network.Elements() && (m.Mesh.Labels == mesh.Vertices || m.Mesh.Labels == mesh.Faces) {
		want.Labels = m.Mesh.Labels
	}
	if m.Mesh != want {
		return fmt.Errorf("mesh: the model %q does not take meshes so", m.Model)
	}
	return nil
}

// checkMolecules returns an error unless atoms have features and elements are atomic numbers.
func (m *Saved) checkMolecules() error {
	if _, err := moleculenet.ParseFeatures(m.Features); err != nil {
		return fmt.Errorf("features: %w", err)
	}
	for i, number := range m.Elements {
		if number < 0 || number > math.MaxUint8 || i > 0 && number <= m.Elements[i-1] {
			return fmt.Errorf("elements: %d is no atomic number, or not above the one before it", number)
		}
	}
	return nil
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
