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
// negative or not a number, if dim is negative, or if the complex would exceed MaxSize. Time grows
// with N² and with the simplices.
func Rips(n int, coords []float64, threshold float64, dim int) (*Complex, error) {
	upper, err := neighbors(n, coords, threshold)
	if err != nil {
		return nil, err
	}
	return expand(n, slices.Clone(coords), upper, dim, nil)
}

// neighbors returns for each point the later points at a distance of at most threshold.
func neighbors(n int, coords []float64, threshold float64) ([][]int32, error) {
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
	upper := make([][]int32, count)
	size := count
	for i := range count {
		p := coords[i*n : (i+1)*n]
		for j := i + 1; j < count; j++ {
			if floats.Distance(p, coords[j*n:(j+1)*n], 2) <= threshold {
				upper[i] = append(upper[i], int32(j))
			}
		}
		if size += 2 * len(upper[i]); size > MaxSize {
			return nil, errSize
		}
	}
	return upper, nil
}
