package sparse

import (
	"math"
	"runtime"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// requirePairs checks that K x = λ M x up to tol times the norm of K, and that xᵀ M y is 1 or 0.
func requirePairs(t testing.TB, k, mass *Matrix, values []float64, x *mat.Dense, tol float64) {
	t.Helper()
	n, m := x.Dims()
	require.Equal(t, k.cols, n)
	require.Len(t, values, m)
	require.True(t, slices.IsSorted(values))
	norm := 0.0
	for j := range n {
		sum := 0.0
		for _, v := range k.val[k.start[j]:k.start[j+1]] {
			sum += math.Abs(v)
		}
		norm = max(norm, sum)
	}
	mx := mat.NewDense(n, m, nil)
	for j := range m {
		v := mat.Col(nil, j, x)
		kv, mv := make([]float64, n), slices.Clone(v)
		k.MulVecTo(kv, true, v)
		if mass != nil {
			mass.MulVecTo(mv, true, v)
		}
		mx.SetCol(j, mv)
		floats.AddScaled(kv, -values[j], mv)
		require.LessOrEqual(t, floats.Norm(kv, 2), tol*norm*floats.Norm(v, 2), "residual %d", j)
	}
	var gram mat.Dense
	gram.Mul(x.T(), mx)
	for i := range m {
		for j := range m {
			want := 0.0
			if i == j {
				want = 1
			}
			require.InDelta(t, want, gram.At(i, j), 1e-12)
		}
	}
}

// requireSmallest finds the m smallest eigenpairs and compares the values with those expected, in any
// order, of which there may be more.
func requireSmallest(t testing.TB, s Solver, k *Matrix, m int, want []float64) *mat.Dense {
	t.Helper()
	if s.Mass == nil {
		s.Mass = identity(k.cols)
	}
	if s.Block == 0 {
		s.Block = 4
	}
	values, x := must2(s.Smallest(k, m))
	// Residuals are some 1e-16 of the norm times the square root of the order, or better.
	requirePairs(t, k, s.Mass, values, x, 1e-12)
	want = slices.Sorted(slices.Values(want))
	require.InDeltaSlice(t, want[:m], values, 1e-11*(1+want[m-1]))
	return x
}

// boxValues returns the eigenvalues of box: sums of 2 - 2 cos(π i/(c+1)) over the axes.
func boxValues(cells ...int) []float64 {
	values := []float64{0}
	for _, c := range cells {
		var next []float64
		for i := 1; i <= c; i++ {
			// The sine of half the angle has no cancellation.
			s := math.Sin(math.Pi * float64(i) / float64(2*c+2))
			for _, v := range values {
				next = append(next, v+4*s*s)
			}
		}
		values = next
	}
	return values
}

func TestSmallestOnBoxes(t *testing.T) {
	for _, cells := range [][]int{{1}, {5}, {120}, {21, 20}, {11, 11}, {6, 6, 6}} {
		k, want := box(cells...), boxValues(cells...)
		for _, m := range []int{1, 2, 10, 40, k.cols} {
			if m <= min(k.cols, 130) {
				requireSmallest(t, Solver{}, k, m, want)
			}
		}
	}
}

// Eigenvalues of equal components are repeated as often as there are components, many times the number
// of vectors in a block, of which one alone would find each eigenvalue only once.
func TestSmallestFindsAllOfRepeatedEigenvalues(t *testing.T) {
	const copies, length = 12, 30
	var entries []Entry
	var want []float64
	for c := range copies {
		for i := range length {
			v := int32(c*length + i)
			entries = append(entries, Entry{v, v, 2})
			if i > 0 {
				entries = append(entries, Entry{v, v - 1, -1})
			}
		}
		want = append(want, boxValues(length)...)
	}
	k := symmetric(copies*length, entries)
	for _, s := range []Solver{{Block: 1}, {Block: 4}, {Block: 15}} {
		for _, m := range []int{1, 5, copies, copies + 1, 30} {
			requireSmallest(t, s, k, m, want)
		}
	}
}

// With a diagonal mass matrix the problem is that of M^-½ K M^-½.
func TestSmallestWithMassesOfManySizes(t *testing.T) {
	rng := newRand(8)
	k := box(12, 13)
	masses, scaled := make([]float64, k.cols), mat.NewSymDense(k.cols, nil)
	for i := range masses {
		masses[i] = math.Pow(10, 6*rng.Float64()-3)
	}
	k.DoNonZero(func(i, j int, v float64) { scaled.SetSym(i, j, v/math.Sqrt(masses[i]*masses[j])) })
	var dense mat.EigenSym
	require.True(t, dense.Factorize(scaled, false))
	m := Diagonal(masses)
	values, x := must2(Solver{Mass: m, Block: 4}.Smallest(k, 12))
	// Rounding is relative to M^½, which is up to 30.
	requirePairs(t, k, m, values, x, 30*1e-12)
	// The largest eigenvalue is some 8e3, to whose rounding those of the dense matrix are known.
	require.InDeltaSlice(t, dense.Values(nil)[:12], values, 1e-11)
}

// TestSmallestEnds: random vectors that hardly have a share of small masses are not drawn forever, and what
// is found is right.
func TestSmallestEnds(t *testing.T) {
	for _, orders := range []float64{10, 20, 30} {
		rng := newRand(8)
		masses := make([]float64, 30)
		for i := range masses {
			masses[i] = math.Pow(10, orders*(rng.Float64()-0.5))
		}
		m, k := Diagonal(masses), symmetric(len(masses), nil)
		values, x := must2(Solver{Mass: m, Block: 2}.Smallest(k, 20))
		requirePairs(t, k, m, values, x, 1e-12)
	}
}

// The mixed problem has the eigenpairs of the matrix K + B N⁻¹ Bᵀ, also where K is 0.
func TestSmallestOfMixedProblems(t *testing.T) {
	rng := newRand(9)
	const n, inner = 150, 60
	for _, k := range []*Matrix{box(n), symmetric(n, nil)} {
		// Diagonally dominant, and not diagonal.
		m, small := random(rng, n, n, 10), random(rng, inner, inner, 10)
		var entries []Entry
		for range 3 * n {
			entries = append(entries, Entry{int32(rng.IntN(n)), int32(rng.IntN(inner)), rng.NormFloat64()})
		}
		b := must(NewMatrix(n, inner, entries))
		var right, whole mat.Dense
		require.NoError(t, right.Solve(small, b.T()))
		whole.Mul(b, &right)
		entries = nil
		for i := range n {
			for j := range i + 1 {
				v := (whole.At(i, j)+whole.At(j, i))/2 + k.At(i, j)
				entries = append(entries, Entry{int32(i), int32(j), v})
			}
		}
		full := symmetric(n, entries)
		want, _ := must2(Solver{Mass: m, Block: 4}.Smallest(full, 120))
		for _, count := range []int{1, 20, 120} {
			values, x := must2(Solver{Mass: m, Coupling: b, Inner: small, Block: 4}.Smallest(k, count))
			requirePairs(t, full, m, values, x, 1e-12)
			require.InDeltaSlice(t, want[:count], values, 1e-12)
		}
	}
}

// TestSmallestOfStars: graphs of n spokes have the eigenvalues 0, 1 many times, and n + 1. The median of the
// diagonal is 1, but by their number the wanted ones should be far smaller.
func TestSmallestOfStars(t *testing.T) {
	for _, star := range []struct{ spokes, m int }{{1500, 11}, {1900, 14}} {
		entries := []Entry{{0, 0, float64(star.spokes)}}
		for i := range int32(star.spokes) {
			entries = append(entries, Entry{i + 1, i + 1, 1}, Entry{i + 1, 0, -1})
		}
		want := slices.Repeat([]float64{1}, star.m)
		want[0] = 0
		requireSmallest(t, Solver{Block: 8}, symmetric(star.spokes+1, entries), star.m, want)
	}
}

func TestSmallestIsDeterministic(t *testing.T) {
	k := box(30, 30)
	s := Solver{Mass: identity(k.cols), Block: 4}
	values, vectors := must2(s.Smallest(k, 20))
	for _, procs := range []int{1, 3} {
		before := runtime.GOMAXPROCS(procs)
		again, same := must2(s.Smallest(k, 20))
		runtime.GOMAXPROCS(before)
		require.Equal(t, values, again)
		require.Equal(t, vectors, same)
	}
}

func TestSmallestErrors(t *testing.T) {
	k, one := box(5), Solver{Mass: identity(5), Block: 4}
	_, _, err := one.Smallest(shifted(k, -2.5), 1)
	require.ErrorContains(t, err, "positive")
	_, _, err = one.Smallest(shifted(k, -1), 1)
	require.ErrorContains(t, err, "is not positive definite")
	const n = 1 << 17
	_, _, err = Solver{Mass: identity(n), Block: 4}.Smallest(identity(n), 1000)
	require.ErrorContains(t, err, "want at most 510 of them")
}

// TestSmallestOfSpecks: a few vertices with masses of nearly nothing have most of the trace of M⁻¹K, which
// must not decide where eigenvalues are sought.
func TestSmallestOfSpecks(t *testing.T) {
	k := box(30, 30)
	masses := slices.Repeat([]float64{1}, k.cols)
	for i := range 4 {
		masses[200*i+7] = 1e-10
	}
	values, x := must2(Solver{Mass: Diagonal(masses), Block: 4}.Smallest(k, 32))
	requirePairs(t, k, Diagonal(masses), values, x, 1e-12)
	want := slices.Sorted(slices.Values(boxValues(30, 30)))
	require.InDeltaSlice(t, want[:32], values, 0.01*want[31])
}
