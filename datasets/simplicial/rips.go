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

// Nearest returns the clique complex up to degree dim of the graph that joins each of the points coords
// [N, n] with the given number of nearest neighbors, the earlier ones where distances are equal.
//
// It is an error if the coordinates are not rows of n finite numbers (n >= 1), if there are to be less
// than one neighbor, if dim is negative, or if the complex would exceed MaxSize. Time grows with N².
func Nearest(n int, coords []float64, neighbors, dim int) (*Complex, error) {
	if n < 1 || neighbors < 1 {
		return nil, fmt.Errorf("simplicial: %d nearest neighbors in R^%d, want 1 or more in dimension 1 "+
			"or more", neighbors, n)
	}
	if err := checkPoints(n, coords); err != nil {
		return nil, err
	}
	count := len(coords) / n
	if float64(count)*float64(min(neighbors, count))*2 > MaxSize {
		return nil, errSize
	}
	upper := make([][]int32, count)
	for i := range count {
		var nearest []int32 // by distance
		var distances []float64
		for j := range count {
			if i == j {
				continue
			}
			d := floats.Distance(coords[i*n:(i+1)*n], coords[j*n:(j+1)*n], 2)
			if len(nearest) == neighbors && d >= distances[neighbors-1] {
				continue
			}
			at, _ := slices.BinarySearchFunc(distances, d, func(a, b float64) int {
				if a <= b { // later ones come after
					return -1
				}
				return 1
			})
			if len(nearest) == neighbors {
				nearest, distances = nearest[:neighbors-1], distances[:neighbors-1]
			}
			nearest, distances = slices.Insert(nearest, at, int32(j)), slices.Insert(distances, at, d)
		}
		for _, j := range nearest {
			a, b := min(int32(i), j), max(int32(i), j)
			upper[a] = append(upper[a], b)
		}
	}
	for i := range upper {
		slices.Sort(upper[i])
		upper[i] = slices.Compact(upper[i])
	}
	return expand(n, slices.Clone(coords), upper, dim, nil)
}
