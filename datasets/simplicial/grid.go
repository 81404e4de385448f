package simplicial

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/combin"

	"github.com/neuralkforms/nkf/datasets/internal/simplex"
)

// Grid returns the Freudenthal (Kuhn) triangulation of a box of cells[0] × … × cells[n-1] unit cubes in R^n,
// and its fundamental chain: for each n-simplex 1 or -1, so that it is oriented as dx_0 ∧ … ∧ dx_{n-1}.
//
// Vertices are the integer points in row-major order, the last coordinate fastest. Each cube falls into
// n! simplices around its main diagonal, one for each order of taking a step in every coordinate; in the
// plane these are two triangles. Embed the result again for other coordinates. It is an error if there
// are no cells along an axis or if the complex would hold more than 2²⁶ vertex numbers.
func Grid(cells ...int) (c *Complex, orientation []float64, err error) {
	n := len(cells)
	if n == 0 {
		c, err = New(1, nil)
		return c, []float64{1}, err
	}
	points := make([]int, n) // along each axis
	simplices := math.Gamma(float64(n) + 1)
	for a, m := range cells {
		if m < 1 {
			return nil, nil, fmt.Errorf("simplicial: grid with %d cells along axis %d, want 1 or more", m, a)
		}
		points[a] = m + 1
		simplices *= float64(m)
	}
	if err := checkClosure(simplices, n); err != nil {
		return nil, nil, err
	}
	var coords []float64
	for _, x := range combin.Cartesian(points) {
		for _, v := range x {
			coords = append(coords, float64(v))
		}
	}
	levels := make([][]int32, n+1)
	levels[0] = count32(len(coords) / n)
	orders := combin.Permutations(n, n)
	for _, x := range combin.Cartesian(cells) {
		for _, axes := range orders {
			at := append([]int(nil), x...)
			levels[n] = append(levels[n], int32(combin.IdxFor(at, points)))
			for _, a := range axes {
				at[a]++
				levels[n] = append(levels[n], int32(combin.IdxFor(at, points)))
			}
		}
	}
	top := levels[n]
	if c, err = closed(n, coords, levels); err != nil {
		return nil, nil, err
	}
	orientation = make([]float64, c.Count(n))
	for i := range orientation {
		sign := simplex.Sort(slices.Clone(orders[i%len(orders)]))
		orientation[find(c.levels[n], top[i*(n+1):(i+1)*(n+1)])] = float64(sign)
	}
	return c, orientation, nil
}
