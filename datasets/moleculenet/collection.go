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
	dim := 0
	switch features {
	case Numbers:
		dim = len(widths)
	case OneHot:
		for _, w := range widths {
			dim += w
		}
	default:
		return nil, fmt.Errorf("%v are unknown: take Numbers or OneHot", features)
	}
	if m.atoms > maxCoordinates/dim {
		return nil, fmt.Errorf("%s: %d columns for %d atoms take more than 1 GiB: take fewer molecules, or "+
			"the features as numbers", m.Name, dim, m.atoms)
	}
	b := datasets.NewBuilder(dim)
	b.Grow(m.atoms)
	b.Info = m.Describe()
	b.Features = features.String()
	var x []float64
	var bonds []int32
	for g := range m.Len() {
		x, bonds = x[:0], bonds[:0]
		for i := range m.Graphs[g].Atoms {
			for j, v := range m.Graphs[g].AtomFeatures(i) {
				if features == Numbers {
					x = append(x, float64(v))
					continue
				}
				x = append(x, make([]float64, widths[j])...)
				x[len(x)-widths[j]+int(v)] = 1
			}
		}
		for _, bond := range m.Graphs[g].Bonds {
			bonds = append(bonds, min(bond.Begin, bond.End), max(bond.Begin, bond.End))
		}
		b.Add(x, [][]int32{1: bonds}, m.target(g)...)
	}
	return b.Collection()
}

// target returns what is to be learned of a molecule.
func (m *Molecules) target(g int) (target []float64) {
	if m.Tasks == nil {
		return []float64{float64(m.Labels[g])}
	}
	for _, y := range m.Targets[g*len(m.Tasks) : (g+1)*len(m.Tasks)] {
		target = append(target, float64(y))
	}
	return target
}
