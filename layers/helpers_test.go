package layers_test

import (
	"math/rand/v2"
	"testing"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/stretchr/testify/require"
)

// compute64 runs a graph with variables, seeded, and returns its values.
func compute64(t testing.TB, backend compute.Backend, build func(*model.Scope, *Graph) []*Node) [][]float64 {
	t.Helper()
	store := model.NewStore()
	store.SetParam(model.ParamInitialSeed, int64(5))
	out, err := model.CallOnceN(backend, store, build)
	require.NoError(t, err)
	values := make([][]float64, len(out))
	for i, x := range out {
		values[i] = tensors.MustCopyFlatData[float64](x)
	}
	return values
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

// cycle returns the k-simplices i, i+1, …, i+k of count vertices in a ring.
func cycle(count, k int) [][]int32 {
	out := make([][]int32, count)
	for i := range out {
		for a := range k + 1 {
			out[i] = append(out[i], int32((i+a)%count))
		}
	}
	return out
}

// sameValues compares values entry by entry.
func sameValues(t *testing.T, want, got []float64, tolerance float64, about string) {
	t.Helper()
	require.Len(t, got, len(want), about)
	for i := range want {
		require.InDelta(t, want[i], got[i], tolerance, "%s, entry %d", about, i)
	}
}
