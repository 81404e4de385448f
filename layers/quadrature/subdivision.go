package quadrature

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/combin"
)

// subdivision is the composite corner-average rule with every edge cut in m parts.
type subdivision struct{ m int }

// Subdivision returns the rule of the paper (VolApprox): every edge is cut in the given number of parts,
// which cuts Δᵏ into partsᵏ simplices of equal volume, each of which contributes its volume times the
// average over its corners. It is exact to degree 1 and converges with the square of 1/parts.
//
// The small simplices are those of the edgewise subdivision, Kuhn's triangulation in the coordinates
// parts ≥ x_1 ≥ … ≥ x_k ≥ 0. In two dimensions these are the partsᵏ congruent triangles.
func Subdivision(parts int) Rule { return subdivision{parts} }

// Trapezoid returns the rule that has the given number of equally spaced points on an edge, ends
// included: Subdivision(points-1).
func Trapezoid(points int) Rule { return subdivision{points - 1} }

// String returns "Subdivision(parts)".
func (r subdivision) String() string { return fmt.Sprintf("Subdivision(%d)", r.m) }

// Nodes returns the lattice points, in lexicographic order of x, with the shares of the small simplices
// around them.
func (r subdivision) Nodes(k int) (*Nodes, error) {
	if r.m < 1 {
		return nil, fmt.Errorf("quadrature: %v cuts edges in less than one part: use 1 or more (2 or more "+
			"points)", r)
	}
	// All candidates for small simplices are enumerated, so their number is bounded.
	cells := math.Pow(float64(r.m), float64(k))
	if err := checkSize(r, k, cells*math.Gamma(float64(k)+1)); err != nil {
		return nil, err
	}
	if k == 0 {
		return vertex(), nil
	}
	lattice := slices.Repeat([]int{r.m + 1}, k)
	corners := r.corners(lattice)
	// The volume of a small simplex is shared by its k+1 corners.
	share := 1 / (cells * math.Gamma(float64(k)+1) * float64(k+1))
	n := &Nodes{K: k, Exact: 1}
	for i, x := range combin.Cartesian(lattice) {
		if corners[i] == 0 {
			continue
		}
		// Barycentric coordinates are the drops of the sequence m, x_1, …, x_k, 0, over m.
		above := r.m
		for _, v := range append(x, 0) {
			n.Barycentric = append(n.Barycentric, float64(above-v)/float64(r.m))
			above = v
		}
		n.Weights = append(n.Weights, share*float64(corners[i]))
	}
	return n, nil
}

// corners returns for each lattice point the number of small simplices that have it as a corner. Each is
// a path from a point by one step along every axis that stays within m ≥ x_1 ≥ … ≥ x_k ≥ 0.
func (r subdivision) corners(lattice []int) []int {
	k := len(lattice)
	corners := make([]int, combin.Card(lattice))
	paths := combin.Permutations(k, k)
	for _, base := range combin.Cartesian(slices.Repeat([]int{r.m}, k)) {
	path:
		for _, axes := range paths {
			for i := 1; i < k; i++ {
				if base[i] > base[i-1] ||
					base[i] == base[i-1] && slices.Index(axes, i) < slices.Index(axes, i-1) {
					continue path
				}
			}
			x := slices.Clone(base)
			corners[combin.IdxFor(x, lattice)]++
			for _, axis := range axes {
				x[axis]++
				corners[combin.IdxFor(x, lattice)]++
			}
		}
	}
	return corners
}
