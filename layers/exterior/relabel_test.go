package exterior_test

import (
	"math/rand/v2"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/neuralkforms/nkf/datasets/simplicial"
	"github.com/neuralkforms/nkf/layers/backendtest"
	"github.com/neuralkforms/nkf/layers/exterior"
	"github.com/neuralkforms/nkf/layers/quadrature"
)

// TestRandomComplexes checks, on random complexes of dimension up to 4 in R⁵,
// that the integration matrix of a complex with its vertices renumbered is
// the same up to the order and the signs that the renumbering brings, and
// that X(Lβ, ωR) = L·X(β, ω)·R for random chains and mixtures of forms.
func TestRandomComplexes(t *testing.T) {
	const n, vertices = 5, 9
	// Every vertex is treated alike, so that only rounding is left.
	rule := quadrature.Cubature(3)
	for dim := 1; dim <= 4; dim++ {
		rng := rand.New(rand.NewPCG(uint64(dim), 77))
		var maximal, renumbered [][]int
		number := rng.Perm(vertices)
		for range 6 {
			simplex := rng.Perm(vertices)[:dim+1]
			maximal = append(maximal, simplex)
			moved := make([]int, dim+1)
			for i, v := range simplex {
				moved[i] = number[v]
			}
			renumbered = append(renumbered, moved)
		}
		coords := exterior.Normals(rng, vertices*n)
		moved := make([]float64, len(coords))
		for v, w := range number {
			copy(moved[w*n:(w+1)*n], coords[v*n:(v+1)*n])
		}
		a, b := embedded(t, vertices, maximal, n, coords), embedded(t, vertices, renumbered, n, moved)
		for k := 0; k <= dim; k++ {
			checkRenumbered(t, rng, a, b, number, k, rule)
		}
	}
}

// embedded makes a complex.
func embedded(t *testing.T, vertices int, maximal [][]int, n int, coords []float64) *simplicial.Complex {
	t.Helper()
	c, err := simplicial.New(vertices, maximal)
	require.NoError(t, err)
	c, err = c.Embed(n, coords)
	require.NoError(t, err)
	return c
}

// checkRenumbered checks the k-simplices of a and of b, its copy.
func checkRenumbered(t *testing.T, rng *rand.Rand, a, b *simplicial.Complex, number []int, k int,
	rule quadrature.Rule) {
	count := a.Count(k)
	require.Equal(t, count, b.Count(k))
	const chains, forms, mixed = 3, 2, 4
	l, r := exterior.Normals(rng, chains*count), exterior.Normals(rng, forms*mixed)
	out := exterior.Run(t, backendtest.Get(t, "go"), func(g *Graph) []*Node {
		form := neural(uint64(k), a.Ambient(), k, "tanh")
		vertices, simplices := onGraph(g, a, k)
		x := exterior.Integrate(by(rule, form), vertices, simplices)
		moved, copies := onGraph(g, b, k)
		// L as entries, R as a mixture of the forms themselves.
		var simplex, chain []int32
		for i := range chains {
			for s := range count {
				simplex, chain = append(simplex, int32(s)), append(chain, int32(i))
			}
		}
		mixture := form.Combine(Reshape(Const(g, r), forms, mixed))
		y := exterior.Integrate(by(rule, mixture), vertices, simplices)
		return []*Node{
			x, exterior.Integrate(by(rule, form), moved, copies),
			exterior.Chains(y, Const(g, simplex), Const(g, chain), Const(g, l), chains),
		}
	})
	x, y := exterior.Flat(t, out[0]), exterior.Flat(t, out[1])
	want := make([]float64, len(x))
	for s := range count {
		simplex := make([]int, k+1)
		for i, v := range a.Simplices(k)[s*(k+1) : (s+1)*(k+1)] {
			simplex[i] = number[v]
		}
		image, sign, ok := b.Index(simplex...)
		require.True(t, ok)
		for j := range forms {
			want[image*forms+j] = float64(sign) * x[s*forms+j]
		}
	}
	exterior.CloseTo(t, want, y, 1e-12, "renumbered vertices")

	var product mat.Dense
	product.Product(mat.NewDense(chains, count, l), mat.NewDense(count, forms, x),
		mat.NewDense(forms, mixed, r))
	exterior.CloseTo(t, product.RawMatrix().Data, exterior.Flat(t, out[2]), 1e-12, "X(Lβ, ωR) = L·X·R")
}
