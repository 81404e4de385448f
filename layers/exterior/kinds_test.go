package exterior_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers/backendtest"
	"github.com/neuralkforms/nkf/layers/exterior"
	"github.com/neuralkforms/nkf/layers/exterior/laws"
	"github.com/neuralkforms/nkf/layers/quadrature"
)

// decomposable returns two forms of affine functions with tanh, or without.
func decomposable(n, k int, a func(*Node) *Node) exterior.Form {
	return exterior.Decomposable(n, k, 2, func(x *Node) *Node {
		w := normals(rand.New(rand.NewPCG(4, 1)), 2*(k+1)*(n+1))
		g, outputs := x.Graph(), 2*(k+1)
		return exterior.Affine{W: constant(g, x.DType(), w[:n*outputs], n, outputs),
			B: constant(g, x.DType(), w[n*outputs:], outputs)}.Apply(x)
	}, a)
}

// kinds are the kinds of forms: all ways to integrate that there are.
func kinds(n, k int) map[string]exterior.Form {
	out := map[string]exterior.Form{
		"coefficients": plain(neural(1, n, k, "tanh")), "scaled": neural(6, n, k, "silu").Scale(3),
		"sum": neural(2, n, k, "tanh").Add(decomposable(n, k, Tanh)), "affine": decomposable(n, k, nil),
		"decomposable": decomposable(n, k, Tanh),
	}
	for _, hidden := range [][]int{nil, {3}, {4, 2}, {30, 3, 5}} {
		out[fmt.Sprintf("network hidden=%v", hidden)] = randomNetwork(7, n, k, "tanh", hidden...).form()
	}
	if k > 0 {
		out["exact"] = neural(3, n, k-1, "tanh").D()
	}
	return out
}

// TestLawsOfAllKinds runs the laws on forms of all kinds, degrees and dimensions.
// On simplices of size 0.2 six Gauss points a direction, exact to degree 11, err by
// less than 1e-5 of the largest integral for the hyperbolic tangents of these
// weights. Other laws hold up to rounding, of some hundred terms.
func TestLawsOfAllKinds(t *testing.T) {
	backendtest.Each(t, func(t *testing.T, backend compute.Backend) {
		smallest, largest := 1, 4
		if backend.Name() == "xla" { // which takes long to compile
			smallest, largest = 2, 2
		}
		for n := smallest; n <= largest; n++ {
			for k := 0; k <= min(n, 3); k++ {
				if n == 4 && k != 2 && !backendtest.Long() { // ω∧ω is 0 but for 2-forms in four dimensions
					continue
				}
				for name, form := range kinds(n, k) {
					s := laws.Subject{Backend: backend, Form: by(quadrature.Gauss(6), form), Size: 0.2,
						Simplices: 3, Tolerance: 1e-5, Seed: uint64(10*n + k)}
					about := fmt.Sprintf("n=%d k=%d %s", n, k, name)
					require.NoError(t, laws.Orientation(s), about)
					require.NoError(t, laws.Subdivision(s), about)
					if k < n && name != "exact" {
						require.NoError(t, laws.Stokes(s), about)
						d := s
						d.Tolerance, d.Form = 1e-10, by(quadrature.Gauss(2), form).D()
						if k > 0 { // of functions the integral of df is better than its quadrature
							require.NoError(t, laws.Agreement(d), about)
						}
					}
					s.Tolerance = 1e-9 // differences of values lose digits
					if k+2 <= n && name != "exact" {
						require.NoError(t, laws.Closed(s), about)
					}
					require.NoError(t, laws.Linearity(s), about)
					require.NoError(t, laws.Pullback(s), about)
					require.NoError(t, laws.Padding(s), about)
					if name != "exact" {
						require.NoError(t, laws.Agreement(s), about)
					}
				}
			}
		}
	})
}

// TestPathsAreEdges: integrals over the edges of polylines are those of Integrate.
func TestPathsAreEdges(t *testing.T) {
	backendtest.Each(t, func(t *testing.T, backend compute.Backend) {
		for name, form := range kinds(3, 1) {
			out := run(t, backend, func(g *Graph) []*Node {
				paths := Sin(Reshape(Iota(g, shapes.Make(dtypes.Float64, 24), 0), 2, 4, 3))
				edges := Const(g, [][]int32{{0, 1}, {1, 2}, {2, 3}, {4, 5}, {5, 6}, {6, 7}})
				return []*Node{exterior.Integrate(form, Reshape(paths, 8, 3), edges),
					exterior.IntegratePaths(form, paths)}
			})
			require.Equal(t, []int{2, 3, 2}, out[1].Shape().Dimensions)
			closeTo(t, flat(out[0]), flat(out[1]), 1e-13, name)
		}
	})
}
