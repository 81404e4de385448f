package simplicial

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"

	"github.com/neuralkforms/nkf/datasets/simplicial/internal/sparse"
)

// cubeFaces returns the faces of the cube of a grid of cubes whose corner v has the given steps to
// its neighbors. Some cycles run the other way round.
func cubeFaces(v, x, y, z int) [][]int {
	return [][]int{
		{v, v + y, v + x + y, v + x},
		{v + x, v + x + z, v + x + y + z, v + x + y},
		{v + z, v + y + z, v + x + y + z, v + x + z},
		{v + y, v + y + z, v + x + y + z, v + x + y},
		{v + z, v + x + z, v + x, v},
		{v, v + z, v + y + z, v + y},
	}
}

// requireCells checks that the columns of cells are chains of simplices with coefficients ±1, and that their
// boundaries are those of the cells: of a polygon the path along its vertices, of a polyhedron the chains of
// its faces with signs, the first with 1.
func requireCells(t *testing.T, c *Complex, polygons [][]int, polyhedra [][][]int, faces,
	solids *sparse.Matrix) {
	t.Helper()
	requireComplex(t, c)
	for k, m := range map[int]*sparse.Matrix{2: faces, 3: solids} {
		rows, cols := m.Dims()
		require.Equal(t, c.Count(k), rows)
		require.Equal(t, map[int]int{2: len(polygons), 3: len(polyhedra)}[k], cols)
		m.DoNonZero(func(_, _ int, v float64) { require.Equal(t, 1.0, v*v) })
	}
	for i, cycle := range polygons {
		want := must(c.Path(append(slices.Clone(cycle), cycle[0])...))
		require.Equal(t, want, push(c.Boundary(2), column(faces, i)))
	}
	for i, solid := range polyhedra {
		requireBounds(t, c, push(c.Boundary(3), column(solids, i)), solid)
	}
}

// requireBounds checks that a chain of triangles is the sum of the polygons with signs, the first with 1.
func requireBounds(t *testing.T, c *Complex, got []float64, polygons [][]int) {
	t.Helper()
	signs := must(orient(polygons))
	require.Equal(t, 1.0, signs[0])
	want := make([]float64, c.Count(2))
	for i, cycle := range polygons {
		require.Equal(t, 1.0, signs[i]*signs[i])
		chain := must(c.Chain(2, fan(cycle), nil))
		floats.AddScaled(want, signs[i], chain)
	}
	require.Equal(t, want, got)
}

func TestPolygons(t *testing.T) {
	// Two hexagons with a common edge, like naphthalene, and a tail; numbers in no particular
	// order.
	tail := [][]int{{11, 9}, {9, 10}, {10, 9}}
	rings := [][]int{{4, 7, 2, 9, 0, 5}, {7, 4, 1, 8, 3, 6}}
	c, faces, solids := must3(Triangulate(12, tail, rings, nil))
	requireCells(t, c, rings, nil, faces, solids)
	require.Equal(t, 13+6, c.Count(1)) // with diagonals
	require.Equal(t, 8, c.Count(2))
	require.Equal(t, 4, terms(column(faces, 0)))
	// The cycles run through the common edge in opposite directions, so it drops out of their sum.
	require.Equal(t, 10, terms(push(c.Boundary(2), push(faces, []float64{1, 1}))))
	require.Equal(t, []int{1, 0, 0}, c.Betti())
}

func TestReversedPolygonIsNegative(t *testing.T) {
	cycle := []int{3, 1, 4, 0, 2}
	_, faces, _ := must3(Triangulate(5, nil, [][]int{cycle, {0, 4, 1, 3, 2}}, nil))
	require.Equal(t, 3, terms(column(faces, 0)))
	require.Zero(t, terms(push(faces, []float64{1, 1})))
}

// A box of 2×2×2 cubes: cells fit together, their chains have the volume 1 and the sign of the
// first face, and the chain of all has a boundary on the sides alone.
func TestCubesFitTogether(t *testing.T) {
	var cubes [][][]int
	var corners []float64
	for x := range 3 {
		for y := range 3 {
			for z := range 3 {
				corners = append(corners, float64(x), float64(y), float64(z))
				if x < 2 && y < 2 && z < 2 {
					cubes = append(cubes, cubeFaces(9*x+3*y+z, 9, 3, 1))
				}
			}
		}
	}
	c, faces, solids := must3(Triangulate(27, nil, nil, cubes))
	requireCells(t, c, nil, cubes, faces, solids)
	box := must(c.Embed(3, corners))
	all := make([]float64, len(cubes))
	for j := range cubes {
		// The first face is seen anticlockwise from outside.
		require.InDelta(t, 1, volume(box, column(solids, j)), 1e-14)
		all[j] = 1
	}
	require.Equal(t, 2*24, terms(push(c.Boundary(3), push(solids, all)))) // triangles
	require.Equal(t, []int{1, 0, 0, 0}, c.Betti())
}

// Other polyhedra, their faces in random orders and directions.
func TestPolyhedra(t *testing.T) {
	rng := newRand(21)
	solids := map[string][][]int{
		"tetrahedron": {{0, 1, 2}, {0, 1, 3}, {0, 2, 3}, {1, 2, 3}},
		"pyramid":     {{0, 1, 2, 3}, {0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}},
		"prism":       {{0, 1, 2}, {3, 4, 5}, {0, 1, 4, 3}, {1, 2, 5, 4}, {2, 0, 3, 5}},
		"octahedron": {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 1},
			{5, 1, 2}, {5, 2, 3}, {5, 3, 4}, {5, 4, 1}},
		"dodecahedron": {{0, 1, 2, 3, 4}, {0, 1, 6, 10, 5}, {1, 2, 7, 11, 6}, {2, 3, 8, 12, 7},
			{3, 4, 9, 13, 8}, {4, 0, 5, 14, 9}, {15, 16, 17, 18, 19},
			{15, 16, 11, 6, 10}, {16, 17, 12, 7, 11},
			{17, 18, 13, 8, 12}, {18, 19, 14, 9, 13}, {19, 15, 10, 5, 14}},
	}
	for name, solid := range solids {
		for range 10 {
			names := rng.Perm(20)
			faces := make([][]int, len(solid))
			for i, p := range rng.Perm(len(solid)) {
				for _, v := range solid[p] {
					faces[i] = append(faces[i], names[v])
				}
				if rng.IntN(2) == 0 {
					slices.Reverse(faces[i])
				}
			}
			solid := [][][]int{faces}
			c, none, solids, err := Triangulate(20, nil, nil, solid)
			require.NoError(t, err, name)
			requireCells(t, c, nil, solid, none, solids)
		}
	}
}
