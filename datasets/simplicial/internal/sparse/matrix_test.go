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
func symmetric(n int, entries []Entry) *Symmetric { return must(New(n, entries)) }

// random returns a matrix with normal entries at random places, and shift on the diagonal.
func random(t testing.TB, rng *rand.Rand, n, count int, shift float64) *Symmetric {
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
func box(t testing.TB, cells ...int) *Symmetric {
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

func TestNewAddsEntries(t *testing.T) {
	rng := newRand(1)
	for _, n := range []int{0, 1, 2, 9, 40} {
		want := mat.NewDense(max(n, 1), max(n, 1), nil)
		var entries []Entry
		for range 3 * n {
			// Multiples of 1/4 are added without rounding, and some sums are 0.
			e := Entry{int32(rng.IntN(n)), int32(rng.IntN(n)), float64(rng.IntN(5)-2) / 4}
			entries = append(entries, e)
			i, j := int(e.I), int(e.J)
			want.Set(i, j, want.At(i, j)+e.V)
			if i != j {
				want.Set(j, i, want.At(j, i)+e.V)
			}
		}
		a := symmetric(n, entries)
		require.Equal(t, n, a.SymmetricDim())
		count := 0
		for i := range n {
			for j := range n {
				require.Equal(t, want.At(i, j), a.At(i, j))
				if want.At(i, j) != 0 {
					count++
				}
			}
		}
		require.Equal(t, count, len(a.row))
		a.DoNonZero(func(i, j int, v float64) {
			require.Equal(t, want.At(i, j), v)
			count--
		})
		require.Zero(t, count)
	}
}

func TestNewErrors(t *testing.T) {
	for _, test := range []struct {
		n       int
		entries []Entry
		want    string
	}{
		{-1, nil, "order -1"},
		{2, []Entry{{0, 2, 1}}, "row 0, column 2 of a matrix of order 2"},
		{2, []Entry{{-1, 0, 1}}, "row -1, column 0"},
		{2, []Entry{{1, 0, math.NaN()}}, "row 1, column 0 is NaN"},
		{2, []Entry{{0, 0, math.MaxFloat64}, {0, 0, math.MaxFloat64}}, "is +Inf"},
	} {
		_, err := New(test.n, test.entries)
		require.ErrorContains(t, err, test.want)
	}
	_, err := Diagonal([]float64{1, math.Inf(-1)})
	require.ErrorContains(t, err, "row 1, column 1 is -Inf")
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
		require.NotZero(t, v)
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
	for want, entry := range map[string]Entry{
		"row 30, column 0 of a matrix of order 30×20": {30, 0, 1},
		"row 0, column 20 of a":                       {0, 20, 1},
		"row 3, column 2 is NaN":                      {3, 2, math.NaN()},
	} {
		_, err := NewMatrix(rows, cols, []Entry{entry})
		require.ErrorContains(t, err, want)
	}
	_, err := NewMatrix(rows, -1, nil)
	require.ErrorContains(t, err, "order 30×-1")
}

// shifted returns a + s·m.
func shifted(a *Symmetric, s float64, m *Symmetric) *Symmetric {
	return (&problem{Solver: Solver{Mass: m}, n: a.cols, stiffness: a}).shifted(s)
}

func TestShifted(t *testing.T) {
	rng := newRand(3)
	a, m := random(t, rng, 20, 30, 0), random(t, rng, 20, 30, 0)
	one := mat.NewDiagDense(20, nil)
	for i := range 20 {
		one.SetDiag(i, 1)
	}
	for _, test := range []struct {
		got  *Symmetric
		mass mat.Matrix
	}{{shifted(a, -3, m), m}, {shifted(a, -3, nil), one}} {
		var want mat.Dense
		want.Scale(-3, test.mass)
		want.Add(&want, a)
		require.True(t, mat.EqualApprox(&want, test.got, 1e-14))
	}
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
