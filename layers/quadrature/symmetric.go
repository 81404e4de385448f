package quadrature

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/combin"
)

// symmetric makes of a rule one that treats the vertices alike.
type symmetric struct{ rule Rule }

// Symmetric returns a rule that treats the vertices alike and is exact to the degree of the given one.
// Neither Gauss beyond edges nor Subdivision beyond triangles does, so that the integral depends on the
// order of the vertices by as much as it is off; with a symmetric rule a permutation changes no more
// than the sign.
//
// In the place of Gauss(q) it is [Cubature](2q-1), which has far fewer points, but weights of both signs
// on simplices of dimension 4 or more past the degrees of [CubatureDegree]. Of any other rule it is
// the average over all (k+1)! orders of the vertices, where points that coincide are one.
func Symmetric(rule Rule) Rule { return symmetric{rule} }

// String returns "Symmetric(rule)".
func (r symmetric) String() string { return fmt.Sprintf("Symmetric(%v)", r.rule) }

// Nodes returns the orbits of the points.
func (r symmetric) Nodes(k int) (*Nodes, error) {
	if g, ok := r.rule.(gauss); ok && g.q > 0 {
		return Cubature(2*g.q - 1).Nodes(k)
	}
	return average(r, r.rule, k)
}

// average returns the orbits of the points of a rule, in the order of first appearance, with shares of
// their weights. Errors name the rule that asked for it.
func average(name, rule Rule, k int) (*Nodes, error) {
	n, err := rule.Nodes(k)
	if err != nil {
		return nil, err
	}
	orders := math.Gamma(float64(k) + 2)
	if err := checkSize(name, k, float64(n.Len())*orders); err != nil {
		return nil, err
	}
	out := &Nodes{K: k, Exact: n.Exact}
	places := map[string]int{}
	moved := make([]float64, k+1)
	for q, w := range n.Weights {
		for _, order := range combin.Permutations(k+1, k+1) {
			for a, b := range order {
				moved[a] = n.Point(q)[b]
			}
			// Twelve digits tell points apart and join rounded copies.
			name := fmt.Sprintf("%.12f", moved)
			place, seen := places[name]
			if !seen {
				place = out.Len()
				places[name] = place
				out.Barycentric = append(out.Barycentric, moved...)
				out.Weights = append(out.Weights, 0)
			}
			out.Weights[place] += w / orders
		}
	}
	return out, nil
}
