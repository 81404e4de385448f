package exterior_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/layers/activation"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers/backendtest"
	"github.com/neuralkforms/nkf/layers/exterior"
	"github.com/neuralkforms/nkf/layers/quadrature"
)

// Comparisons, see package backendtest.
var closeTo, flat = backendtest.Close, backendtest.Floats

// run computes the outputs of a graph.
func run(t *testing.T, backend compute.Backend, fn func(g *Graph) []*Node) []*tensors.Tensor {
	t.Helper()
	out, err := CallOnceN(backend, fn)
	require.NoError(t, err)
	return out
}

// constant makes a node of the given dimensions.
func constant(g *Graph, dtype dtypes.DType, data []float64, dims ...int) *Node {
	return Reshape(ConstAsDType(g, dtype, data), dims...)
}

// activations by their golden names.
var activations = map[string]func(*Node) *Node{
	"relu": activation.Relu,
	"tanh": Tanh,
	"silu": func(x *Node) *Node { return Mul(x, Sigmoid(x)) },
}

// normals returns random numbers.
func normals(rng *rand.Rand, count int) []float64 {
	out := make([]float64, count)
	for i := range out {
		out[i] = rng.NormFloat64()
	}
	return out
}

// network is a network in plain numbers whose outputs are the coefficients of forms.
type network struct {
	n, k, count     int
	widths          []int
	activation      string
	weights, biases [][]float64
}

// randomNetwork draws the network of two forms.
func randomNetwork(seed uint64, n, k int, activation string, hidden ...int) network {
	rng := rand.New(rand.NewPCG(seed, 1))
	net := network{n: n, k: k, count: 2, activation: activation}
	net.widths = append(append([]int{n}, hidden...), exterior.Components(n, k)*net.count)
	for i := range net.widths[1:] {
		w := normals(rng, net.widths[i]*net.widths[i+1])
		for j := range w {
			w[j] /= math.Sqrt(float64(net.widths[i]))
		}
		net.weights = append(net.weights, w)
		net.biases = append(net.biases, normals(rng, net.widths[i+1]))
	}
	return net
}

// layers puts the network on a graph. The parameters are those of all layers.
func (net network) layers(g *Graph, dtype dtypes.DType) (maps []exterior.Affine, parameters []*Node) {
	for i := range net.weights {
		w := constant(g, dtype, net.weights[i], net.widths[i], net.widths[i+1])
		b := constant(g, dtype, net.biases[i], net.widths[i+1])
		maps, parameters = append(maps, exterior.Affine{W: w, B: b}), append(parameters, w, b)
	}
	return maps, parameters
}

// with returns the forms of these layers, which are on a graph already.
func (net network) with(layers []exterior.Affine) exterior.Form {
	return exterior.Neural(net.n, net.k, net.count, activations[net.activation],
		func(*Node) []exterior.Affine { return layers })
}

// form returns the forms on any graph.
func (net network) form() exterior.Form {
	return exterior.Neural(net.n, net.k, net.count, activations[net.activation],
		func(x *Node) []exterior.Affine {
			layers, _ := net.layers(x.Graph(), x.DType())
			return layers
		})
}

// neural returns the forms of a random network.
func neural(seed uint64, n, k int, activation string) exterior.Form {
	return randomNetwork(seed, n, k, activation, 6, 5).form()
}

// by returns the form with a rule.
func by(rule quadrature.Rule, form exterior.Form) exterior.Form {
	form.Rule = rule
	return form
}

// plain returns the form without a fast way to integrate.
func plain(form exterior.Form) exterior.Form {
	return exterior.Form{Dim: form.Dim, Degree: form.Degree, Count: form.Count, Rule: form.Rule,
		Coefficients: form.Coefficients}
}

// randomSimplices draws S simplices of dimension k among V vertices.
func randomSimplices(rng *rand.Rand, count, k, vertices int) [][]int32 {
	out := make([][]int32, count)
	for s := range out {
		for _, v := range rng.Perm(vertices)[:k+1] {
			out[s] = append(out[s], int32(v))
		}
	}
	return out
}
