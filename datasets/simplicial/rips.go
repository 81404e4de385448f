package simplicial

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// Rips returns the Vietoris-Rips complex of the points coords [N, n] up to degree dim: the sets of
// at most dim+1 points whose pairwise distances are at most threshold.
//
// It is an error if the coordinates are not rows of n finite numbers (n >= 1), if threshold is
// negative or not a number, if dim is negative, or if the complex would hold more than
// 2²⁶ vertex numbers. Time grows with N² and with the simplices.
func Rips(n int, coords []float64, threshold float64, dim int) (*Complex, error) {
	if n < 1 {
		return nil, fmt.Errorf("simplicial: points in R^%d, want dimension 1 or more", n)
	}
	if err := checkPoints(n, coords); err != nil {
		return nil, err
	}
	if math.IsNaN(threshold) || threshold < 0 {
		return nil, fmt.Errorf("simplicial: threshold %v, want 0 or more", threshold)
	}
	count := len(coords) / n
	upper := make([][]int32, count) // of each point the later ones that are near
	size := count
	for i := range count {
		p := coords[i*n : (i+1)*n]
		for j := i + 1; j < count; j++ {
			if floats.Distance(p, coords[j*n:(j+1)*n], 2) <= threshold {
				upper[i] = append(upper[i], int32(j))
			}
		}
		if size += 2 * len(upper[i]); size > maxSize {
			return nil, errSize
		}
	}
	return cliques(n, slices.Clone(coords), upper, dim)
}

// cliques returns the complex of all sets of at most dim+1 vertices that are joined pairwise; upper[v]
// lists the neighbors of v that are greater than v, increasing.
//
// Extending each clique by its common upper neighbors visits every degree in lexicographic order
// (Zomorodian, Fast construction of the Vietoris-Rips complex, 2010).
func cliques(n int, coords []float64, upper [][]int32, dim int) (*Complex, error) {
	if dim < 0 {
		return nil, fmt.Errorf("simplicial: maximal degree %d, want 0 or more", dim)
	}
	c := &Complex{ambient: n, coords: coords}
	var clique []int32
	var common [][]int32 // common[k] is scratch space for the upper neighbors common to k+1 vertices
	size := 0
	// extend adds to the current clique each of its candidates, of degree k then, and goes on from there.
	var extend func(candidates []int32, k int)
	extend = func(candidates []int32, k int) {
		if len(c.levels) == k && len(candidates) > 0 {
			c.levels = append(c.levels, nil)
			common = append(common, nil)
		}
		for i, v := range candidates {
			if size > maxSize {
				return
			}
			clique = append(clique[:k], v)
			c.levels[k] = append(c.levels[k], clique...)
			size += k + 1
			if k < dim {
				common[k] = intersect(common[k][:0], candidates[i+1:], upper[v])
				extend(common[k], k+1)
			}
		}
	}
	extend(count32(len(upper)), 0)
	if size > maxSize {
		return nil, errSize
	}
	return c, nil
}

// intersect appends the common elements of two increasing lists to dst.
func intersect(dst, a, b []int32) []int32 {
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0] < b[0]:
			a = a[1:]
		case a[0] > b[0]:
			b = b[1:]
		default:
			dst = append(dst, a[0])
			a, b = a[1:], b[1:]
		}
	}
	return dst
}
