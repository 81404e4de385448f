package simplicial

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
)

func TestBoundaryOfBoundaryVanishes(t *testing.T) {
	rng := newRand(3)
	for range 20 {
		c := randomComplex(t, rng, 12, 30, 4)
		for k := -1; k <= c.Dim()+2; k++ {
			outer, inner := c.Boundary(k-1), c.Boundary(k)
			rows, cols := inner.Dims()
			require.Equal(t, c.Count(k-1), rows)
			require.Equal(t, c.Count(k), cols)
			for j := range cols {
				twice, err := outer.Apply(column(inner, j))
				require.NoError(t, err)
				require.Empty(t, twice.Index)
				require.Equal(t, k-2, twice.Degree)
			}
		}
	}
}

// The tables of faces say what the boundary operators do, and the boundary of a boundary is 0 by them
// alone.
func TestFaces(t *testing.T) {
	rng := newRand(20)
	for range 20 {
		c := randomComplex(t, rng, 12, 30, 4)
		for k := -1; k <= c.Dim()+1; k++ {
			faces, signs := c.Faces(k)
			if k <= 0 || k > c.Dim() {
				require.Empty(t, faces)
				require.Empty(t, signs)
				continue
			}
			require.Len(t, faces, c.Count(k)*(k+1))
			require.Len(t, signs, c.Count(k)*(k+1))
			further, furtherSigns := c.Faces(k - 1)
			boundary := c.Boundary(k)
			for j := range c.Count(k) {
				twice := map[int32]float32{}
				for i := range k + 1 {
					p := j*(k+1) + i
					vertices := slices.Delete(slices.Clone(c.at(k, j)), i, i+1)
					require.Equal(t, vertices, c.at(k-1, int(faces[p])))
					require.Equal(t, float64(signs[p]), boundary.At(int(faces[p]), j))
					for l := int(faces[p]) * k; l < (int(faces[p])+1)*k && k > 1; l++ {
						twice[further[l]] += signs[p] * furtherSigns[l]
					}
				}
				require.Len(t, column(boundary, j).Index, k+1)
				for _, coefficient := range twice {
					require.Zero(t, coefficient)
				}
			}
		}
	}
}

// The boundary of a simplex in any order of its vertices is Σ (-1)^i of the simplex without vertex
// i, in that order.
func TestBoundaryFormula(t *testing.T) {
	rng := newRand(4)
	for k := 1; k <= 5; k++ {
		c := randomComplex(t, rng, 8, 0, k)
		for range 5 {
			tuple := make([]int, k+1)
			for i, p := range rng.Perm(k + 1) {
				tuple[i] = int(c.at(k, 0)[p])
			}
			var faces [][]int
			var signs []float64
			for i := range tuple {
				faces = append(faces, append(append([]int{}, tuple[:i]...), tuple[i+1:]...))
				signs = append(signs, float64(1-2*(i%2)))
			}
			want, err := c.Chain(k-1, faces, signs)
			require.NoError(t, err)
			simplex, err := c.Chain(k, [][]int{tuple}, nil)
			require.NoError(t, err)
			got, err := c.Boundary(k).Apply(simplex)
			require.NoError(t, err)
			require.Equal(t, want, got)
		}
	}
}

// All ways to read and use an operator agree with the dense matrix.
func TestOperatorIsMatrix(t *testing.T) {
	rng := newRand(5)
	c := randomComplex(t, rng, 8, 12, 3)
	m := c.Boundary(2)
	dense := mat.DenseCopyOf(m)
	require.True(t, mat.Equal(m, dense))
	require.True(t, mat.Equal(m.T(), dense.T()))
	require.True(t, mat.Equal(m.transpose(), dense.T()))

	x := randomCochain(rng, c.Count(2))
	got, err := m.Push(x)
	require.NoError(t, err)
	var want mat.VecDense
	want.MulVec(dense, mat.NewVecDense(len(x), x))
	require.InDeltaSlice(t, want.RawVector().Data, got, 1e-14) // sums of few numbers of order 1

	y := randomCochain(rng, c.Count(1))
	got, err = m.Pull(y)
	require.NoError(t, err)
	var pulled mat.VecDense
	pulled.MulVec(dense.T(), mat.NewVecDense(len(y), y))
	require.InDeltaSlice(t, pulled.RawVector().Data, got, 1e-14)

	rows, cols := m.Dims()
	require.PanicsWithValue(t, mat.ErrRowAccess, func() { m.At(rows, 0) })
	require.PanicsWithValue(t, mat.ErrColAccess, func() { m.At(0, -1) })
	require.PanicsWithValue(t, mat.ErrColAccess, func() { m.At(0, cols) })
}

func TestOperatorErrors(t *testing.T) {
	c, err := New(3, [][]int{{0, 1, 2}})
	require.NoError(t, err)
	m := c.Boundary(2)
	_, err = m.Push(make([]float64, 2))
	require.ErrorContains(t, err, "length 2, want 1")
	_, err = m.Pull(make([]float64, 2))
	require.ErrorContains(t, err, "length 2, want 3")
	_, err = m.Apply(Chain{Degree: 1})
	require.ErrorContains(t, err, "degree 1 for an operator on degree 2")
	_, err = m.Apply(Chain{Degree: 2, Index: []int32{1}, Coeff: []float64{1}})
	require.ErrorContains(t, err, "simplex 1, want one of 0..0")
	_, err = m.Apply(Chain{Degree: 2, Index: []int32{0}})
	require.ErrorContains(t, err, "1 indices and 0 coefficients")
}
