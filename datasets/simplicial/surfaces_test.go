package simplicial

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
)

// sphereOf returns an icosahedron whose triangles are cut into four so many times, on the unit sphere.
func sphereOf(level int) *Complex {
	phi := math.Phi
	points := [][]float64{{-1, phi, 0}, {1, phi, 0}, {-1, -phi, 0}, {1, -phi, 0}, {0, -1, phi}, {0, 1, phi},
		{0, -1, -phi}, {0, 1, -phi}, {phi, 0, -1}, {phi, 0, 1}, {-phi, 0, -1}, {-phi, 0, 1}}
	triangles := [][]int{{0, 11, 5}, {0, 5, 1}, {0, 1, 7}, {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
		{11, 10, 2}, {10, 7, 6}, {7, 1, 8}, {3, 9, 4}, {3, 4, 2}, {3, 2, 6}, {3, 6, 8}, {3, 8, 9}, {4, 9, 5},
		{2, 4, 11}, {6, 2, 10}, {8, 6, 7}, {9, 8, 1}}
	for range level {
		middles := map[[2]int]int{}
		middle := func(a, b int) int {
			key := [2]int{min(a, b), max(a, b)}
			if _, ok := middles[key]; !ok {
				middles[key] = len(points)
				points = append(points, floats.AddTo(make([]float64, 3), points[a], points[b]))
			}
			return middles[key]
		}
		var finer [][]int
		for _, s := range triangles {
			ab, bc, ca := middle(s[0], s[1]), middle(s[1], s[2]), middle(s[2], s[0])
			finer = append(finer, []int{s[0], ab, ca}, []int{s[1], bc, ab},
				[]int{s[2], ca, bc}, []int{ab, bc, ca})
		}
		for i := range points {
			floats.Scale(1/floats.Norm(points[i], 2), points[i])
		}
		triangles = finer
	}
	return must(must(New(len(points), triangles)).Embed(3, slices.Concat(points...)))
}

// torusOf returns the torus of radii 2 and 1 in R³.
func torusOf(small, large int) *Complex {
	var triangles [][]int
	var coords []float64
	at := func(i, j int) int { return (i%large)*small + j%small }
	for i := range large {
		for j := range small {
			u, v := 2*math.Pi*float64(i)/float64(large), 2*math.Pi*float64(j)/float64(small)
			r := 2 + math.Cos(v)
			coords = append(coords, r*math.Cos(u), r*math.Sin(u), math.Sin(v))
			triangles = append(triangles, []int{at(i, j), at(i+1, j), at(i+1, j+1)},
				[]int{at(i, j), at(i+1, j+1), at(i, j+1)})
		}
	}
	return must(must(New(small*large, triangles)).Embed(3, coords))
}

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
func sphere(t testing.TB, n int) (c *Complex, top []float64) {
	var facets [][]int
	for i := n + 1; i >= 0; i-- { // in the order of the complex
		facets = append(facets, slices.Delete(count(n+2), i, i+1))
		top = append(top, float64(1-2*(i%2)))
	}
	return must(New(n+2, facets)), top
}
