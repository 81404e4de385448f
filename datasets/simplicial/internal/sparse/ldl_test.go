package sparse

import (
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
)

// hostile are graphs at the limits of the ordering, as matrices that are positive definite.
func hostile() map[string]*Matrix {
	graph := func(n int, neighbors func(i, j int) bool) *Matrix {
		var entries []Entry
		for i := range n {
			entries = append(entries, Entry{int32(i), int32(i), float64(n)})
			for j := range i {
				if neighbors(i, j) {
					entries = append(entries, Entry{int32(i), int32(j), -1})
				}
			}
		}
		return symmetric(n, entries)
	}
	rng := newRand(4)
	return map[string]*Matrix{
		"empty":    graph(0, nil),
		"one":      graph(1, nil),
		"diagonal": graph(50, func(i, j int) bool { return false }),
		"complete": graph(90, func(i, j int) bool { return true }),
		"star":     graph(400, func(i, j int) bool { return j == 0 }),
		"path":     graph(300, func(i, j int) bool { return j == i-1 }),
		"tree":     graph(300, func(i, j int) bool { return j == (i-1)/3 }),
		"wheel":    graph(300, func(i, j int) bool { return j == 0 || j == i-1 }),
		// Fans around 0 and 1 close it, and it has a long tail.
		"cylinder": graph(1500, func(i, j int) bool {
			return i > 601 && i-j == 1 || i < 602 && j < 2 && i%2 == j && i > 1 ||
				i < 602 && j > 1 && (i-j == 2 || i-j == 1 || i-j >= 598)
		}),
		"bipartite": graph(120, func(i, j int) bool { return i >= 60 && j < 60 }),
		"cliques":   graph(200, func(i, j int) bool { return i/20 == j/20 }),
		"sparse":    graph(300, func(i, j int) bool { return rng.IntN(200) == 0 }),
		"plane":     box(20, 17),
		"space":     box(7, 8, 9),
	}
}

// Trees have orders without any fill; parts of eight vertices come close. On the grid the minimum degree
// order of SuperLU (scipy 1.17) has 185,673 entries.
func TestFill(t *testing.T) {
	entries := func(a *Matrix) int { return analyze(a).start[a.cols] }
	graphs := hostile()
	for _, name := range []string{"path", "tree", "star", "diagonal", "cliques", "wheel", "cylinder"} {
		a := graphs[name]
		require.Less(t, entries(a), 2*len(a.row), name)
	}
	require.Less(t, entries(box(100, 100)), 280_000)
	spokes := make([]Entry, 0, 200_000) // of a star: no step may look at all that are left
	for i := range int32(100_000) {
		spokes = append(spokes, Entry{i, i, 1}, Entry{0, i, 1})
	}
	require.Less(t, entries(symmetric(100_000, spokes)), 400_000)
}

func TestSolve(t *testing.T) {
	rng := newRand(5)
	for name, a := range hostile() {
		f := must(Factorize(a))
		require.Zero(t, f.negative(), name)
		for _, count := range []int{0, 1, 3, 4, 9} {
			want, b := make([]float64, count*a.cols), make([]float64, count*a.cols)
			for i := range want {
				want[i] = rng.NormFloat64()
			}
			for c := range count {
				a.MulVecTo(b[c*a.cols:(c+1)*a.cols], true, want[c*a.cols:(c+1)*a.cols])
			}
			f.SolveTo(b, b)
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
		a := random(rng, n, 2*n, 0)
		var dense mat.EigenSym
		require.True(t, dense.Factorize(mat.NewSymDense(n, mat.DenseCopyOf(a).RawMatrix().Data), false))
		values := dense.Values(nil)
		for _, at := range []int{1, n / 2, n - 1} {
			if values[at]-values[at-1] < 1e-9 { // 0 repeats
				continue
			}
			require.Equal(t, at, must(Factorize(shifted(a, -(values[at-1]+values[at])/2))).negative())
		}
	}
}

func TestFactorizeErrors(t *testing.T) {
	_, err := Factorize(symmetric(2, []Entry{{0, 0, 1}, {0, 1, 1}, {1, 1, 1}}))
	require.ErrorIs(t, err, errSingular)
	f := must(Factorize(box(5)))
	for _, n := range [][2]int{{5, 10}, {6, 6}} {
		x, b := make([]float64, n[0]), make([]float64, n[1])
		require.PanicsWithValue(t, mat.ErrShape, func() { f.SolveTo(x, b) })
	}
	// Every edge of a complete graph on 16,500 vertices would be an entry.
	s := &analysis{start: []int{5: MaxEntries + 1}}
	_, err = factorize(box(5), s)
	require.ErrorContains(t, err, "want at most")
}
