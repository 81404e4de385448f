package simplicial

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// failure returns the last of the results of a call.
func failure(results ...any) any { return results[len(results)-1] }

// What is wrong with arguments is an error that says so.
func TestErrors(t *testing.T) {
	all, long := count(22*9000), count(30)
	many := slices.Collect(slices.Chunk(all, 22)) // simplices without common faces
	nan := math.NaN()
	empty, segment := must(New(0, nil)), must(New(2, [][]int{{0, 1}}))
	circle, _ := sphere(t, 1)
	triangle := must(New(3, [][]int{{0, 1, 2}}))
	at := func(n int, coords ...float64) *Complex { return must(triangle.Embed(n, coords)) }
	flat, obtuse := at(2, 0, 0, 1, 1, 3, 3), at(2, 0, 0, 1, 0.1, 2, 0)
	solid := must(New(4, [][]int{{0, 1, 2, 3}}))
	huge := must(solid.Embed(3, []float64{0, 0, 0, 1e100, 0, 0, 0, 1e100, 0, 0, 0, 1e100}))
	x := []float64{0, 0, 1, 1}
	chain := func(k int, simplices [][]int, coeffs ...float64) any {
		return failure(triangle.chain(k, simplices, coeffs))
	}
	for _, test := range []struct {
		want string
		got  any
	}{
		{"-1 vertices", failure(New(-1, nil))}, {"vertices, want between", failure(New(maxSize+1, nil))},
		{"simplex 1: no vertices", failure(New(3, [][]int{{0}, {}}))},
		{"simplex 0: [0 3] has vertex 3, but there are 3 vertices", failure(New(3, [][]int{{0, 3}}))},
		{"[0 -1] has vertex -1, but there are 3 vertices", failure(New(3, [][]int{{0, -1}}))},
		{"simplex 1: [2 0 2] repeats vertex 2", failure(New(3, [][]int{{0, 1}, {2, 0, 2}}))},
		{"more than", failure(New(30, [][]int{long}))}, {"more than", failure(New(len(all), many))},
		{"… (30 vertices)", failure(New(29, [][]int{long}))},

		{"not points in R^-1", failure(segment.Embed(-1, nil))},
		{"not points in R^0", failure(segment.Embed(0, []float64{1}))},
		{"not points in R^3", failure(segment.Embed(3, []float64{1, 2, 3, 4}))},
		{"2 coordinates for 2 vertices in R^2, want 4", failure(segment.Embed(2, []float64{1, 2}))},
		{"coordinate 0 of point 1 is NaN", failure(segment.Embed(1, []float64{1, nan}))},
		{"coordinate 1 of point 0 is -Inf", failure(segment.Embed(2, []float64{1, math.Inf(-1), 2, 3}))},

		{"simplex 1: [0 3] is not in the complex", chain(1, [][]int{{0, 1}, {0, 3}}, 1, 1)},
		{"is not in the complex", chain(1, [][]int{{0, 0}}, 1)},
		{"[0 1 2] has 3 vertices, want 2 in degree 1", chain(1, [][]int{{0, 1, 2}}, 1)},
		{"is not in the complex", chain(-1, [][]int{{}}, 1)},
		{"2 coefficients for 1 simplices", chain(1, [][]int{{0, 1}}, 1, 2)},
		{"coefficient 0 is NaN", chain(1, [][]int{{0, 1}}, nan)},
		{"coefficient 0 is +Inf", chain(1, [][]int{{0, 1}}, math.Inf(1))},
		{"length 1 in degree 0, want 3", failure(obtuse.Coboundary(0, []float64{1}))},

		{"points in R^0", failure(Rips(0, nil, 1, 1))},
		{"4 coordinates are not points in R^3", failure(Rips(3, x, 1, 1))},
		{"-1, want 0 or more", failure(Rips(2, x, -1, 1))},
		{"NaN, want 0 or more", failure(Rips(2, x, nan, 1))},
		{"more than 67108864 vertex numbers", failure(Rips(1, make([]float64, 200), 1, 20))},
		{"more than 67108864 vertex numbers", failure(Rips(1, make([]float64, 9000), 1, 1))},

		{"0 cells along axis 1", failure(Grid(3, 0))}, {"would hold more than", failure(Grid(1<<62, 1<<62))},
		{"would hold more than", failure(Grid(1<<20, 1<<20))},
		{"would hold more than", failure(Grid(1 << 26))},
		{"would hold more than", failure(Grid(4000, 4000))},
		{"would hold more than", failure(Grid(slices.Repeat([]int{1}, 26)...))}, // 2^26 vertices

		{"of a complex of dimension 1", failure(circle.Eigen(-1, 1))},
		{"of a complex of dimension -1", failure(empty.Eigen(0, 1))},
		{"of order 3, want 1..3", failure(circle.Eigen(1, 0))},
		{"of order 3, want 1..3", failure(circle.Eigen(1, 4))},
		{"length 1 in degree 1, want 3", failure(circle.Laplacian(1, []float64{1}))},
		{"length 1 in degree 1, want 3", failure(circle.Hodge(1, []float64{1}))},
		{"entry 1 of the cochain is NaN", failure(circle.Hodge(1, []float64{1, nan, 2}))},

		{"without coordinates", failure(triangle.WithMetric())},
		{"without coordinates", failure(triangle.Volumes(1))},
		{"[0 1 2]", failure(flat.WithMetric())},
		{"a mass of degree 2 is 0", failure(huge.WithMetric())},
		{"takes a complex with a metric", failure(obtuse.Flat(make([]float64, 2)))},
		{"functions on a complex of dimension 3", failure(solid.Basis(2))},
		{"without coordinates", failure(triangle.Basis(2))},
		{"all 3 edges have length 0", failure(at(2, make([]float64, 6)...).Basis(1))},
		{"length 3 on 1 simplices", failure(weighted(obtuse).Flat(make([]float64, 3)))},
	} {
		err, _ := test.got.(error)
		require.ErrorContains(t, err, test.want)
	}
}
