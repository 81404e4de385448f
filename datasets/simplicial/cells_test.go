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

// requireCells checks that chains of cells are sums of simplices with signs and form a chain map.
func requireCells(t *testing.T, c *Cells) {
	t.Helper()
	requireComplex(t, c.Complex())
	for k := 0; k <= 4; k++ {
		rows, cols := c.Chains(k).Dims()
		require.Equal(t, c.Complex().Count(k), rows)
		faces, cells := c.Boundary(k).Dims()
		_, below := c.Chains(k - 1).Dims()
		require.Equal(t, cols, cells)
		require.Equal(t, below, faces)
		requireCommute(t, c.Complex().Boundary(k), c.Chains(k), c.Chains(k-1), c.Boundary(k))
		for j := range cols {
			for _, v := range column(c.Chains(k), j).Coeff {
				require.Equal(t, 1.0, v*v)
			}
		}
	}
}

func TestPolygons(t *testing.T) {
	// Two hexagons with a common edge, like naphthalene, and a tail; numbers in no particular
	// order.
	tail := [][]int{{11, 9}, {9, 10}, {10, 9}}
	rings := [][]int{{4, 7, 2, 9, 0, 5}, {7, 4, 1, 8, 3, 6}}
	c, err := NewCells(12, tail, rings, nil)
	require.NoError(t, err)
	requireCells(t, c)
	_, edges := c.Chains(1).Dims()
	require.Equal(t, 13, edges)
	require.Equal(t, 8, c.Complex().Count(2))
	require.Len(t, column(c.Chains(2), 0).Index, 4)
	require.Len(t, column(c.Boundary(2), 0).Index, 6)
	// The cycles run through the common edge in opposite directions, so it drops out of their sum.
	sum, err := c.Boundary(2).Apply(Chain{2, []int32{0, 1}, []float64{1, 1}})
	require.NoError(t, err)
	require.Len(t, sum.Index, 10)
	require.Equal(t, []int{1, 0, 0}, c.Complex().Betti())
}

func TestReversedPolygonIsNegative(t *testing.T) {
	cycle := []int{3, 1, 4, 0, 2}
	a, err := NewCells(5, nil, [][]int{cycle}, nil)
	require.NoError(t, err)
	b, err := NewCells(5, nil, [][]int{{0, 4, 1, 3, 2}}, nil)
	require.NoError(t, err)
	require.Equal(t, a.Complex(), b.Complex())
	sum, err := column(a.Chains(2), 0).AddScaled(1, column(b.Chains(2), 0))
	require.NoError(t, err)
	require.Empty(t, sum.Index)
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
	c, err := NewCells(27, nil, nil, cubes)
	require.NoError(t, err)
	requireCells(t, c)
	_, faces := c.Chains(2).Dims()
	require.Equal(t, 36, faces)
	box, err := c.Complex().Embed(3, corners)
	require.NoError(t, err)
	all := Chain{3, nil, nil}
	for j := range cubes {
		// The first face is seen anticlockwise from outside.
		require.InDelta(t, 1, volume(box, column(c.Chains(3), j)), 1e-14)
		all.Index, all.Coeff = append(all.Index, int32(j)), append(all.Coeff, 1)
	}
	boundary, err := c.Boundary(3).Apply(all)
	require.NoError(t, err)
	require.Len(t, boundary.Index, 24)
	require.Equal(t, []int{1, 0, 0, 0}, c.Complex().Betti())
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
			// Some faces are known as polygons before, and may have run the other way.
			var polygons [][]int
			first := 1.0
			for i := range rng.IntN(3) {
				polygons = append(polygons, slices.Clone(faces[i]))
				if rng.IntN(2) == 0 {
					slices.Reverse(polygons[i])
					if i == 0 {
						first = -1
					}
				}
			}
			c, err := NewCells(20, nil, polygons, [][][]int{faces})
			require.NoError(t, err, name)
			requireCells(t, c)
			boundary := column(c.Boundary(3), 0)
			require.Len(t, boundary.Index, len(solid), name)
			require.Equal(t, first, boundary.Coeff[0], name)
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
		edges, polygons [][]int
		solid           [][]int
		want            string
	}{
		"edge":       {[][]int{{0, 1, 2}}, nil, nil, "edge 0: [0 1 2] has 3 vertices"},
		"loop":       {[][]int{{1, 1}}, nil, nil, "edge 0: [1 1] repeats vertex 1"},
		"range":      {nil, [][]int{{0, 1, 9}}, nil, "polygon 0: [0 1 9] has vertex 9, but there are 9"},
		"two":        {nil, [][]int{{0, 1}}, nil, "polygon 0: [0 1] has 2 vertices"},
		"repeated":   {nil, [][]int{{0, 1, 2, 1}}, nil, "polygon 0: [0 1 2 1] repeats vertex 1"},
		"twice":      {nil, [][]int{{0, 1, 2}, {2, 1, 0}}, nil, "polygon 1: [2 1 0] repeats polygon 0"},
		"none":       {nil, nil, [][]int{}, "polyhedron 0: no faces"},
		"face":       {nil, nil, [][]int{{0, 1}}, "polyhedron 0: face 0: [0 1] has 2"},
		"open":       {nil, nil, tetrahedron[:3], "lies on 1 faces, want 2"},
		"thrice":     {nil, nil, append(slices.Clone(tetrahedron), []int{0, 1, 4}), "lies on 3 faces"},
		"apart":      {nil, nil, slices.Concat(tetrahedron, shifted), "face 4 is not connected to the first"},
		"torus":      {nil, nil, torusFaces, "Euler characteristic 0"},
		"projective": {nil, nil, planeFaces, "cannot be oriented alike"},
	} {
		t.Run(name, func(t *testing.T) {
			var solids [][][]int
			if test.solid != nil {
				solids = [][][]int{test.solid}
			}
			_, err := NewCells(9, test.edges, test.polygons, solids)
			require.ErrorContains(t, err, test.want)
		})
	}
}
