package simplicial

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets/simplicial/internal/sparse"
)

// metricGolden has what other programs make of a bumpy sphere and a cube of bent tetrahedra, at
// coordinates rounded to 1e-9: the surface is libigl's, with which potpourri3d and, the mesh being
// Delaunay, robust_laplacian agree to 2e-15; the solid is that of the lowest Nédélec and Raviart-Thomas
// elements of scikit-fem, which are Whitney forms, those of faces halved (a flux of 1/2). Their signs
// differ, so that spectra are compared.
type metricGolden struct {
	Vertices, Masses, Areas, Eigenvalues []float64
	Triangles                            []int
	Cotangent                            struct {
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
func complexOf(t *testing.T, coords []float64, simplices []int, corners int) *Complex {
	t.Helper()
	var rows [][]int
	for i := 0; i < len(simplices); i += corners {
		rows = append(rows, simplices[i:i+corners])
	}
	c := must(New(len(coords)/3, rows))
	c = must(c.Embed(3, coords))
	return c
}

// TestGoldenMetric compares to rounding: 1e-12 of values up to some 10.
func TestGoldenMetric(t *testing.T) {
	data := must(os.ReadFile("testdata/metric.json"))
	var want metricGolden
	require.NoError(t, json.Unmarshal(data, &want))
	bare := complexOf(t, want.Vertices, want.Triangles, 3)
	b := must(bare.Basis(len(want.Eigenvalues)))
	require.InDeltaSlice(t, want.Eigenvalues, b.Values, 1e-10)
	require.InDeltaSlice(t, want.Masses, b.Mass, 1e-12)
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

	solid := weighted(complexOf(t, want.Solid.Vertices, want.Solid.Tetrahedra, 4))
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
