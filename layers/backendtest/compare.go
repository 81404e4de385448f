package backendtest

import (
	"encoding/json"
	"math"
	"os"
	"slices"
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers/backends"
)

// Precision is a type of numbers and the tolerance that its rounding asks for, relative to the largest value
// compared.
type Precision struct {
	DType     dtypes.DType
	Tolerance float64
}

// Precisions are those of comparisons with golden values, which are good to 1e-10 in float64 and to 1e-4 in
// float32; in float64 one digit is left for sums in another order.
var Precisions = []Precision{{dtypes.Float64, 1e-9}, {dtypes.Float32, 1e-4}}

// Compiled returns the precisions to compile a graph in on a backend: all if it is [Interpreted], and
// otherwise the first alone, for the graph is the same in all.
func Compiled(backend compute.Backend, all []Precision) []Precision {
	if Interpreted(backend) {
		return all
	}
	return all[:1]
}

// Interpreted reports whether programs cost nothing to compile on a backend, or, if [Long], whether they may
// cost what they do.
func Interpreted(backend compute.Backend) bool { return Long() || backends.Name(backend) == names[0] }

// Golden reads a JSON file of golden values.
func Golden(t testing.TB, path string, into any) {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(data, into))
}

// Close asks that got equals want up to a tolerance relative to the largest value. Where all are zero, they
// have to be exact.
func Close(t testing.TB, want, got []float64, tolerance float64, about ...any) {
	t.Helper()
	require.Len(t, got, len(want), about)
	scale := 0.0
	for _, w := range want {
		scale = math.Max(scale, math.Abs(w))
	}
	for i := range want {
		// The condition is written so that NaN fails it.
		if !(math.Abs(want[i]-got[i]) <= tolerance*scale) {
			t.Fatalf("%v: entry %d is %.17g, want %.17g within %.1e", about, i, got[i], want[i],
				tolerance*scale)
		}
	}
}

// Tensor makes a tensor of a type of floats.
func Tensor(values []float64, dtype dtypes.DType, dims ...int) *tensors.Tensor {
	if dtype == dtypes.Float64 {
		return tensors.FromFlatDataAndDimensions(slices.Clone(values), dims...)
	}
	out := make([]float32, len(values))
	for i, v := range values {
		out[i] = float32(v)
	}
	return tensors.FromFlatDataAndDimensions(out, dims...)
}

// Floats returns the numbers of a tensor of floats.
func Floats(x *tensors.Tensor) (out []float64) {
	if x.DType() == dtypes.Float64 {
		return tensors.MustCopyFlatData[float64](x)
	}
	for _, v := range tensors.MustCopyFlatData[float32](x) {
		out = append(out, float64(v))
	}
	return out
}

// Seeded returns a store whose variables and random numbers begin the same every time.
func Seeded(t testing.TB) *model.Store {
	t.Helper()
	store := model.NewStore()
	require.NoError(t, store.SetRNGStateFromSeed(7))
	return store
}

// Values computes some nodes, whose variables are those of the store.
func Values(t testing.TB, backend compute.Backend, store *model.Store, training bool,
	build func(scope *model.Scope, g *Graph) []*Node) (out [][]float64) {
	t.Helper()
	found, err := model.CallOnceN(backend, store, func(scope *model.Scope, g *Graph) []*Node {
		store.SetTraining(g, training)
		return build(scope, g)
	})
	require.NoError(t, err)
	for _, x := range found {
		out = append(out, Floats(x))
	}
	return out
}

// Gradients returns the derivatives of a scalar by all weights in use.
func Gradients(store *model.Store, of *Node) []*Node {
	var at []*Node
	for v := range store.IterVariables() {
		if v.Trainable && v.InUseByGraph(of.Graph()) {
			at = append(at, v.NodeValue(of.Graph()))
		}
	}
	return Gradient(of, at...)
}
