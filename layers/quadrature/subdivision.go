package quadrature

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/combin"
)

// subdivision is the composite corner-average rule with every edge cut in m.
type subdivision struct{ m int }

// Subdivision returns the rule of the paper (VolApprox): every edge is cut in
// the given number of parts, which cuts Δᵏ into partsᵏ simplices of equal
// volume, and each of them contributes its volume times the average over its
// corners. It is exact to degree 1 and converges with the square of 1/parts.
//
// The small simplices are those of the edgewise subdivision, Kuhn's
// triangulation in the coordinates parts ≥ x_1 ≥ … ≥ x_k ≥ 0. In two
// dimensions these are the partsᵏ congruent triangles.
func Subdivision(parts int) Rule { return subdivision{parts} }

// Trapezoid returns the rule that has the given number of equally spaced
// points on an edge, ends included: Subdivision(points-1).
func Trapezoid(points int) Rule { return subdivision{points - 1} }

// String returns "Subdivision(parts)".
func (r subdivision) String() string { return fmt.Sprintf("Subdivision(%d)", r.m) }

// Nodes returns the lattice points with the shares of the small simplices
// around them.
func (r subdivision) Nodes(k int) (*Nodes, error) {
	if r.m < 1 {
		return nil, fmt.Errorf(
			"quadrature: %v cuts edges in less than one part: use 1 or more (2 or more points)",
			r,
		)
	}
	// The small simplices are enumerated, so they are what is bounded.
	if err := checkSize(r, k, math.Pow(float64(r.m), float64(k))*math.Gamma(float64(k)+1)); err != nil {
		return nil, err
	}
	if k == 0 {
		return vertex(), nil
	}
	cells, corners := r.corners(k)
	// Volume of one cell, shared by its k+1 corners.
	share := 1 / (float64(cells) * math.Gamma(float64(k)+1) * float64(k+1))
	n := &Nodes{K: k, Exact: 1}
	// Lattice points in lexicographic order of x make the order stable.
	x := make([]int, k)
	for {
		if c := corners[key(x)]; c > 0 {
			n.Barycentric = append(n.Barycentric, r.barycentric(x)...)
			n.Weights = append(n.Weights, share*float64(c))
		}
		i := k - 1
		for ; i >= 0 && x[i] == r.m; i-- {
			x[i] = 0
		}
		if i < 0 {
			return n, nil
		}
		x[i]++
	}
}

// corners counts the cells and, for each lattice point, the cells that have
// it as a corner.
func (r subdivision) corners(k int) (cells int, corners map[string]int) {
	corners = map[string]int{}
	perms := combin.Permutations(k, k)
	base := make([]int, k)
	path := make([][]int, k+1)
	for i := range path {
		path[i] = make([]int, k)
	}
	for {
	permutation:
		for _, perm := range perms {
			copy(path[0], base)
			for i, axis := range perm {
				copy(path[i+1], path[i])
				path[i+1][axis]++
			}
			for _, x := range path {
				if !r.inside(x) {
					continue permutation
				}
			}
			cells++
			for _, x := range path {
				corners[key(x)]++
			}
		}
		i := k - 1
		for ; i >= 0 && base[i] == r.m-1; i-- {
			base[i] = 0
		}
		if i < 0 {
			return cells, corners
		}
		base[i]++
	}
}

// inside reports whether m ≥ x_1 ≥ … ≥ x_k ≥ 0.
func (r subdivision) inside(x []int) bool {
	above := r.m
	for _, v := range x {
		if v > above || v < 0 {
			return false
		}
		above = v
	}
	return true
}

// barycentric returns the coordinates of lattice point x: the drops of the
// sequence m, x_1, …, x_k, 0, over m.
func (r subdivision) barycentric(x []int) []float64 {
	b := make([]float64, len(x)+1)
	above := r.m
	for i, v := range x {
		b[i] = float64(above-v) / float64(r.m)
		above = v
	}
	b[len(x)] = float64(above) / float64(r.m)
	return b
}

// key makes a lattice point usable as a map key.
func key(x []int) string { return fmt.Sprint(x) }
