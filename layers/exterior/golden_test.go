package exterior

import (
	"fmt"
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers/backendtest"
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
	golden(t, "kform.json", &file)
	require.Len(t, file.Cases, 7)
	backendtest.Each(t, func(t *testing.T, backend compute.Backend) {
		for _, c := range file.Cases {
			require.Equal(t, c.MultiIndices, MultiIndices(c.N, c.K))
			for _, p := range precisions {
				for _, factored := range []bool{false, true} {
					t.Run(fmt.Sprintf("%s/%v/factored=%v", c.Name, p.dtype, factored), func(t *testing.T) {
						checkKForm(t, backend, c, p, factored)
					})
				}
			}
		}
	})
}

func checkKForm(t *testing.T, backend compute.Backend, c kformCase, p precision, factored bool) {
	rule, err := quadrature.Explicit(c.Rule.Points, c.Rule.Weights, 0)
	require.NoError(t, err)
	want := [][]float64{flatten(c.Matrix), {c.Loss}, flatten(c.Grad.Vertices)}
	names := []string{"matrix", "loss", "gradient of vertices"}
	out := run(t, backend, func(g *Graph) []*Node {
		m := MLP{Dim: c.N, Degree: c.K, Count: c.Forms, Activation: activations[c.Activation]}
		vertices := constant(g, p.dtype, flatten(c.Vertices), len(c.Vertices), c.N)
		parameters := []*Node{vertices}
		for i, layer := range c.Layers {
			a := Affine{
				W: constant(g, p.dtype, flatten(layer.W), len(layer.W), len(layer.B)),
				B: constant(g, p.dtype, layer.B, len(layer.B)),
			}
			m.Layers = append(m.Layers, a)
			parameters = append(parameters, a.W, a.B)
			want = append(want, flatten(c.Grad.Layers[i].W), c.Grad.Layers[i].B)
			names = append(names, fmt.Sprintf("gradient of w%d", i), fmt.Sprintf("gradient of b%d", i))
		}
		simplices := integers(g, c.Simplices)
		var x *Node
		if factored {
			x = m.Integrate(vertices, simplices, rule)
		} else {
			x = Integrate(m.Form(), vertices, simplices, rule)
		}
		loss := ReduceAllSum(Square(x))
		return append([]*Node{x, loss}, Gradient(loss, parameters...)...)
	})
	for i, got := range out {
		closeTo(t, want[i], flat(t, got), p.tolerance, names[i])
	}
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
	Trapezoid           map[string]float64
	TriangleSubdivision map[string]float64 `json:"triangle_subdivision"`
}

// form returns the polynomial form on the graph.
func (c polynomialCase) form() Form {
	return Form{Dim: c.N, Degree: c.K, Count: 1, Coefficients: func(x *Node) *Node {
		components := make([]*Node, Components(c.N, c.K))
		for i := range components {
			components[i] = ZerosLike(SliceAxis(x, 1, AxisElem(0)))
		}
		for _, term := range c.Form {
			i := index(term.I, c.N)
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
	golden(t, "quadrature.json", &file)
	require.Len(t, file.Cases, 59)
	backendtest.Each(t, func(t *testing.T, backend compute.Backend) {
		for _, c := range file.Cases {
			t.Run(c.Name, func(t *testing.T) {
				// Five Gauss points are exact to degree 9; the forms go to 6.
				rules, want := []quadrature.Rule{quadrature.Gauss(5)}, []float64{c.Exact}
				for points, value := range c.Trapezoid {
					rules, want = append(rules, quadrature.Trapezoid(atoi(t, points))), append(want, value)
				}
				for parts, value := range c.TriangleSubdivision {
					rules, want = append(rules, quadrature.Subdivision(atoi(t, parts))), append(want, value)
				}
				simplex := make([]int32, c.K+1)
				for i := range simplex {
					simplex[i] = int32(i)
				}
				out := run(t, backend, func(g *Graph) []*Node {
					vertices := constant(g, dtypes.Float64, flatten(c.Vertices), c.K+1, c.N)
					var values []*Node
					for _, rule := range rules {
						values = append(values, Integrate(c.form(), vertices, integers(g, [][]int32{simplex}), rule))
					}
					return values
				})
				for i, got := range out {
					closeTo(t, want[i:i+1], flat(t, got), 1e-12, rules[i].String())
				}
			})
		}
	})
}

func atoi(t *testing.T, s string) int {
	t.Helper()
	var v int
	_, err := fmt.Sscan(s, &v)
	require.NoError(t, err)
	return v
}
