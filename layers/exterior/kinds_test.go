package exterior_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
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
	backend := backendtest.Get(t, "go") // TestKindsOnAllBackends has the others
	for n := 1; n <= 6; n++ {
		for k := 0; k <= min(n, 4); k++ {
			for name, form := range kinds(n, k) {
				if name != "coefficients" && (n > 4 || n == 4 && k != 2 && !backendtest.Long()) {
					continue // ω∧ω is 0 but for 2-forms in four dimensions
				}
				s := laws.Subject{Backend: backend, Form: by(quadrature.Gauss(6), form), Size: 0.2,
					Simplices: 3, Tolerance: 1e-5, Seed: uint64(10*n + k)}
				about := fmt.Sprintf("n=%d k=%d %s", n, k, name)
				o := s // with its own rule, which is symmetric: up to rounding, on simplices of any size
				o.Form.Rule, o.Size, o.Tolerance = nil, 1, 1e-12
				require.NoError(t, laws.Orientation(o), about)
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
}

// TestKindsOnAllBackends: forms of all kinds and degrees have the same integrals, derivatives and gradients
// on all backends, so that the laws that hold on one hold on all. XLA compiles one program for a form, and
// not one for each law; it computes constants while it compiles, which vertices therefore are not.
func TestKindsOnAllBackends(t *testing.T) {
	backendtest.NeedLong(t)
	const n, count = 2, 3
	for k := range n + 1 {
		for name, form := range kinds(n, k) {
			form = by(quadrature.Gauss(3), form) // nine points of a triangle take two steps in dω
			of := func(form exterior.Form, x *Node, simplices [][]int32) *Node {
				return exterior.Integrate(form, x, Const(x.Graph(), simplices))
			}
			outputs := func(vertices *Node) []*Node {
				g, x := vertices.Graph(), vertices
				var simplices, larger [][]int32
				for v := int32(0); v < count*(n+2); v += n + 2 {
					larger = append(larger, []int32{v, v + 1, v + 2, v + 3}[:k+2])
					simplices = append(simplices, larger[len(larger)-1][:k+1])
				}
				padded := append(slices.Clone(simplices), slices.Repeat([]int32{1}, k+1))
				integrals := of(form, x, padded)
				mixed := form.Combine(Const(g, [][]float64{{0.3, 2}, {-1, 0.5}}))
				out := []*Node{integrals, Gradient(ReduceAllSum(Add(integrals, Square(integrals))), x)[0],
					of(plain(form), x, simplices), of(plain(mixed), x, simplices),
					of(form.Pullback(n, bend(n, n)), x, simplices)}
				if k < n && name != "exact" {
					d := form.D()
					out = append(out, of(d, x, larger), of(plain(d), x, larger),
						of(plain(form).D(), x, larger))
					if k+2 <= n {
						out = append(out, d.At(x), d.D().At(x))
					}
				}
				return out
			}
			values := func(backend string) (all [][]float64) {
				exec, err := NewExec(backendtest.Get(t, backend), outputs)
				require.NoError(t, err)
				defer exec.Finalize()
				vertices := normals(rand.New(rand.NewPCG(7, uint64(k))), count*(n+2)*n)
				out, err := exec.Call(backendtest.Tensor(vertices, dtypes.Float64, count*(n+2), n))
				require.NoError(t, err)
				for _, x := range out {
					all = append(all, flat(x))
				}
				return all
			}
			want, got := values("go"), values("xla:cpu")
			if k > 0 {
				require.Equal(t, []float64{0, 0}, got[0][2*count:], "a simplex collapsed to a point")
			}
			for i := range want {
				if k == 0 && i == len(want)-1 { // d(dω) is 0 up to the rounding of dω
					want[i], got[i] = append(want[i], want[i-1]...), append(got[i], want[i-1]...)
				}
				closeTo(t, want[i], got[i], rounding, fmt.Sprintf("k=%d %s, output %d", k, name, i))
			}
		}
	}
}

// TestOrientationInAllDegrees: the rules of forms are symmetric beyond 4-simplices as well. Gauss is not, and
// the law says so.
func TestOrientationInAllDegrees(t *testing.T) {
	backend := backendtest.Get(t, "go")
	for k := range 8 {
		s := laws.Subject{Backend: backend, Form: randomNetwork(7, 7, k, "silu", 6).form(), Tolerance: 1e-12}
		require.NoError(t, laws.Orientation(s), "degree %d", k)
		if s.Form = by(quadrature.Gauss(3), s.Form); k >= 2 && k <= 4 {
			require.ErrorIs(t, laws.Orientation(s), laws.ErrViolated, "degree %d", k)
		}
	}
}

// TestPathsAndCorners: integrals over the edges of polylines, and over edges given by the coordinates of
// their ends, are those of Integrate.
func TestPathsAndCorners(t *testing.T) {
	backendtest.Each(t, func(t *testing.T, backend compute.Backend) {
		for name, form := range kinds(3, 1) {
			out := run(t, backend, func(g *Graph) []*Node {
				paths := Sin(Reshape(Iota(g, shapes.Make(dtypes.Float64, 24), 0), 2, 4, 3))
				vertices := Reshape(paths, 8, 3)
				edges := Const(g, [][]int32{{0, 1}, {1, 2}, {2, 3}, {4, 5}, {5, 6}, {6, 7}})
				return []*Node{exterior.Integrate(form, vertices, edges),
					exterior.IntegratePaths(form, paths),
					exterior.IntegrateCorners(form, Stack(exterior.CornerPoints(vertices, edges), 1))}
			})
			require.Equal(t, []int{2, 3, 2}, out[1].Shape().Dimensions)
			closeTo(t, flat(out[0]), flat(out[1]), 1e-13, name)
			closeTo(t, flat(out[0]), flat(out[2]), 1e-13, name)
		}
	})
}

// integrals returns the integrals of a network over random simplices, and the gradients
// of the sum of their squares by vertices and weights.
func (net network) integrals(g *Graph, change func(exterior.Form) exterior.Form) []*Node {
	rng := rand.New(rand.NewPCG(3, 3))
	vertices := constant(g, dtypes.Float64, normals(rng, 8*net.n), 8, net.n)
	layers, parameters := net.layers(g, dtypes.Float64)
	x := exterior.Integrate(change(by(quadrature.Gauss(2), net.with(layers))), vertices,
		Const(g, randomSimplices(rng, 5, net.k, 8)))
	return append([]*Node{x}, Gradient(ReduceAllSum(Square(x)), append(parameters, vertices)...)...)
}

// TestFactoredEqualsPlain compares values and all gradients for every degree and depth, in dimensions where
// either the mean or the blade is wider. Golden values hold on every backend.
func TestFactoredEqualsPlain(t *testing.T) {
	compare := func(net network) {
		out := run(t, backendtest.Get(t, "go"), func(g *Graph) []*Node {
			same := func(f exterior.Form) exterior.Form { return f }
			return append(net.integrals(g, same), net.integrals(g, plain)...)
		})
		for i := range len(out) / 2 {
			closeTo(t, flat(out[len(out)/2+i]), flat(out[i]), backendtest.Precisions[0].Tolerance,
				fmt.Sprintf("n=%d k=%d widths=%v, output %d", net.n, net.k, net.widths, i))
		}
	}
	for _, hidden := range [][]int{nil, {3}, {4, 2}, {30, 3, 5}} {
		for n := 1; n <= 5; n++ {
			for k := 0; k <= min(n, 4); k++ {
				compare(randomNetwork(uint64(n), n, k, "tanh", hidden...))
			}
		}
		compare(randomNetwork(8, 30, 1, "silu", hidden...))
	}
}
