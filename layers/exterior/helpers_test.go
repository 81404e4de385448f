package exterior_test

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/layers/activation"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers/exterior"
	"github.com/neuralkforms/nkf/layers/quadrature"
)

// golden reads a file of golden values.
func golden(t *testing.T, name string, into any) {
	t.Helper()
	data, err := os.ReadFile("../testdata/numerics/" + name)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(data, into))
}

// run computes the outputs of a graph.
func run(t *testing.T, backend compute.Backend, fn func(g *Graph) []*Node) []*tensors.Tensor {
	t.Helper()
	out, err := CallOnceN(backend, fn)
	require.NoError(t, err)
	return out
}

// flat returns the values of a float tensor as float64.
func flat(t *testing.T, x *tensors.Tensor) []float64 {
	t.Helper()
	if x.DType() == dtypes.Float64 {
		return slices.Clone(tensors.MustCopyFlatData[float64](x))
	}
	var out []float64
	for _, v := range tensors.MustCopyFlatData[float32](x) {
		out = append(out, float64(v))
	}
	return out
}

// precision is a number type and the tolerance that its rounding asks for,
// relative to the largest value compared: golden/FORMAT gives 1e-10 for
// float64, one digit left for sums in another order, and 1e-4 for float32.
type precision struct {
	dtype     dtypes.DType
	tolerance float64
}

// precisions of every comparison with golden values.
var precisions = []precision{{dtypes.Float64, 1e-9}, {dtypes.Float32, 1e-4}}

// closeTo asks that got equals want up to a tolerance relative to the largest
// value. Zeros have to be exact.
func closeTo(t *testing.T, want, got []float64, tolerance float64, about string) {
	t.Helper()
	require.Len(t, got, len(want), about)
	scale := 0.0
	for _, w := range want {
		scale = math.Max(scale, math.Abs(w))
	}
	for i := range want {
		// The condition is written so that NaN fails it.
		if !(math.Abs(want[i]-got[i]) <= tolerance*scale) {
			t.Fatalf("%s: entry %d is %.17g, want %.17g within %.1e",
				about, i, got[i], want[i], tolerance*scale)
		}
	}
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
	m := exterior.MLP{Layers: layers, Activation: activations[net.activation]}
	return exterior.Neural(net.n, net.k, net.count, func(*Node) exterior.MLP { return m })
}

// form returns the forms on any graph.
func (net network) form() exterior.Form {
	return exterior.Neural(net.n, net.k, net.count, func(x *Node) exterior.MLP {
		layers, _ := net.layers(x.Graph(), x.DType())
		return exterior.MLP{Layers: layers, Activation: activations[net.activation]}
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
