package simplicial

import (
	"fmt"
	"math"
)

// chain returns the chain Σ coeffs[i]·simplices[i] of k-simplices, each oriented by the order of its
// vertices, as one coefficient for each k-simplex of the complex; nil coeffs stand for ones. Simplices that
// are given several times add up.
//
// It is an error if a simplex has another degree or does not belong to the complex, or if a coefficient is
// missing, infinite or not a number.
func (c *Complex) chain(k int, simplices [][]int, coeffs []float64) ([]float64, error) {
	if coeffs != nil && len(coeffs) != len(simplices) {
		return nil, fmt.Errorf("simplicial: %d coefficients for %d simplices", len(coeffs), len(simplices))
	}
	chain := make([]float64, c.Count(k))
	for i, s := range simplices {
		if len(s) != k+1 {
			return nil, fmt.Errorf("simplicial: simplex %d: %s has %d vertices, want %d in degree %d",
				i, show(s), len(s), k+1, k)
		}
		j, sign, ok := c.Index(s...)
		if !ok {
			return nil, fmt.Errorf("simplicial: simplex %d: %s is not in the complex", i, show(s))
		}
		coeff := float64(sign)
		if coeffs != nil {
			coeff *= coeffs[i]
		}
		if math.IsNaN(coeff) || math.IsInf(coeff, 0) {
			return nil, fmt.Errorf("simplicial: coefficient %d is %v, want a finite number", i, coeffs[i])
		}
		chain[j] += coeff
	}
	return chain, nil
}

// Path returns the 1-chain of the edge path through the given vertices; its boundary is the last
// minus the first. It is an error if two vertices in a row are not joined by an edge.
func (c *Complex) Path(vertices ...int) ([]float64, error) {
	edges := make([][]int, max(len(vertices)-1, 0))
	for i := range edges {
		edges[i] = vertices[i : i+2]
	}
	return c.chain(1, edges, nil)
}
