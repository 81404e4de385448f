package simplicial

import (
	"math"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// space is a complex with its Betti numbers, nil if they are unknown.
type space struct {
	name  string
	c     *Complex
	betti []int
}

// spaces returns complexes without a metric on which all laws hold.
func spaces(t *testing.T) []space {
	list := []space{
		{"nothing", must(New(0, nil)), []int{}},
		{"points", must(New(40, nil)), []int{40}}, // every cochain is harmonic
		{"two circles", must(New(7, [][]int{{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}, {5, 3}})), []int{3, 2}},
		{"parts", must(New(60, [][]int{{0, 1}, {2, 3}, {4, 5}, {6, 7, 8}, {9, 10, 11}, {12, 13, 14, 15}})),
			[]int{50, 0, 0, 0}},
		{"torus", torus(t, 2), []int{1, 2, 1}}, {"three-torus", torus(t, 3), []int{1, 3, 3, 1}},
		{"hexagonal torus", torusOf(7, 7), []int{1, 2, 1}},
		{"plane", projectivePlane(t), []int{1, 0, 0}},
	}
	for n := range 7 {
		c, top := sphere(t, n)
		require.Zero(t, terms(push(c.Boundary(n), top)))
		betti := make([]int, n+1)
		betti[0]++
		betti[n]++
		list = append(list, space{"sphere", c, betti})
	}
	rng := newRand(1)
	for i := range 12 {
		list = append(list, space{"random", randomComplex(rng, 6+i/2, 5*i, 4), nil})
	}
	return list
}

// The laws of chains: simplices are sorted and closed, faces are what boundaries are made of, ∂∂ = 0, ⟨dω, c⟩
// = ⟨ω, ∂c⟩, and Betti numbers are those of ranks over the reals.
func TestChainLaws(t *testing.T) {
	for _, s := range spaces(t) {
		c := s.c
		requireComplex(t, c)
		rank := make([]int, c.Dim()+2)
		for k := -1; k <= c.Dim()+2; k++ {
			outer, inner := c.Boundary(k-1), c.Boundary(k)
			rows, cols := inner.Dims()
			require.Equal(t, []int{c.Count(k - 1), c.Count(k)}, []int{rows, cols}, s.name)
			for j := range cols {
				require.Zero(t, terms(push(outer, column(inner, j))), s.name)
			}
			faces, signs := c.faces(k)
			if k <= 0 || k > c.Dim() {
				require.Empty(t, faces)
				require.Empty(t, signs)
				continue
			}
			require.Len(t, signs, len(faces))
			for p, face := range faces {
				j, i := p/(k+1), p%(k+1)
				require.Equal(t, slices.Delete(slices.Clone(c.at(k, j)), i, i+1), c.at(k-1, int(face)))
				require.Equal(t, float64(1-2*(i%2)), float64(signs[p]))
				require.Equal(t, float64(signs[p]), inner.At(int(face), j))
			}
			require.Equal(t, cols*(k+1), len(faces))
			chain, cochain := randomCochain(newRand(6), cols), randomCochain(newRand(7), rows)
			left, right := floats.Dot(pull(inner, cochain), chain), floats.Dot(cochain, push(inner, chain))
			require.InDelta(t, left, right, 1e-11) // sums of some hundred numbers of order 1
			if cols*rows < 12_000 {
				// Entries are 0 and ±1 and the sizes small: singular values other than 0 are far above 1e-9.
				var svd mat.SVD
				require.True(t, svd.Factorize(mat.DenseCopyOf(inner), mat.SVDNone))
				rank[k] = svd.Rank(1e-9)
				if rank[k-1]+k > 1 {
					require.Equal(t, c.Count(k-1)-rank[k-1]-rank[k], c.Betti()[k-1], s.name)
				}
			}
		}
		if s.betti != nil {
			require.Equal(t, s.betti, c.Betti(), s.name)
		}
	}
}

// The laws of Hodge theory, with and without a metric in every degree: ⟨dy, x⟩ = ⟨y, δx⟩, δδ = 0, ⟨Lx, x⟩ =
// ⟨δx, δx⟩ + ⟨dx, dx⟩; eigenvectors of all eigenvalues and of a few; parts of cochains that add up, are
// orthogonal and the sums over the eigenvectors of each kind.
func TestHodgeLaws(t *testing.T) {
	list := spaces(t)
	for dim := 1; dim <= 3; dim++ {
		list = append(list, space{"bent", bent(dim), nil}, space{"metric", weighted(bent(dim)), nil})
	}
	sticking := must(New(5, [][]int{{0, 1, 2}, {2, 3}})) // an edge and a vertex with metrics of their own
	list = append(list, space{"sticking", weighted(embedded(sticking, 2, 1)), nil},
		space{"torus", weighted(torusOf(5, 8)), []int{1, 2, 1}})
	most := 130
	if os.Getenv("NKF_LONG") != "" {
		most = 330
	}
	for _, s := range list {
		for k := 0; k <= s.c.Dim(); k++ {
			if s.c.Count(k) > most { // for all eigenpairs
				continue
			}
			requireHodge(t, s.c, k, s.name)
		}
	}
	c := weighted(sphereOf(2))
	e := must(c.Eigen(1, 12))
	requireEigen(t, c, 1, e, 1e-8)
	require.Equal(t, e, must(c.Eigen(1, 12)), "deterministic")
}

// requireHodge checks the laws of Hodge theory in one degree.
func requireHodge(t *testing.T, c *Complex, k int, name string) {
	t.Helper()
	x, y := randomCochain(newRand(3), c.Count(k)), randomCochain(newRand(4), c.Count(k-1))
	// Conjugate gradients stop at 1e-14 relative to the rounding; the smallest singular values are above 0.1.
	const tol = 1e-9
	down, up := must(c.Codifferential(k, x)), must(c.Coboundary(k, x))
	require.Len(t, down, c.Count(k-1))
	if k > 0 {
		left := c.inner(k, must(c.Coboundary(k-1, y)), x)
		require.InDelta(t, left, c.inner(k-1, y, down), 1e-10*(1+math.Abs(left)), name)
		twice := must(c.Codifferential(k-1, down))
		require.LessOrEqual(t, floats.Norm(twice, 2), 1e-10*(1+floats.Norm(down, 2)), name)
	}
	energy := c.inner(k-1, down, down) + c.inner(k+1, up, up)
	require.InDelta(t, energy, c.inner(k, must(c.Laplacian(k, x)), x), 1e-11*energy, name)

	e := must(c.Eigen(k, c.Count(k)))
	requireEigen(t, c, k, e, tol)
	for _, m := range []int{1, 5, 20} {
		m = min(m, c.Count(k))
		some := must(c.Eigen(k, m))
		require.InDeltaSlice(t, e.Values[:m], some.Values, tol*(1+e.Values[m-1]), name)
		require.Equal(t, e.Parts[:m], some.Parts, name)
		requireEigen(t, c, k, some, tol)
	}

	gradient, curl, harmonic := must3(c.Hodge(k, x))
	sum := floats.AddTo(make([]float64, len(x)), gradient, curl)
	floats.Add(sum, harmonic)
	require.InDeltaSlice(t, x, sum, 1e-12)
	parts := [][]float64{Harmonic: harmonic, Gradient: gradient, Curl: curl}
	for part, cochain := range parts {
		require.InDelta(t, 0, c.inner(k, cochain, parts[(part+1)%3]), tol, name)
		for j := range e.Values {
			y := mat.Col(nil, j, e.Vectors)
			share := 0.0
			if e.Parts[j] == Part(part) {
				share = c.inner(k, x, y)
			}
			require.InDelta(t, share, c.inner(k, cochain, y), tol, "%s: %v part", name, Part(part))
		}
	}
}

// requireEigen checks eigenpairs: dδx + δdx = λx, orthonormal, ascending, each in its part, gradients first
// where eigenvalues agree, the largest entry positive; and of all that there are the number in each part.
func requireEigen(t testing.TB, c *Complex, k int, e *Eigen, tol float64) {
	t.Helper()
	size := func(k int, x []float64) float64 { return math.Sqrt(max(0, c.inner(k, x, x))) }
	weighted := mat.NewDense(c.Count(k), len(e.Values), nil)
	counts := make([]int, 3)
	for j, value := range e.Values {
		x, part := mat.Col(nil, j, e.Vectors), e.Parts[j]
		counts[part]++
		weighted.SetCol(j, c.flat(k, x))
		rest := must(c.Laplacian(k, x))
		floats.AddScaled(rest, -value, x)
		require.LessOrEqual(t, size(k, rest), tol*(1+value), "residual %d", j)
		if part != Curl {
			require.LessOrEqual(t, size(k+1, must(c.Coboundary(k, x))), tol*(1+value), "d of %v %d", part, j)
		}
		if part != Gradient {
			delta := must(c.Codifferential(k, x))
			require.LessOrEqual(t, size(k-1, delta), tol*(1+value), "δ of %v %d", part, j)
		}
		require.True(t, part != Harmonic || value == 0)
		if j > 0 {
			require.GreaterOrEqual(t, value, e.Values[j-1]-tol)
			if value <= e.Values[j-1]+1e-12 {
				require.GreaterOrEqual(t, part, e.Parts[j-1])
			}
		}
		require.InDelta(t, floats.Norm(x, math.Inf(1)), floats.Max(x), tol, "sign of vector %d", j)
	}
	var gram mat.Dense
	gram.Mul(e.Vectors.T(), weighted)
	for i := range e.Values {
		gram.Set(i, i, gram.At(i, i)-1)
	}
	require.LessOrEqual(t, max(mat.Max(&gram), -mat.Min(&gram)), tol)
	betti, rank := c.Betti(), 0 // of ∂_k
	for j := range k {
		rank = c.Count(j) - betti[j] - rank
	}
	require.Equal(t, min(betti[k], len(e.Values)), counts[Harmonic])
	if len(e.Values) == c.Count(k) {
		require.Equal(t, rank, counts[Gradient])
	}
}
