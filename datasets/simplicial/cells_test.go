package simplicial

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// cubeFaces returns the faces of the cube of a grid of cubes whose corner v has the given steps to
// its neighbours. Some cycles run the other way round.
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

// requireCells checks that the chain of each cell consists of simplices with coefficients ±1, and that its
// boundary is that of the cell: of an edge or a polygon the path along its vertices, of a polyhedron the
// chains of its faces with signs, the first with 1.
func requireCells(t *testing.T, c *Complex, polygons [][]int, polyhedra [][][]int, chains []Chain) {
	t.Helper()
	requireComplex(t, c)
	require.Len(t, chains, len(polygons)+len(polyhedra))
	for i, chain := range chains {
		for _, v := range chain.Coeff {
			require.Equal(t, 1.0, v*v)
		}
		got, err := c.Boundary(chain.Degree).Apply(chain)
		require.NoError(t, err)
		switch {
		case i >= len(polygons):
			requireBounds(t, c, got, polyhedra[i-len(polygons)])
		case chain.Degree == 1:
			want, err := c.Chain(0, [][]int{polygons[i][:1], polygons[i][1:]}, []float64{-1, 1})
			require.NoError(t, err)
			require.Equal(t, want, got)
		default:
			want, err := c.Path(append(slices.Clone(polygons[i]), polygons[i][0])...)
			require.NoError(t, err)
			require.Equal(t, want, got)
		}
	}
}

// requireBounds checks that a chain of triangles is the sum of the polygons, each with a sign, the first
// with 1.
func requireBounds(t *testing.T, c *Complex, got Chain, polygons [][]int) {
	t.Helper()
	count := 0
	for i, cycle := range polygons {
		chain, err := c.Chain(2, fan(cycle), nil)
		require.NoError(t, err)
		count += len(chain.Index)
		sign := 0.0
		for j, triangle := range chain.Index {
			at, ok := slices.BinarySearch(got.Index, triangle)
			require.True(t, ok)
			if j == 0 {
				sign = got.Coeff[at] * chain.Coeff[j]
			}
			require.Equal(t, sign, got.Coeff[at]*chain.Coeff[j], "%v", cycle)
		}
		require.Equal(t, 1.0, sign*sign)
		require.True(t, i > 0 || sign == 1, "the first face is part of the boundary as it is")
	}
	require.Len(t, got.Index, count)
}

// add returns the sum of chains.
func add(chains ...Chain) Chain {
	var index []int32
	var coeff []float64
	for _, c := range chains {
		index, coeff = append(index, c.Index...), append(coeff, c.Coeff...)
	}
	return newChain(chains[0].Degree, index, coeff)
}

func TestPolygons(t *testing.T) {
	// Two hexagons with a common edge, like naphthalene, and a tail; numbers in no particular
	// order.
	cells := [][]int{{11, 9}, {9, 10}, {4, 7, 2, 9, 0, 5}, {7, 4, 1, 8, 3, 6}}
	c, faces, err := Triangulate(12, cells, nil)
	require.NoError(t, err)
	requireCells(t, c, cells, nil, faces)
	require.Equal(t, 8, c.Count(2))
	require.Len(t, faces[2].Index, 4)
	// The cycles run through the common edge in opposite directions, so it drops out of their sum.
	outline, err := c.Boundary(2).Apply(add(faces[2:]...))
	require.NoError(t, err)
	require.Len(t, outline.Index, 10)
	require.Equal(t, []int{1, 0, 0}, c.Betti())
}

func TestReversedPolygonIsNegative(t *testing.T) {
	cycle := []int{3, 1, 4, 0, 2}
	_, faces, err := Triangulate(5, [][]int{cycle, {0, 4, 1, 3, 2}}, nil)
	require.NoError(t, err)
	require.NotEmpty(t, faces[0].Index)
	require.Empty(t, add(faces...).Index)
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
	c, solids, err := Triangulate(27, nil, cubes)
	require.NoError(t, err)
	requireCells(t, c, nil, cubes, solids)
	box, err := c.Embed(3, corners)
	require.NoError(t, err)
	for _, cube := range solids {
		// The first face is seen anticlockwise from outside.
		require.InDelta(t, 1, volume(box, cube), 1e-14)
	}
	outside, err := c.Boundary(3).Apply(add(solids...))
	require.NoError(t, err)
	require.Len(t, outside.Index, 2*24) // triangles
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
			c, chains, err := Triangulate(20, nil, solid)
			require.NoError(t, err, name)
			requireCells(t, c, nil, solid, chains)
		}
	}
}

func TestCellsErrors(t *testing.T) {
	tetrahedron := [][]int{{0, 1, 2}, {0, 1, 3}, {0, 2, 3}, {1, 2, 3}}
	shifted := [][]int{{4, 5, 6}, {4, 5, 7}, {4, 6, 7}, {5, 6, 7}}
	var torusFaces, planeFaces [][]int
	for c, list := range map[*Complex]*[][]int{torus(t, 2): &torusFaces, projectivePlane(t): &planeFaces} {
		for i := range c.Count(2) {
			s := c.at(2, i)
			*list = append(*list, []int{int(s[0]), int(s[1]), int(s[2])})
		}
	}
	for name, test := range map[string]struct {
		polygons [][]int
		solid    [][]int
		want     string
	}{
		"loop":       {[][]int{{1, 1}}, nil, "polygon 0: [1 1] repeats vertex 1"},
		"range":      {[][]int{{0, 1}, {0, 1, 9}}, nil, "polygon 1: [0 1 9] has vertex 9, but there are 9"},
		"one":        {[][]int{{0}}, nil, "polygon 0: [0] has 1 vertices, want 2"},
		"repeated":   {[][]int{{0, 1, 2, 1}}, nil, "polygon 0: [0 1 2 1] repeats vertex 1"},
		"none":       {nil, [][]int{}, "polyhedron 0: no faces"},
		"face":       {nil, [][]int{{0, 1}}, "polyhedron 0: face 0: [0 1] has 2"},
		"open":       {nil, tetrahedron[:3], "lies on 1 faces, want 2"},
		"thrice":     {nil, append(slices.Clone(tetrahedron), []int{0, 1, 4}), "lies on 3 faces"},
		"apart":      {nil, slices.Concat(tetrahedron, shifted), "face 4 is not connected to the first"},
		"torus":      {nil, torusFaces, "Euler characteristic 0"},
		"projective": {nil, planeFaces, "cannot be oriented alike"},
	} {
		t.Run(name, func(t *testing.T) {
			var solids [][][]int
			if test.solid != nil {
				solids = [][][]int{test.solid}
			}
			_, _, err := Triangulate(9, test.polygons, solids)
			require.ErrorContains(t, err, test.want)
		})
	}
}
