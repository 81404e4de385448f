package exterior

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/layers/activation"
	"github.com/stretchr/testify/require"

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
		return append([]float64(nil), tensors.MustCopyFlatData[float64](x)...)
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

// integers makes an int32 node [rows, width].
func integers(g *Graph, rows [][]int32) *Node { return Const(g, rows) }

// flatten joins rows.
func flatten(rows [][]float64) []float64 {
	var out []float64
	for _, row := range rows {
		out = append(out, row...)
	}
	return out
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

// network is a random network in plain numbers.
type network struct {
	n, k, count, rank int
	widths            []int
	activation        string
	weights, biases   [][]float64
	frame             []float64
}

// randomNetwork draws one; a rank of zero is the standard frame.
func randomNetwork(rng *rand.Rand, n, k, count, rank int, activation string, hidden ...int) network {
	net := network{n: n, k: k, count: count, rank: rank, activation: activation}
	elements := Components(n, k)
	if rank > 0 && k > 0 {
		elements = rank
		net.frame = normals(rng, n*rank*k)
	}
	net.widths = append(append([]int{n}, hidden...), elements*count)
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

// mlp puts the network on a graph.
func (net network) mlp(g *Graph, dtype dtypes.DType) MLP {
	m := MLP{dim: net.n, degree: net.k, count: net.count, Activation: activations[net.activation]}
	for i := range net.weights {
		m.Layers = append(m.Layers, Affine{
			W: constant(g, dtype, net.weights[i], net.widths[i], net.widths[i+1]),
			B: constant(g, dtype, net.biases[i], net.widths[i+1]),
		})
	}
	if net.frame != nil {
		m.Frame = constant(g, dtype, net.frame, net.n, net.rank*net.k)
	}
	return m
}

// by returns the form with a rule.
func by(rule quadrature.Rule, form Form) Form {
	form.Rule = rule
	return form
}

// plain returns the form without a fast way to integrate.
func plain(form Form) Form {
	return Form{Dim: form.Dim, Degree: form.Degree, Count: form.Count, Rule: form.Rule,
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
