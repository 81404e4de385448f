package quadrature

import (
	"fmt"
	"math"
)

// Rule is a family of quadrature rules, one for the standard simplex of every dimension.
type Rule interface {
	// Nodes returns the points and weights on the standard k-simplex. It is an error if the rule has none
	// for k, or too many to be of use.
	Nodes(k int) (*Nodes, error)

	// String returns the rule as it is written in Go, such as "Gauss(3)".
	String() string
}

// Nodes are the points and weights of a rule on the standard k-simplex:
//
//	∫_Δᵏ f ≈ Σ_q Weights[q] · f(Point(q)).
type Nodes struct {
	K           int       // dimension of the simplex
	Barycentric []float64 // [points, K+1]: barycentric coordinates, each row sums to one
	Weights     []float64 // [points]: they sum to 1/K!
	Exact       int       // the largest degree for which every polynomial is integrated exactly
}

// Len returns the number of points.
func (n *Nodes) Len() int { return len(n.Weights) }

// Point returns the barycentric coordinates of point q.
func (n *Nodes) Point(q int) []float64 {
	return n.Barycentric[q*(n.K+1) : (q+1)*(n.K+1)]
}

// Nodes returns n, a rule for simplices of its own dimension only.
func (n *Nodes) Nodes(k int) (*Nodes, error) {
	if k != n.K {
		return nil, fmt.Errorf("quadrature: %v is for simplices of dimension %d, not %d", n, n.K, k)
	}
	if k < 0 || n.Len() == 0 || len(n.Barycentric) != n.Len()*(k+1) {
		return nil, fmt.Errorf("quadrature: %v have %d barycentric coordinates: want %d of each, and one or "+
			"more", n, len(n.Barycentric), k+1)
	}
	return n, nil
}

// String returns the number of points and the dimension.
func (n *Nodes) String() string { return fmt.Sprintf("Nodes(%d points, k=%d)", n.Len(), n.K) }

// maxNodes bounds the points on one simplex: a rule with more is a mistake in its arguments, and would
// exhaust memory before it integrated anything.
const maxNodes = 1 << 20

// checkSize returns an error for a negative dimension, or for more points than maxNodes.
func checkSize(rule Rule, k int, count float64) error {
	if k < 0 {
		return fmt.Errorf("quadrature: %v has no nodes on a simplex of dimension %d", rule, k)
	}
	if count > maxNodes || math.IsNaN(count) {
		return fmt.Errorf("quadrature: %v has %.3g nodes on the %d-simplex, more than %d: use fewer points "+
			"per direction", rule, count, k, maxNodes)
	}
	return nil
}

// vertex returns the only rule on the 0-simplex, the value at its vertex, which is exact for every degree.
func vertex() *Nodes {
	return &Nodes{K: 0, Barycentric: []float64{1}, Weights: []float64{1}, Exact: math.MaxInt}
}
