package simplicial

import (
	"encoding/json"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// golden is testdata/laplacian.json: a Rips complex of noisy points on a circle, its boundary
// matrices, and the spectrum of its Hodge 1-Laplacian, computed elsewhere in float64.
type golden struct {
	Points            [][]float64
	Threshold         float64
	Edges, Triangles  [][]int32
	B1, B2            [][3]int
	Eigenvalues       []float64
	Trace             float64
	Betti             []int
	CyclesOfTriangles int `json:"cycles_of_triangles"`
	Eigenvectors      []struct {
		Eigenvalue float64
		NormB1Y    float64 `json:"norm_B1_y"`
		NormB2TY   float64 `json:"norm_B2T_y"`
		Kind       string
		Y          []float64
	}
}

func loadGolden(t *testing.T) (golden, *Complex) {
	data := must(os.ReadFile("testdata/laplacian.json"))
	var g golden
	require.NoError(t, json.Unmarshal(data, &g))
	c := must(Rips(2, slices.Concat(g.Points...), g.Threshold, 2))
	return g, c
}

func TestGoldenComplex(t *testing.T) {
	g, c := loadGolden(t)
	require.Len(t, g.Points, 40)
	require.Equal(t, slices.Concat(g.Edges...), c.Simplices(1))
	require.Equal(t, slices.Concat(g.Triangles...), c.Simplices(2))
	require.Equal(t, slices.Concat(g.Points...), c.Coords())
	for k, want := range [][][3]int{1: g.B1, 2: g.B2} {
		got := map[[3]int]bool{}
		c.Boundary(k).DoNonZero(func(i, j int, v float64) { got[[3]int{i, j, int(v)}] = true })
		require.Len(t, got, len(want))
		for _, entry := range want {
			require.True(t, got[entry], "∂_%d lacks %v", k, entry)
		}
	}
}

func TestGoldenSpectrum(t *testing.T) {
	g, c := loadGolden(t)
	require.Equal(t, g.Trace, mat.Trace(matrixOf(c, 1))) // a sum of small integers
	betti := c.Betti()
	require.Equal(t, g.Betti, betti[:2])
	require.Equal(t, g.CyclesOfTriangles, betti[2])

	e := must(c.Eigen(1, len(g.Eigenvalues)))
	// Eigenvalues of a matrix of norm 12 have errors of some 12e-16 times a modest factor.
	require.InDeltaSlice(t, g.Eigenvalues, e.Values, 1e-12)
	require.Len(t, g.Eigenvectors, 9)
	for j, want := range g.Eigenvectors {
		y := mat.Col(nil, j, e.Vectors)
		require.Equal(t, want.Kind, e.Parts[j].String())
		require.InDelta(t, want.Eigenvalue, e.Values[j], 1e-12)
		// Errors of eigenvectors are those of the matrix over the gap to the next eigenvalue, here
		// above 4e-3.
		require.InDeltaSlice(t, want.Y, y, 1e-11, "eigenvector %d", j)
		require.InDelta(t, want.NormB1Y, floats.Norm(push(c.Boundary(1), y), 2), 1e-11)
		require.InDelta(t, want.NormB2TY, floats.Norm(pull(c.Boundary(2), y), 2), 1e-11)
	}
}
