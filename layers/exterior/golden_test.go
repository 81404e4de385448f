package exterior_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers/backendtest"
	"github.com/neuralkforms/nkf/layers/exterior"
	"github.com/neuralkforms/nkf/layers/quadrature"
)

// kformCase is a case of golden kform.json: integration matrices and their
// gradients, from PyTorch in float64.
type kformCase struct {
	Name         string
	N, K, Forms  int
	Hidden       []int
	Activation   string
	MultiIndices [][]int `json:"multi_indices"`
	Layers       []struct {
		W [][]float64
		B []float64
	}
	Vertices  [][]float64
	Simplices [][]int32
	Rule      struct {
		Points  [][]float64
		Weights []float64
	}
	Matrix [][]float64
	Loss   float64
	Grad   struct {
		Layers []struct {
			W [][]float64
			B []float64
		}
		Vertices [][]float64
	}
}

// TestGoldenKForms compares matrix, loss and all gradients, for the plain and
// the factored integral.
func TestGoldenKForms(t *testing.T) {
	var file struct{ Cases []kformCase }
	backendtest.Golden(t, "../testdata/numerics/kform.json", &file)
	require.Len(t, file.Cases, 7)
	for _, c := range file.Cases {
		require.Equal(t, c.MultiIndices, exterior.MultiIndices(c.N, c.K))
	}
	backendtest.All(t, func(t *testing.T, backend compute.Backend) {
		for _, p := range backendtest.Compiled(backend, backendtest.Precisions) {
			var want [][]float64
			var names []string
			// All cases in one graph: compiling costs more than computing.
			out := run(t, backend, func(g *Graph) []*Node {
				var nodes []*Node
				for _, c := range file.Cases {
					for _, factored := range []bool{true, false} {
						// XLA takes long to compile, and the plain integral has no operation that
						// the factored one lacks.
						if !factored && backend.Name() == "xla" {
							continue
						}
						nodes = append(nodes, c.nodes(t, g, p, factored)...)
						values, parts := c.want()
						want = append(want, values...)
						for _, part := range parts {
							names = append(names,
								fmt.Sprintf("%s, %v, factored=%v: %s", c.Name, p.DType, factored, part))
						}
					}
				}
				return nodes
			})
			require.Len(t, out, len(want))
			for i, got := range out {
				closeTo(t, want[i], flat(got), p.Tolerance, names[i])
			}
		}
	})
}

// want returns the golden values and what they are, in the order of nodes.
func (c kformCase) want() (values [][]float64, names []string) {
	values = [][]float64{slices.Concat(c.Matrix...), {c.Loss}, slices.Concat(c.Grad.Vertices...)}
	names = []string{"matrix", "loss", "gradient of vertices"}
	for i, layer := range c.Grad.Layers {
		values = append(values, slices.Concat(layer.W...), layer.B)
		names = append(names, fmt.Sprintf("gradient of w%d", i), fmt.Sprintf("gradient of b%d", i))
	}
	return values, names
}

// nodes returns the integration matrix, the loss and its gradients.
func (c kformCase) nodes(t *testing.T, g *Graph, p backendtest.Precision, factored bool) []*Node {
	rule := &quadrature.Nodes{K: c.K, Barycentric: slices.Concat(c.Rule.Points...)}
	for _, w := range c.Rule.Weights { // parts of the volume
		rule.Weights = append(rule.Weights, w/math.Gamma(float64(c.K)+1))
	}
	net := network{n: c.N, k: c.K, count: c.Forms, activation: c.Activation}
	var layers []exterior.Affine
	vertices := constant(g, p.DType, slices.Concat(c.Vertices...), len(c.Vertices), c.N)
	parameters := []*Node{vertices}
	for _, layer := range c.Layers {
		a := exterior.Affine{
			W: constant(g, p.DType, slices.Concat(layer.W...), len(layer.W), len(layer.B)),
			B: constant(g, p.DType, layer.B, len(layer.B)),
		}
		layers = append(layers, a)
		parameters = append(parameters, a.W, a.B)
	}
	form := by(rule, net.with(layers))
	if !factored {
		form = plain(form)
	}
	x := exterior.Integrate(form, vertices, Const(g, c.Simplices))
	loss := ReduceAllSum(Square(x))
	return append([]*Node{x, loss}, Gradient(loss, parameters...)...)
}

// polynomialCase is a case of golden quadrature.json: a polynomial form over
// one simplex, exact by rational arithmetic.
type polynomialCase struct {
	Name     string
	K, N     int
	Vertices [][]float64
	Form     []struct {
		I         []int
		Monomials []struct {
			C float64
			E []int
		}
	}
	Exact               float64
	Trapezoid           map[int]float64
	TriangleSubdivision map[int]float64 `json:"triangle_subdivision"`
}

// form returns the polynomial form on the graph.
func (c polynomialCase) form() exterior.Form {
	return exterior.Form{Dim: c.N, Degree: c.K, Count: 1, Coefficients: func(x *Node) *Node {
		components := make([]*Node, exterior.Components(c.N, c.K))
		for i := range components {
			components[i] = ZerosLike(SliceAxis(x, 1, AxisElem(0)))
		}
		for _, term := range c.Form {
			i := slices.IndexFunc(exterior.MultiIndices(c.N, c.K), func(multi []int) bool {
				return slices.Equal(multi, term.I)
			})
			for _, m := range term.Monomials {
				value := AddScalar(ZerosLike(components[i]), m.C)
				for axis, power := range m.E {
					for range power {
						value = Mul(value, SliceAxis(x, 1, AxisElem(axis)))
					}
				}
				components[i] = Add(components[i], value)
			}
		}
		return ExpandAxes(Concatenate(components, 1), -1)
	}}
}

func TestGoldenPolynomials(t *testing.T) {
	var file struct{ Cases []polynomialCase }
	backendtest.Golden(t, "../testdata/numerics/quadrature.json", &file)
	require.Len(t, file.Cases, 59)
	backendtest.All(t, func(t *testing.T, backend compute.Backend) {
		var want [][]float64
		var names []string
		out := run(t, backend, func(g *Graph) []*Node {
			var values []*Node
			for i, c := range file.Cases {
				// XLA takes long to compile, and all forms are built alike.
				if i%7 != 0 && !backendtest.Interpreted(backend) {
					continue
				}
				// Five Gauss points are exact to degree 9; the forms go to 6.
				rules, exact := []quadrature.Rule{quadrature.Gauss(5)}, []float64{c.Exact}
				// Other rules are other numbers in the same graph.
				if backendtest.Interpreted(backend) {
					for points, value := range c.Trapezoid {
						rules = append(rules, quadrature.Trapezoid(points))
						exact = append(exact, value)
					}
					for parts, value := range c.TriangleSubdivision {
						rules = append(rules, quadrature.Subdivision(parts))
						exact = append(exact, value)
					}
				}
				simplex := make([]int32, c.K+1)
				for i := range simplex {
					simplex[i] = int32(i)
				}
				vertices := constant(g, dtypes.Float64, slices.Concat(c.Vertices...), c.K+1, c.N)
				for i, rule := range rules {
					x := exterior.Integrate(by(rule, c.form()), vertices, Const(g, [][]int32{simplex}))
					values = append(values, x)
					want, names = append(want, exact[i:i+1]), append(names, c.Name+", "+rule.String())
				}
			}
			return values
		})
		for i, got := range out {
			closeTo(t, want[i], flat(got), 1e-12, names[i])
		}
	})
}
