package layers_test

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers/exterior"
)

// golden reads a file of golden values, made with PyTorch in float64.
func golden(t *testing.T, name string, into any) {
	t.Helper()
	data, err := os.ReadFile("testdata/numerics/" + name)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(data, into))
}

// matrix is a matrix or, as a single row, a vector.
type matrix [][]float64

// UnmarshalJSON reads [[…], …] and […].
func (m *matrix) UnmarshalJSON(data []byte) error {
	var row []float64
	if json.Unmarshal(data, &row) == nil {
		*m = matrix{row}
		return nil
	}
	return json.Unmarshal(data, (*[][]float64)(m))
}

// flat joins the rows.
func (m matrix) flat() []float64 { return slices.Concat(m...) }

// precision is a number type and the tolerance its rounding asks for,
// relative to the largest value compared. golden/FORMAT gives 1e-10 for
// float64 and 1e-4 for float32; in float64 one digit is left for sums in
// another order.
type precision struct {
	dtype     dtypes.DType
	tolerance float64
}

var precisions = []precision{{dtypes.Float64, 1e-9}, {dtypes.Float32, 1e-4}}

// values returns the numbers of a tensor of floats.
func values(x *tensors.Tensor) (out []float64) {
	if x.DType() == dtypes.Float64 {
		return tensors.MustCopyFlatData[float64](x)
	}
	for _, v := range tensors.MustCopyFlatData[float32](x) {
		out = append(out, float64(v))
	}
	return out
}

// closeTo asks that the tensor equals want up to a tolerance relative to the
// largest value.
func closeTo(t *testing.T, want []float64, x *tensors.Tensor, tolerance float64, about string) {
	t.Helper()
	got := values(x)
	require.Len(t, got, len(want), about)
	scale := 1e-6
	for _, w := range want {
		scale = math.Max(scale, math.Abs(w))
	}
	for i := range want {
		// Written so that NaN fails.
		if !(math.Abs(want[i]-got[i]) <= tolerance*scale) {
			t.Fatalf("%s: entry %d is %.17g, want %.17g within %.1e", about, i, got[i], want[i],
				tolerance*scale)
		}
	}
}

// constant makes a node of the given dimensions.
func constant(g *Graph, dtype dtypes.DType, data []float64, dims ...int) *Node {
	return Reshape(ConstAsDType(g, dtype, data), dims...)
}

// ones returns the k-form on Rⁿ with coefficients 1.
func ones(n, k int) exterior.Form {
	return exterior.Formula(n, k, func(x []*Node) []*Node {
		return slices.Repeat([]*Node{OnesLike(x[0])}, exterior.Components(n, k))
	})
}

// plain returns the form without a fast way to integrate.
func plain(form exterior.Form) exterior.Form {
	return exterior.Form{Dim: form.Dim, Degree: form.Degree, Count: form.Count, Rule: form.Rule,
		Coefficients: form.Coefficients}
}

// normals draws a matrix of random numbers.
func normals(seed uint64, rows, columns int) [][]float64 {
	rng := rand.New(rand.NewPCG(seed, 0))
	out := make([][]float64, rows)
	for i := range out {
		for range columns {
			out[i] = append(out[i], rng.NormFloat64())
		}
	}
	return out
}

// seeded returns a store whose weights are always the same.
func seeded() *model.Store {
	store := model.NewStore()
	store.SetParam(model.ParamInitialSeed, int64(3))
	return store
}

// gradients returns those of a loss by all weights.
func gradients(scope *model.Scope, loss *Node) []*Node {
	var weights []*Node
	for v := range scope.Store().IterVariables() {
		if v.Trainable && v.InUseByGraph(loss.Graph()) {
			weights = append(weights, v.NodeValue(loss.Graph()))
		}
	}
	return Gradient(loss, weights...)
}
