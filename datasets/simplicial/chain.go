package simplicial

import (
	"fmt"
	"math"
	"slices"
)

// Chain is a sparse chain Σ Coeff[i]·σ_i of simplices (or cells) of one degree, with σ_i number
// Index[i] of a complex.
//
// The chains that this package returns have strictly increasing indices and no zero coefficients.
type Chain struct {
	Degree int
	Index  []int32
	Coeff  []float64
}

// Chain returns the chain Σ coeffs[i]·simplices[i] of k-simplices, each oriented by the order of
// its vertices; nil coeffs stand for ones. Simplices that are given several times add up.
//
// It is an error if a simplex has another degree or does not belong to the complex, or if a
// coefficient is missing, infinite or not a number.
func (c *Complex) Chain(k int, simplices [][]int, coeffs []float64) (Chain, error) {
	if coeffs != nil && len(coeffs) != len(simplices) {
		return Chain{}, fmt.Errorf("simplicial: %d coefficients for %d simplices",
			len(coeffs), len(simplices))
	}
	index := make([]int32, len(simplices))
	coeff := make([]float64, len(simplices))
	for i, s := range simplices {
		if len(s) != k+1 {
			return Chain{}, fmt.Errorf("simplicial: simplex %d: %s has %d vertices, want %d in degree %d",
				i, show(s), len(s), k+1, k)
		}
		j, sign, ok := c.Index(s...)
		if !ok {
			return Chain{}, fmt.Errorf("simplicial: simplex %d: %s is not in the complex", i, show(s))
		}
		index[i], coeff[i] = int32(j), float64(sign)
		if coeffs == nil {
			continue
		}
		if math.IsNaN(coeffs[i]) || math.IsInf(coeffs[i], 0) {
			return Chain{}, fmt.Errorf("simplicial: coefficient %d is %v, want a finite number", i, coeffs[i])
		}
		coeff[i] *= coeffs[i]
	}
	return newChain(k, index, coeff), nil
}

// Path returns the 1-chain of the edge path through the given vertices; its boundary is the last
// minus the first. It is an error if two vertices in a row are not joined by an edge.
func (c *Complex) Path(vertices ...int) (Chain, error) {
	edges := make([][]int, max(len(vertices)-1, 0))
	for i := range edges {
		edges[i] = vertices[i : i+2]
	}
	return c.Chain(1, edges, nil)
}

// Pair returns the value Σ Coeff[i]·cochain[Index[i]] of a cochain, given by its values on the
// simplices. It is an error if the chain has a simplex beyond the end of the cochain.
func (c Chain) Pair(cochain []float64) (float64, error) {
	if err := c.check(len(cochain)); err != nil {
		return 0, err
	}
	var sum float64
	for i, j := range c.Index {
		sum += c.Coeff[i] * cochain[j]
	}
	return sum, nil
}

// check reports a chain that is not one over count simplices.
func (c Chain) check(count int) error {
	if len(c.Index) != len(c.Coeff) {
		return fmt.Errorf("simplicial: chain with %d indices and %d coefficients", len(c.Index), len(c.Coeff))
	}
	for _, j := range c.Index {
		if j < 0 || int(j) >= count {
			return fmt.Errorf("simplicial: chain with simplex %d, want one of 0..%d", j, count-1)
		}
	}
	return nil
}

// newChain returns the sum of the terms coeff[i]·σ_index[i].
func newChain(degree int, index []int32, coeff []float64) Chain {
	order := count32(len(index))
	// Terms of one simplex keep their order, so that sums round the same way every time.
	slices.SortStableFunc(order, func(a, b int32) int { return int(index[a]) - int(index[b]) })
	sum := Chain{Degree: degree, Index: make([]int32, 0, len(index)), Coeff: make([]float64, 0, len(index))}
	for i := 0; i < len(order); {
		j, total := index[order[i]], 0.0
		for ; i < len(order) && index[order[i]] == j; i++ {
			total += coeff[order[i]]
		}
		if total != 0 {
			sum.Index = append(sum.Index, j)
			sum.Coeff = append(sum.Coeff, total)
		}
	}
	return sum
}
