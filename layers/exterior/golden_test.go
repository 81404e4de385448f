package exterior_test

import (
	"fmt"
	"maps"
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
			E []float64
		}
	}
	Exact               float64
	Trapezoid           map[int]float64
	TriangleSubdivision map[int]float64 `json:"triangle_subdivision"`
}

// rules returns the rules that the case has values for, by their names.
func (c polynomialCase) rules() (rules map[string]quadrature.Rule, values map[string]float64) {
	rules, values = map[string]quadrature.Rule{}, map[string]float64{}
	add := func(rule quadrature.Rule, value float64) {
		rules[rule.String()], values[rule.String()] = rule, value
	}
	add(quadrature.Gauss(5), c.Exact) // exact to degree 9; the forms go to 6
	for points, value := range c.Trapezoid {
		add(quadrature.Trapezoid(points), value)
	}
	for parts, value := range c.TriangleSubdivision {
		add(quadrature.Subdivision(parts), value)
	}
	return rules, values
}

// polynomials returns the forms of cases of one degree and dimension as one bundle: monomials times a matrix
// of coefficients, which has fewer operations for XLA to compile than a sum of terms for each form.
func polynomials(cases []polynomialCase) exterior.Form {
	n, k := cases[0].N, cases[0].K
	components := exterior.Components(n, k)
	var exponents, coefficients []float64 // [M, n], [M, components, forms]
	for j, c := range cases {
		for _, term := range c.Form {
			i := slices.IndexFunc(exterior.MultiIndices(n, k), func(multi []int) bool {
				return slices.Equal(multi, term.I)
			})
			for _, m := range term.Monomials {
				row := make([]float64, components*len(cases))
				row[i*len(cases)+j] = m.C
				exponents, coefficients = append(exponents, m.E...), append(coefficients, row...)
			}
		}
	}
	return exterior.Form{Dim: n, Degree: k, Count: len(cases), Coefficients: func(x *Node) *Node {
		powers := Pow(ExpandAxes(x, 1), constant(x.Graph(), x.DType(), exponents, 1, -1, n))
		matrix := constant(x.Graph(), x.DType(), coefficients, -1, components*len(cases))
		return Reshape(Dot(ReduceMultiply(powers, 2), matrix).Product(), -1, components, len(cases))
	}}
}

func TestGoldenPolynomials(t *testing.T) {
	var file struct{ Cases []polynomialCase }
	backendtest.Golden(t, "../testdata/numerics/quadrature.json", &file)
	require.Len(t, file.Cases, 59)
	groups := map[[2]int][]polynomialCase{}
	for _, c := range file.Cases {
		groups[[2]int{c.K, c.N}] = append(groups[[2]int{c.K, c.N}], c)
	}
	backendtest.All(t, func(t *testing.T, backend compute.Backend) {
		for _, cases := range groups {
			// XLA takes long to compile: forms of all degrees in one dimension.
			if cases[0].N != 4 && !backendtest.Interpreted(backend) {
				continue
			}
			rules, _ := cases[0].rules()
			names := slices.Sorted(maps.Keys(rules))
			out := run(t, backend, func(g *Graph) (values []*Node) {
				form := polynomials(cases)
				var vertices []float64
				simplices := make([][]int32, len(cases))
				for j, c := range cases {
					for range c.Vertices {
						simplices[j] = append(simplices[j], int32(len(vertices)/c.N+len(simplices[j])))
					}
					vertices = append(vertices, slices.Concat(c.Vertices...)...)
				}
				for _, name := range names {
					values = append(values, exterior.Integrate(by(rules[name], form),
						constant(g, dtypes.Float64, vertices, -1, form.Dim), Const(g, simplices)))
				}
				return values
			})
			for i, name := range names {
				matrix := flat(out[i])
				for j, c := range cases {
					_, values := c.rules()
					require.Len(t, values, len(names))
					got := matrix[j*len(cases)+j : j*len(cases)+j+1]
					closeTo(t, []float64{values[name]}, got, 1e-12, c.Name+", "+name)
				}
			}
		}
	})
}
