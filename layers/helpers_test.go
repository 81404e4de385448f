package layers_test

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/neuralkforms/nkf/layers/backendtest"
	"github.com/neuralkforms/nkf/layers/exterior"
)

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

// values returns the numbers of a tensor of floats.
var values = backendtest.Floats

// closeTo compares a tensor, see [backendtest.Close].
func closeTo(t *testing.T, want []float64, x *tensors.Tensor, tolerance float64, about string) {
	t.Helper()
	backendtest.Close(t, want, values(x), tolerance, about)
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

// must returns the result of a call that cannot fail.
func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}
