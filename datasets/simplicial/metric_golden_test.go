package simplicial

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/neuralkforms/nkf/datasets/simplicial/internal/sparse"
)

// metricGolden has what other programs make of a bumpy sphere and a cube of bent tetrahedra, at
// coordinates rounded to 1e-9: the surface is libigl's, with which potpourri3d and, the mesh being
// Delaunay, robust_laplacian agree to 2e-15; the solid is that of the lowest Nédélec and Raviart-Thomas
// elements of scikit-fem, which are Whitney forms, those of faces halved (a flux of 1/2). Their signs
// differ, so that spectra are compared.
type metricGolden struct {
	Vertices, Masses, Curvature, Areas, Eigenvalues []float64
	Triangles                                       []int
	Cotangent                                       struct {
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
	c := with(t, bare, Barycentric)
	for i, mass := range want.Masses {
		require.InDelta(t, mass, c.Mass(0).At(i, i), 1e-12)
	}
	curvature := must(c.AngleDefects())
	require.InDeltaSlice(t, want.Curvature, curvature, 1e-12)
	areas := must(c.Volumes(2))
	for i, area := range want.Areas {
		j, _, ok := c.Index(want.Triangles[3*i : 3*i+3]...)
		require.True(t, ok)
		require.InDelta(t, area, areas[j], 1e-12)
	}
	operator := must(with(t, bare, Galerkin).newLaplacian(0, 1))
	l := operator.matrix
	entries := 0
	for i, row := range want.Cotangent.Rows {
		require.InDelta(t, want.Cotangent.Values[i], l.At(row, want.Cotangent.Columns[i]), 1e-12)
		entries++
	}
	require.Equal(t, bare.Count(0)+bare.Count(1), entries)
	// The cotangents with masses that are lumped.
	values, _ := must2(sparse.Solver{Mass: c.Mass(0)}.Smallest(l, len(want.Eigenvalues)))
	require.InDeltaSlice(t, want.Eigenvalues, values, 1e-10)

	solid := with(t, complexOf(t, want.Solid.Vertices, want.Solid.Tetrahedra, 4), Galerkin)
	stiffness := func(k int) *mat.SymDense {
		var half, all mat.Dense
		half.Mul(solid.Boundary(k+1), solid.Mass(k+1))
		all.Mul(&half, solid.Boundary(k+1).T())
		sym := mat.NewSymDense(solid.Count(k), nil)
		for i := range solid.Count(k) {
			for j := range i + 1 {
				sym.SetSym(i, j, all.At(i, j))
			}
		}
		return sym
	}
	for _, test := range []struct {
		want []float64
		got  mat.Symmetric
	}{
		{want.Solid.EdgeMasses, solid.Mass(1)}, {want.Solid.Curl, stiffness(1)},
		{want.Solid.FaceMasses, solid.Mass(2)}, {want.Solid.Divergence, stiffness(2)},
	} {
		dense := mat.NewSymDense(test.got.SymmetricDim(), mat.DenseCopyOf(test.got).RawMatrix().Data)
		values, _ := must2(sparse.SymEigen(dense))
		require.InDeltaSlice(t, test.want, values, 1e-11*test.want[len(test.want)-1])
	}
}
