package simplicial

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// newRand returns a generator that is the same in every run.
func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 1)) }

// randomPoints returns count points in the unit cube of R^n.
func randomPoints(rng *rand.Rand, count, n int) []float64 {
	x := make([]float64, count*n)
	for i := range x {
		x[i] = rng.Float64()
	}
	return x
}

// randomComplex returns the closure of random simplices of degree dim and below.
func randomComplex(rng *rand.Rand, vertices, simplices, dim int) *Complex {
	list := [][]int{rng.Perm(vertices)[:dim+1]}
	for range simplices {
		list = append(list, rng.Perm(vertices)[:1+rng.IntN(dim+1)])
	}
	return must(New(vertices, list))
}

// randomCochain returns a cochain with normal entries.
func randomCochain(rng *rand.Rand, count int) []float64 {
	x := make([]float64, count)
	for i := range x {
		x[i] = rng.NormFloat64()
	}
	return x
}

// column returns the j-th column of a matrix.
func column(m *Matrix, j int) []float64 { return mat.Col(nil, j, m) }

// terms returns the number of simplices in a chain.
func terms(chain []float64) int {
	return floats.Count(func(v float64) bool { return v != 0 }, chain)
}

// unit returns the chain of the j-th of count simplices.
func unit(count, j int) []float64 {
	chain := make([]float64, count)
	chain[j] = 1
	return chain
}

// requireComplex checks that a complex keeps what the package promises: vertices are numbered, each
// degree is sorted and closed under faces, and coordinates are finite.
func requireComplex(t testing.TB, c *Complex) {
	t.Helper()
	for k := 0; k <= c.Dim(); k++ {
		require.NotZero(t, c.Count(k), "degree %d of %d", k, c.Dim())
		require.Len(t, c.Simplices(k), c.Count(k)*(k+1))
		for i := range c.Count(k) {
			simplex := c.at(k, i)
			require.True(t, slices.IsSorted(simplex) && (k > 0 || simplex[0] == int32(i)), "%v", simplex)
			require.Len(t, slices.Compact(slices.Clone(simplex)), k+1)
			require.True(t, i == 0 || slices.Compare(c.at(k, i-1), simplex) < 0, "%v out of order", simplex)
			for drop := 0; k > 0 && drop <= k; drop++ {
				face := slices.Delete(slices.Clone(simplex), drop, drop+1)
				require.GreaterOrEqual(t, find(c.levels[k-1], face), 0, "%v lacks its face %v", simplex, face)
			}
		}
	}
	require.Len(t, c.Coords(), c.Count(0)*c.Ambient())
	require.NoError(t, checkPoints(c.ambient, c.coords))
}

// volume returns the signed n-volume of an n-chain in R^n.
func volume(c *Complex, chain []float64) float64 {
	n, sum := c.Ambient(), 0.0
	for i, coeff := range chain {
		simplex := c.at(n, i)
		edges := mat.NewDense(n, n, nil)
		for col := range n {
			for row := range n {
				edges.Set(row, col, c.coords[int(simplex[col+1])*n+row]-c.coords[int(simplex[0])*n+row])
			}
		}
		v := coeff * mat.Det(edges)
		for f := 2; f <= n; f++ {
			v /= float64(f)
		}
		sum += v
	}
	return sum
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

// must3 is must for three results.
func must3[R, S, T any](x R, y S, z T, err error) (R, S, T) { return x, y, must(z, err) }
