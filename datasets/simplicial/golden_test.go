package simplicial

import (
	"encoding/json"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/neuralkforms/nkf/datasets/simplicial/internal/sparse"
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
	return g, must(Rips(2, slices.Concat(g.Points...), g.Threshold, 2))
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

// metricGolden has what other programs make of a bumpy sphere and a cube of bent tetrahedra, at
// coordinates rounded to 1e-9: the surface is libigl's, with which potpourri3d and, the mesh being
// Delaunay, robust_laplacian agree to 2e-15; the solid is that of the lowest Nédélec and Raviart-Thomas
// elements of scikit-fem, which are Whitney forms, those of faces halved (a flux of 1/2). Their signs
// differ, so that spectra are compared.
type metricGolden struct {
	Vertices, Areas []float64
	Triangles       []int
	Cotangent       struct {
		Rows, Columns []int
		Values        []float64
	}
	Solid struct {
		Vertices                                 []float64
		Tetrahedra                               []int
		EdgeMasses, Curl, FaceMasses, Divergence []float64
	}
}

// complexOf returns the complex of simplices with k+1 corners.
func complexOf(coords []float64, simplices []int, corners int) *Complex {
	var rows [][]int
	for i := 0; i < len(simplices); i += corners {
		rows = append(rows, simplices[i:i+corners])
	}
	return must(must(New(len(coords)/3, rows)).Embed(3, coords))
}

// TestGoldenMetric compares to rounding: 1e-12 of values up to some 10.
func TestGoldenMetric(t *testing.T) {
	data := must(os.ReadFile("testdata/metric.json"))
	var want metricGolden
	require.NoError(t, json.Unmarshal(data, &want))
	bare := complexOf(want.Vertices, want.Triangles, 3)
	areas := must(bare.Volumes(2))
	for i, area := range want.Areas {
		j, _, ok := bare.Index(want.Triangles[3*i : 3*i+3]...)
		require.True(t, ok)
		require.InDelta(t, area, areas[j], 1e-12)
	}
	l := must(weighted(bare).stiffness(0))
	entries := 0
	for i, row := range want.Cotangent.Rows {
		require.InDelta(t, want.Cotangent.Values[i], l.At(row, want.Cotangent.Columns[i]), 1e-12)
		entries++
	}
	require.Equal(t, bare.Count(0)+bare.Count(1), entries)

	solid := weighted(complexOf(want.Solid.Vertices, want.Solid.Tetrahedra, 4))
	for _, test := range []struct {
		want []float64
		got  *Matrix
	}{
		{want.Solid.EdgeMasses, solid.Mass(1)}, {want.Solid.Curl, must(solid.stiffness(1))},
		{want.Solid.FaceMasses, solid.Mass(2)}, {want.Solid.Divergence, must(solid.stiffness(2))},
	} {
		values, _ := must2(sparse.SymEigen(test.got))
		require.InDeltaSlice(t, test.want, values, 1e-11*test.want[len(test.want)-1])
	}
}
