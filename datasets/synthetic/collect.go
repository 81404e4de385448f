package synthetic

import (
	"fmt"
	"math/rand/v2"

	"github.com/neuralkforms/nkf/datasets"
)

// Part selects one of the independent samples of a seed.
type Part uint64

// The parts. Their random streams have nothing in common, so test data are
// never training data.
const (
	Train Part = iota + 1
	Test
)

// source returns the random numbers of a part. PCG is specified to the bit,
// so data are the same on all machines.
func source(seed uint64, part Part) *rand.Rand { return rand.New(rand.NewPCG(seed, uint64(part))) }

// between returns a number drawn uniformly from [low, high).
func between(r *rand.Rand, low, high float64) float64 { return low + (high-low)*r.Float64() }

// generator makes the complexes of each class.
type generator interface {
	// simplices returns those of degree 1 and more of a class, by degree.
	simplices(class int) [][]int32
	// vertices draws the vertices of a complex, [V, dim].
	vertices(r *rand.Rand, class int) []float64
}

// collect returns complexes in R^dim, class after class, perClass of each.
func collect(g generator, name string, dim int, classes []string, perClass int, seed uint64, part Part) (
	*datasets.Collection, error) {
	if perClass < 1 {
		return nil, fmt.Errorf("%s: %d samples of each class: use 1 or more", name, perClass)
	}
	r := source(seed, part)
	b := datasets.NewBuilder(dim)
	b.Info = datasets.Info{Name: name, Classes: classes, Features: "coordinates"}
	for class := range classes {
		simplices := g.simplices(class)
		for range perClass {
			b.Add(g.vertices(r, class), simplices, float64(class))
		}
	}
	// Whatever the options, the data are as documented or there are none.
	return b.Collection()
}
