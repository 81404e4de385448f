package simplicial

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets/internal/modular"
)

// quotient returns the complex that identifies vertex v of the simplices of c with glue(v), of
// which there are vertices.
func quotient(t *testing.T, c *Complex, vertices int, glue func(v int) int) *Complex {
	var list [][]int
	for i := range c.Count(c.Dim()) {
		var s []int
		for _, v := range c.at(c.Dim(), i) {
			s = append(s, glue(int(v)))
		}
		list = append(list, s)
	}
	q := must(New(vertices, list))
	require.Equal(t, c.Count(c.Dim()), q.Count(q.Dim()), "simplices got lost in the quotient")
	return q
}

// torus returns an n-torus of 3^n vertices, a periodic grid.
func torus(t *testing.T, n int) *Complex {
	cells, vertices := make([]int, n), 1
	for a := range cells {
		cells[a] = 3
		vertices *= 3
	}
	grid, _ := must2(Grid(cells...))
	return quotient(t, grid, vertices, func(v int) int {
		w, place := 0, 1
		for ; v > 0; v /= 4 {
			w += v % 4 % 3 * place
			place *= 3
		}
		return w
	})
}

// kleinBottle returns a Klein bottle: a 4 by 4 grid whose opposite sides are glued, one pair upside
// down.
func kleinBottle(t *testing.T) *Complex {
	grid, _ := must2(Grid(4, 4))
	return quotient(t, grid, 16, func(v int) int {
		x, y := v/5, v%5
		if x == 4 {
			x, y = 0, 4-y
		}
		return 4*x + y%4
	})
}

// projectivePlane returns the real projective plane with 6 vertices.
func projectivePlane(t *testing.T) *Complex {
	c := must(New(6, [][]int{
		{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}, {0, 5, 1},
		{1, 2, 4}, {2, 3, 5}, {3, 4, 1}, {4, 5, 2}, {5, 1, 3},
	}))
	require.Equal(t, 15, c.Count(1))
	return c
}

// sphere returns the boundary of the (n+1)-simplex, the smallest n-sphere, and its fundamental chain.
func sphere(t testing.TB, n int) (*Complex, []float64) {
	var facets [][]int
	var signs []float64
	for i := range n + 2 {
		facets = append(facets, slices.Delete(count(n+2), i, i+1))
		signs = append(signs, float64(1-2*(i%2)))
	}
	c := must(New(n+2, facets))
	top := must(c.chain(n, facets, signs))
	return c, top
}

// Torsion shows modulo the primes that divide it, by the universal coefficient theorem.
func TestTorsion(t *testing.T) {
	for _, test := range []struct {
		c    *Complex
		p    uint64
		want []int
	}{
		{kleinBottle(t), 2, []int{1, 2, 1}}, {kleinBottle(t), 3, []int{1, 1, 0}},
		{projectivePlane(t), 2, []int{1, 1, 1}}, {projectivePlane(t), 3, []int{1, 0, 0}},
		{projectivePlane(t), 1<<61 - 31, []int{1, 0, 0}}, {torus(t, 3), 2, []int{1, 3, 3, 1}},
	} {
		require.Equal(t, test.want, test.c.betti(modular.Field(test.p)), "modulo %d", test.p)
	}
}
