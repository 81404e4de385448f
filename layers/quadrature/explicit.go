package quadrature

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
)

// explicit is a rule given point by point, for one dimension.
type explicit struct{ nodes Nodes }

// Explicit returns the rule with the given barycentric points, k+1 entries each, and weights, for
// simplices of dimension k only.
//
// Weights are relative to the volume: they sum to one, as rules are usually printed. The rule is taken
// to be exact for polynomials up to the given degree; package laws of layers/exterior can check that.
func Explicit(points [][]float64, weights []float64, exact int) (Rule, error) {
	if len(points) == 0 || len(points) != len(weights) {
		return nil, fmt.Errorf("quadrature: %d points for %d weights: give one weight for each of at least "+
			"one point", len(points), len(weights))
	}
	k := len(points[0]) - 1
	volume := 1 / math.Gamma(float64(k)+1)
	r := explicit{Nodes{K: k, Exact: exact}}
	for q, p := range points {
		if len(p) != k+1 {
			return nil, fmt.Errorf("quadrature: point %d has %d barycentric coordinates, point 0 has %d", q,
				len(p), k+1)
		}
		// Printed rules carry some 15 digits; ten are asked for.
		if total := floats.Sum(p); !(math.Abs(total-1) < 1e-10) {
			return nil, fmt.Errorf("quadrature: barycentric coordinates of point %d sum to %g, not 1", q,
				total)
		}
		r.nodes.Barycentric = append(r.nodes.Barycentric, p...)
		r.nodes.Weights = append(r.nodes.Weights, weights[q]*volume)
	}
	if sum := floats.Sum(weights); !(math.Abs(sum-1) < 1e-10) {
		return nil, fmt.Errorf("quadrature: weights sum to %g, not 1", sum)
	}
	return r, nil
}

// Nodes returns the given points where k is their dimension.
func (r explicit) Nodes(k int) (*Nodes, error) {
	if k != r.nodes.K {
		return nil, fmt.Errorf("quadrature: %v is for simplices of dimension %d, not %d", r, r.nodes.K, k)
	}
	n := r.nodes
	return &n, nil
}

// String names the rule by its number of points and its dimension.
func (r explicit) String() string {
	return fmt.Sprintf("Explicit(%d points, k=%d)", r.nodes.Len(), r.nodes.K)
}
