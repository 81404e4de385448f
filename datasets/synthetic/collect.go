package synthetic

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/neuralkforms/nkf/datasets"
)

// Part says which of the independent samples of a seed is meant.
type Part uint64

// The parts. Their random streams have nothing in common, so test data are
// never training data, nor what settings were chosen by.
const (
	Train Part = iota + 1
	Test
	Validation
)

// source returns the random numbers of a part. PCG is specified to the bit,
// so data are the same on all machines.
func source(seed uint64, part Part) *rand.Rand { return rand.New(rand.NewPCG(seed, uint64(part))) }

// between returns a number drawn uniformly from [low, high).
func between(r *rand.Rand, low, high float64) float64 { return low + (high-low)*r.Float64() }

// complexes collects complexes of all classes that have the same simplices.
type complexes struct {
	name        string
	dim, degree int
	classes     []string
	simplices   func(class int) []int32                 // [S, degree+1]; not called for degree 0
	vertices    func(r *rand.Rand, class int) []float64 // of one complex, [V, dim]
	perClass    int
	seed        uint64
	part        Part
}

// collect returns the collection: class after class, perClass complexes each.
func (x complexes) collect() (*datasets.Collection, error) {
	if x.perClass < 1 {
		return nil, fmt.Errorf("%s: %d samples of each class: use 1 or more", x.name, x.perClass)
	}
	r := source(x.seed, x.part)
	b := datasets.NewBuilder(x.dim)
	b.Info = datasets.Info{Name: x.name, Classes: x.classes, Features: "coordinates"}
	for class := range x.classes {
		simplices := make([][]int32, x.degree+1)
		if x.degree > 0 {
			simplices[x.degree] = x.simplices(class)
		}
		for range x.perClass {
			b.Add(x.vertices(r, class), simplices, float64(class))
		}
	}
	// Whatever the options, the data are as documented or there are none.
	return b.Collection()
}

// finite returns an error that names the first of the values that is negative
// or not finite.
func finite(name string, values ...float64) error {
	for _, v := range values {
		if !(v >= 0) || math.IsInf(v, 0) {
			return fmt.Errorf("%s: %g is not a finite number of 0 or more", name, v)
		}
	}
	return nil
}
