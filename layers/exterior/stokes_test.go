package exterior_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers/backendtest"
	"github.com/neuralkforms/nkf/layers/exterior"
	"github.com/neuralkforms/nkf/layers/exterior/laws"
	"github.com/neuralkforms/nkf/layers/quadrature"
)

// neural returns the form of a random network as a subject of laws wants it.
func neural(seed uint64, n, k int, activation string) func(g *Graph) exterior.Form {
	network := exterior.RandomNetwork(seed, n, k, 2, 0, activation, 6, 5)
	return func(g *Graph) exterior.Form { return network(g).Form() }
}

// TestStokes checks ∫_σ dω = ∫_∂σ ω for neural forms. On simplices of size
// 0.2 six Gauss points a direction, exact to degree 11, err by less than 1e-6 of
// the largest integral for the hyperbolic tangents of these weights.
func TestStokes(t *testing.T) {
	check := func(t *testing.T, backend compute.Backend, n, k int, seed uint64) {
		s := laws.Subject{
			Backend: backend, Form: neural(seed, n, k, "tanh"), Rule: quadrature.Gauss(6),
			Simplices: 3, Size: 0.2, Tolerance: 1e-6, Seed: seed,
		}
		require.NoError(t, laws.Stokes(s), "n=%d k=%d", n, k)
	}
	backend := backendtest.Get(t, "go")
	for n := 1; n <= 6; n++ {
		for k := 0; k < min(n, 4); k++ {
			check(t, backend, n, k, uint64(10*n+k))
		}
	}
	t.Run("xla", func(t *testing.T) {
		backend := backendtest.Get(t, "xla:cpu")
		for n, k := range map[int]int{2: 1, 3: 2, 4: 0, 5: 3} {
			check(t, backend, n, k, uint64(n))
		}
	})
}

// TestStokesOfRectifiedForms has kinks, so that the rule and not the calculus
// limits what is reached: 2 % with 12 points a direction.
func TestStokesOfRectifiedForms(t *testing.T) {
	s := laws.Subject{
		Backend: backendtest.Get(t, "go"), Form: neural(3, 2, 1, "relu"), Rule: quadrature.Gauss(12),
		Tolerance: 0.02, Seed: 4,
	}
	require.NoError(t, laws.Stokes(s))
}

// TestStokesOnARectangle integrates the rotation -y dx + x dy, whose
// derivative is 2 dx∧dy: both sides are twice the area.
func TestStokesOnARectangle(t *testing.T) {
	backendtest.Each(t, func(t *testing.T, backend compute.Backend) {
		out := exterior.Run(t, backend, func(g *Graph) []*Node {
			vertices := Const(g, [][]float64{{0, 0}, {2, 0}, {2, 1}, {0, 1}})
			boundary := Const(g, [][]int32{{0, 1}, {1, 2}, {2, 3}, {3, 0}})
			triangles := Const(g, [][]int32{{0, 1, 2}, {0, 2, 3}})
			return []*Node{
				ReduceAllSum(exterior.Integrate(rotation(), vertices, boundary, quadrature.Gauss(1))),
				ReduceAllSum(exterior.Integrate(rotation().D(), vertices, triangles, quadrature.Gauss(1))),
				rotation().D().At(vertices),
			}
		})
		exterior.CloseTo(t, []float64{4}, exterior.Flat(t, out[0]), 1e-15, "boundary")
		exterior.CloseTo(t, []float64{4}, exterior.Flat(t, out[1]), 1e-15, "interior")
		exterior.CloseTo(t, []float64{2, 2, 2, 2}, exterior.Flat(t, out[2]), 1e-15, "dω = 2 dx∧dy")
	})
}

// rotation is -y dx + x dy.
func rotation() exterior.Form {
	return exterior.Formula(2, 1, func(x []*Node) []*Node { return []*Node{Neg(x[1]), x[0]} })
}

func TestDSquaredIsZero(t *testing.T) {
	backend := backendtest.Get(t, "go")
	for n := 2; n <= 6; n++ {
		for k := 0; k <= min(n-2, 4); k++ {
			// Second derivatives cancel in pairs, up to rounding.
			s := laws.Subject{
				Backend: backend, Form: neural(uint64(n+k), n, k, "silu"),
				Rule: quadrature.Gauss(1), Tolerance: 1e-12,
			}
			require.NoError(t, laws.Closed(s), "n=%d k=%d", n, k)
		}
	}
}

// TestDerivativeAlongEdges compares the integral of dω, which takes
// derivatives along the edges, with that of its coefficients: for networks of
// any depth and frame, and for a form that is not one.
func TestDerivativeAlongEdges(t *testing.T) {
	backend := backendtest.Get(t, "go")
	rule := quadrature.Gauss(2)
	agree := func(n, k int, form func(g *Graph) exterior.Form, about string) {
		s := laws.Subject{
			Backend: backend, Rule: rule, Tolerance: 1e-12,
			Form: func(g *Graph) exterior.Form { return form(g).D() },
			Integrate: func(vertices, simplices *Node) *Node {
				d := form(vertices.Graph()).D()
				plain := exterior.Form{Dim: n, Degree: k + 1, Count: 2, Coefficients: d.Coefficients}
				return exterior.Integrate(plain, vertices, simplices, rule)
			},
		}
		require.NoError(t, laws.Agreement(s), "n=%d k=%d %s", n, k, about)
	}
	for n := 1; n <= 6; n++ {
		for k := 0; k < min(n, 4); k++ {
			for _, hidden := range [][]int{nil, {3}, {4, 2}, {30, 3, 5}} {
				for rank := range 3 {
					network := exterior.RandomNetwork(7, n, k, 2, rank, "tanh", hidden...)
					agree(n, k, func(g *Graph) exterior.Form { return network(g).Form() },
						fmt.Sprintf("rank=%d hidden=%v", rank, hidden))
				}
			}
			scaled := func(g *Graph) exterior.Form { return neural(7, n, k, "tanh")(g).Scale(3) }
			agree(n, k, scaled, "no network")
		}
	}
}

// TestDerivativeTrains compares the gradient of Σ(∫dω)² by the weights of a
// network with finite differences, through both ways to integrate.
func TestDerivativeTrains(t *testing.T) {
	backendtest.Each(t, func(t *testing.T, backend compute.Backend) {
		activations := []string{"tanh", "silu", "relu"}
		if backend.Name() == "xla" {
			activations = activations[1:2]
		}
		for _, activation := range activations {
			for _, plain := range []bool{false, true} {
				loss := func(g *Graph, w *Node) *Node {
					m := exterior.RandomNetwork(5, 3, 1, 2, 0, activation, 4)(g)
					m.Layers[0].W = w
					d := m.Form().D()
					if plain {
						d = d.Scale(1)
					}
					rng := rand.New(rand.NewPCG(9, 9))
					vertices := Reshape(Const(g, exterior.Normals(rng, 12)), 4, 3)
					triangles := Const(g, [][]int32{{0, 1, 2}, {1, 3, 2}})
					x := exterior.Integrate(d, vertices, triangles, quadrature.Gauss(2))
					return ReduceAllSum(Square(x))
				}
				name := fmt.Sprintf("%s/plain=%v", activation, plain)
				t.Run(name, func(t *testing.T) { checkGradient(t, backend, 12, []int{3, 4}, loss) })
			}
		}
	})
}

// checkGradient compares the gradient of a loss at a random point with
// central differences. With steps of 1e-5 their error is about 1e-10 from
// the step and 1e-11 from rounding, relative to the loss and its third
// derivative; 1e-6 leaves room for both.
func checkGradient(t *testing.T, backend compute.Backend, size int, dims []int,
	loss func(g *Graph, w *Node) *Node) {
	t.Helper()
	const step = 1e-5
	x := exterior.Normals(rand.New(rand.NewPCG(2, 3)), size)
	exec, err := NewExec(backend, func(w *Node) *Node { return loss(w.Graph(), Reshape(w, dims...)) })
	require.NoError(t, err)
	defer exec.Finalize()
	at := func(x []float64) float64 {
		out, err := exec.Call(x)
		require.NoError(t, err)
		return out[0].Value().(float64)
	}
	var differences []float64
	for i := range x {
		keep := x[i]
		x[i] = keep + step
		above := at(x)
		x[i] = keep - step
		differences = append(differences, (above-at(x))/(2*step))
		x[i] = keep
	}
	out := exterior.Run(t, backend, func(g *Graph) []*Node {
		w := Reshape(ConstAsDType(g, dtypes.Float64, x), dims...)
		return Gradient(loss(g, w), w)
	})
	exterior.CloseTo(t, differences, exterior.Flat(t, out[0]), 1e-6, "gradient")
}
