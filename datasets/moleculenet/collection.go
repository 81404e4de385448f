package moleculenet

import (
	"fmt"
	"strings"

	"github.com/neuralkforms/nkf/datasets"
)

// Features says what the coordinates of atoms are.
type Features uint8

const (
	// Numbers are the nine features as they are, as in the paper.
	Numbers Features = iota
	// OneHot has a column for every value that a feature can take, 177 in all.
	OneHot
)

var featureNames = []string{"numbers", "one-hot"}

// ParseFeatures returns the features of that name, "numbers" or "one-hot".
func ParseFeatures(s string) (Features, error) {
	for i, name := range featureNames {
		if s == name {
			return Features(i), nil
		}
	}
	return 0, fmt.Errorf("no features %q: take %s", s, strings.Join(featureNames, " or "))
}

// String returns the name that ParseFeatures takes.
func (f Features) String() string {
	if int(f) < len(featureNames) {
		return featureNames[f]
	}
	return fmt.Sprintf("Features(%d)", uint8(f))
}

// widths are the numbers of values that the features of an atom can take: the lengths of the lists of
// PyTorch Geometric.
var widths = [9]int{119, 9, 11, 12, 9, 5, 8, 2, 2}

// Collection returns the molecules as complexes of degree 1 with the chosen features as coordinates.
//
// It is an error if there is no such choice, or if the coordinates would take more than 1 GiB.
func (m *Molecules) Collection(features Features) (*datasets.Collection, error) {
	c := &datasets.Collection{
		Name: m.Name, Degree: 1, VertexStart: m.AtomStart, SimplexStart: m.BondStart, Labels: m.Labels,
		Classes: m.Classes, Tasks: m.Tasks, Targets: m.Targets, Regression: m.Task == Regression,
		Features: features.String(), SHA256: m.SHA256,
	}
	switch features {
	case Numbers:
		c.Dim = len(widths)
	case OneHot:
		for _, w := range widths {
			c.Dim += w
		}
	default:
		return nil, fmt.Errorf("%v are unknown: take Numbers or OneHot", features)
	}
	if len(m.Atoms) > maxCoordinates/c.Dim {
		return nil, fmt.Errorf("%s: %d columns for %d atoms take more than 1 GiB: take fewer molecules, or "+
			"the features as numbers", m.Name, c.Dim, len(m.Atoms))
	}
	c.Vertices = make([]float32, len(m.Atoms)*c.Dim)
	for i, atom := range m.Atoms {
		x := c.Vertices[i*c.Dim : (i+1)*c.Dim]
		for j, v := range atom {
			if features == Numbers {
				x[j] = float32(v)
				continue
			}
			x[v] = 1
			x = x[widths[j]:]
		}
	}
	c.Simplices = make([]int32, 0, 2*len(m.Bonds))
	for _, b := range m.Bonds {
		c.Simplices = append(c.Simplices, b[0], b[1])
	}
	return c, nil
}
