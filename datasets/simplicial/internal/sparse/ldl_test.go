package sparse

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
)

// hostile are graphs at the limits of the ordering, as matrices that are positive definite.
func hostile(t testing.TB) map[string]*Symmetric {
	graph := func(n int, neighbors func(i, j int) bool) *Symmetric {
		var entries []Entry
		for i := range n {
			entries = append(entries, Entry{int32(i), int32(i), float64(n)})
			for j := range i {
				if neighbors(i, j) {
					entries = append(entries, Entry{int32(i), int32(j), -1})
				}
			}
		}
		return must(t, n, entries)
	}
	rng := newRand(4)
	return map[string]*Symmetric{
		"empty":     graph(0, nil),
		"one":       graph(1, nil),
		"diagonal":  graph(50, func(i, j int) bool { return false }),
		"complete":  graph(90, func(i, j int) bool { return true }),
		"star":      graph(400, func(i, j int) bool { return j == 0 }),
		"path":      graph(300, func(i, j int) bool { return j == i-1 }),
		"tree":      graph(300, func(i, j int) bool { return j == (i-1)/3 }),
		"wheel":     graph(300, func(i, j int) bool { return j == 0 || j == i-1 }),
		"bipartite": graph(120, func(i, j int) bool { return i >= 60 && j < 60 }),
		"cliques":   graph(200, func(i, j int) bool { return i/20 == j/20 }),
		"sparse":    graph(300, func(i, j int) bool { return rng.IntN(200) == 0 }),
		"plane":     box(t, 20, 17),
		"space":     box(t, 7, 8, 9),
	}
}

func TestMinimumDegreeIsPermutation(t *testing.T) {
	for name, a := range hostile(t) {
		order := minimumDegree(a)
		slices.Sort(order)
		require.Len(t, order, a.cols, name)
		for i, v := range order {
			require.EqualValues(t, i, v, name)
		}
	}
}

// exact returns the number of entries of L without the zeros of supernodes.
func (s *analysis) exact(a *Symmetric) int {
	parent := eliminationTree(a, s.order, s.inverse)
	sum := 0
	for _, c := range s.counts(a, parent) {
		sum += c
	}
	return sum
}

// Trees have orders without any fill, and minimum degree finds one. On the grid the minimum degree
// order of SuperLU (scipy 1.17) has 185,673 entries, and ours about as many.
func TestFill(t *testing.T) {
	graphs := hostile(t)
	for _, name := range []string{"path", "tree", "star", "diagonal", "cliques"} {
		a := graphs[name]
		require.Equal(t, (len(a.row)+a.cols)/2, analyze(a).exact(a), name)
	}
	a := box(t, 100, 100)
	require.Less(t, analyze(a).exact(a), 210_000)
}

func TestSolve(t *testing.T) {
	rng := newRand(5)
	for name, a := range hostile(t) {
		f, err := Factorize(a)
		require.NoError(t, err)
		require.Zero(t, f.negative(), name)
		for _, count := range []int{0, 1, 3, 4, 9} {
			want, b := make([]float64, count*a.cols), make([]float64, count*a.cols)
			for i := range want {
				want[i] = rng.NormFloat64()
			}
			for c := range count {
				a.MulVecTo(b[c*a.cols:(c+1)*a.cols], true, want[c*a.cols:(c+1)*a.cols])
			}
			require.NoError(t, f.SolveTo(b, b))
			// Condition numbers are below 1e3.
			require.InDeltaSlice(t, want, b, 1e-12, name)
		}
	}
}

// The signs of D are those of the eigenvalues (Sylvester).
func TestInertia(t *testing.T) {
	rng := newRand(6)
	for range 20 {
		n := 5 + rng.IntN(60)
		a := random(t, rng, n, 2*n, 0)
		var dense mat.EigenSym
		require.True(t, dense.Factorize(mat.NewSymDense(n, mat.DenseCopyOf(a).RawMatrix().Data), false))
		values := dense.Values(nil)
		for _, at := range []int{1, n / 2, n - 1} {
			f, err := Factorize(shifted(a, -(values[at-1]+values[at])/2, nil))
			require.NoError(t, err)
			require.Equal(t, at, f.negative())
		}
	}
}

func TestFactorizeErrors(t *testing.T) {
	_, err := Factorize(must(t, 2, []Entry{{0, 0, 1}, {0, 1, 1}, {1, 1, 1}}))
	require.ErrorIs(t, err, ErrSingular)
	f, err := Factorize(box(t, 5))
	require.NoError(t, err)
	require.ErrorContains(t, f.SolveTo(make([]float64, 5), make([]float64, 10)), "length 5")
	require.ErrorContains(t, f.SolveTo(make([]float64, 6), make([]float64, 6)), "order 5")
	// Every edge of a complete graph on 16,500 vertices would be an entry.
	s := &analysis{entries: MaxEntries + 1}
	_, err = factorize(box(t, 5), s)
	require.ErrorContains(t, err, "want at most")
}
