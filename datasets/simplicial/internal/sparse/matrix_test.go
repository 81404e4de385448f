package sparse

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
)

// newRand returns a generator that is the same in every run.
func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 1)) }

// symmetric returns a matrix that cannot be wrong.
func symmetric(n int, entries []Entry) *Matrix { return must(NewSymmetric(n, entries)) }

// random returns a matrix with normal entries at random places, and shift on the diagonal.
func random(rng *rand.Rand, n, count int, shift float64) *Matrix {
	var entries []Entry
	for range count {
		entries = append(entries, Entry{int32(rng.IntN(n)), int32(rng.IntN(n)), rng.NormFloat64()})
	}
	for i := range n {
		entries = append(entries, Entry{int32(i), int32(i), shift})
	}
	return symmetric(n, entries)
}

// box returns the matrix of differences on a box with fixed ends: 2 on the diagonal for every axis, -1
// between neighbors.
func box(cells ...int) *Matrix {
	n := 1
	for _, c := range cells {
		n *= c
	}
	var entries []Entry
	for v := range n {
		entries = append(entries, Entry{int32(v), int32(v), float64(2 * len(cells))})
		stride := 1
		for _, c := range cells {
			if v/stride%c < c-1 {
				entries = append(entries, Entry{int32(v), int32(v + stride), -1})
			}
			stride *= c
		}
	}
	return symmetric(n, entries)
}

// All ways to read and use a matrix agree with the dense one.
func TestMatrix(t *testing.T) {
	rng := newRand(2)
	const rows, cols = 30, 20
	want := mat.NewDense(rows, cols, nil)
	var entries []Entry
	for range 90 {
		e := Entry{int32(rng.IntN(rows)), int32(rng.IntN(cols)), float64(rng.IntN(5)-2) / 4}
		entries = append(entries, e)
		want.Set(int(e.I), int(e.J), want.At(int(e.I), int(e.J))+e.V) // without rounding
	}
	m := must(NewMatrix(rows, cols, entries))
	require.True(t, mat.Equal(want, m))
	require.True(t, mat.Equal(want.T(), m.T()))
	require.True(t, mat.Equal(want.T(), m.Transpose()))
	stored := 0
	m.DoNonZero(func(i, j int, v float64) {
		require.Equal(t, want.At(i, j), v)
		stored++
	})
	require.Equal(t, len(m.row), stored)
	for j := range cols {
		places, values := m.Column(j)
		require.True(t, slices.IsSorted(places))
		for p, i := range places {
			require.Equal(t, want.At(int(i), j), values[p])
			stored--
		}
	}
	require.Zero(t, stored)
	for _, trans := range []bool{false, true} {
		dense, x, got := mat.Matrix(want), make([]float64, cols), make([]float64, rows)
		if trans {
			dense, x, got = want.T(), got, x
		}
		for i := range x {
			x[i] = rng.NormFloat64()
		}
		m.MulVecTo(got, trans, x)
		var product mat.VecDense
		product.MulVec(dense, mat.NewVecDense(len(x), x))
		require.InDeltaSlice(t, product.RawVector().Data, got, 1e-14) // sums of ten numbers near 1
		require.PanicsWithValue(t, mat.ErrShape, func() { m.MulVecTo(got, trans, x[1:]) })
		require.PanicsWithValue(t, mat.ErrShape, func() { m.MulVecTo(got[1:], trans, x) })
	}
	require.PanicsWithValue(t, mat.ErrRowAccess, func() { m.At(rows, 0) })
	require.PanicsWithValue(t, mat.ErrColAccess, func() { m.At(0, cols) })
	require.PanicsWithValue(t, mat.ErrColAccess, func() { m.At(0, -1) })
	for _, v := range []float64{math.NaN(), math.MaxFloat64} {
		_, err := NewMatrix(rows, cols, []Entry{{3, 2, v}, {3, 2, v}})
		require.ErrorContains(t, err, "row 3 is")
	}
	square := must(Product(m, m.Transpose()))
	var product mat.Dense
	product.Mul(want, want.T())
	require.True(t, mat.EqualApprox(&product, square, 1e-14))
	var lower []Entry
	square.DoNonZero(func(i, j int, v float64) {
		if i >= j {
			lower = append(lower, Entry{int32(i), int32(j), v})
		}
	})
	require.Equal(t, square, symmetric(rows, lower))
}

// identity returns the matrix of ones on the diagonal.
func identity(n int) *Matrix { return Diagonal(slices.Repeat([]float64{1}, n)) }

// shifted returns a + s·I.
func shifted(a *Matrix, s float64) *Matrix {
	return (&problem{Solver: Solver{Mass: identity(a.cols)}, n: a.cols, stiffness: a}).shifted(s)
}

// must returns the result of a call that cannot fail.
func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}

// must2 is must for two results.
func must2[S, T any](x S, y T, err error) (S, T) { return x, must(y, err) }
