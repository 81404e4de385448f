package quadrature

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/combin"
)

// symmetric averages a rule over the symmetries of the simplex.
type symmetric struct{ rule Rule }

// Symmetric returns the average of a rule over all (k+1)! orders of the
// vertices. Neither Gauss beyond edges nor Subdivision beyond triangles
// treats the vertices alike, so that the integral depends on their order by
// as much as it is off; with a symmetric rule a permutation changes no more
// than the sign. Points that coincide are one.
func Symmetric(rule Rule) Rule { return symmetric{rule} }

// String returns "Symmetric(rule)".
func (r symmetric) String() string { return fmt.Sprintf("Symmetric(%v)", r.rule) }

// Nodes returns the orbits of the points, in the order of first appearance.
func (r symmetric) Nodes(k int) (*Nodes, error) {
	n, err := r.rule.Nodes(k)
	if err != nil {
		return nil, err
	}
	orders := math.Gamma(float64(k) + 2)
	if err := checkSize(r, k, float64(n.Len())*orders); err != nil {
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
