package simplicial

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// spectrum returns the eigenvalues of L_1 of a torus of n² vertices, six triangles at each, in each part,
// ascending. By Fourier transform gradients have those of the vertices, 6 - 2 cos a - 2 cos b - 2 cos(a+b),
// and curls those of the triangles, 3 ± |1 + e^ia + e^ib|, without 0.
func spectrum(n int) (gradients, curls []float64) {
	for i := range n {
		for j := range n {
			if i+j == 0 {
				curls = append(curls, 6)
				continue
			}
			a, b := 2*math.Pi*float64(i)/float64(n), 2*math.Pi*float64(j)/float64(n)
			gradients = append(gradients, 6-2*math.Cos(a)-2*math.Cos(b)-2*math.Cos(a+b))
			r := math.Hypot(1+math.Cos(a)+math.Cos(b), math.Sin(a)+math.Sin(b))
			curls = append(curls, 3-r, 3+r)
		}
	}
	slices.Sort(gradients)
	slices.Sort(curls)
	return gradients, curls
}

// The known spectrum of tori, where eigenvalues are repeated 2, 6 and 12 times and parts coincide. The dense
// matrix of 4,800 edges would take minutes.
func TestEigenOfTorus(t *testing.T) {
	for n, m := range map[int]int{16: 80, 40: 12} {
		c := torusOf(t, n, n)
		e := must(c.Eigen(1, m))
		requireEigen(t, c, 1, e, 1e-11) // projections onto a part are divided by eigenvalues of 4e-3
		gradients, curls := spectrum(n)
		found := map[Part][]float64{}
		for j, part := range e.Parts {
			found[part] = append(found[part], e.Values[j])
		}
		require.Len(t, found[Harmonic], 2)
		require.InDeltaSlice(t, gradients[:len(found[Gradient])], found[Gradient], 1e-12)
		require.InDeltaSlice(t, curls[:len(found[Curl])], found[Curl], 1e-12)
		// None of either part is missing.
		last := e.Values[m-1] - 1e-9
		require.Less(t, last, gradients[len(found[Gradient])])
		require.Less(t, last, curls[len(found[Curl])])
	}
}

// A few of very many equal eigenvalues: gradients come first, as there are enough.
func TestEigenOfOneEigenspace(t *testing.T) {
	c, _ := sphere(t, 8)
	require.Equal(t, 252, c.Count(4))
	e := must(c.Eigen(4, 10))
	requireEigen(t, c, 4, e, 1e-12)
	require.Equal(t, slices.Repeat([]Part{Gradient}, 10), e.Parts)
	require.InDeltaSlice(t, slices.Repeat([]float64{10}, 10), e.Values, 1e-12)
}

// A hundred triangles without a common vertex have as many components, and equal eigenvalues.
func TestEigenOfManyComponents(t *testing.T) {
	var triangles [][]int
	for i := range 100 {
		triangles = append(triangles, []int{3 * i, 3*i + 1, 3*i + 2})
	}
	c := must(New(300, triangles))
	for _, m := range []int{1, 30} {
		e := must(c.Eigen(0, m))
		requireEigen(t, c, 0, e, 1e-12)
		require.Equal(t, slices.Repeat([]Part{Harmonic}, m), e.Parts)
		e = must(c.Eigen(1, m))
		requireEigen(t, c, 1, e, 1e-12)
		require.InDelta(t, 3, e.Values[m-1], 1e-12)
		require.Equal(t, slices.Repeat([]Part{Gradient}, m), e.Parts)
	}
}
