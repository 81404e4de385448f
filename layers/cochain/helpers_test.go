package cochain

import (
	"math"
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/stretchr/testify/require"
)

// tolerances of comparisons, relative to the largest value: what rounding
// costs in a few hundred operations, a digit left.
var tolerances = map[dtypes.DType]float64{dtypes.Float64: 1e-11, dtypes.Float32: 1e-4}

// compute64 computes some nodes, whose variables are those of the store, and
// returns their values.
func compute64(t *testing.T, backend compute.Backend, store *model.Store, training bool,
	build func(scope *model.Scope, g *Graph) []*Node) [][]float64 {
	t.Helper()
	exec, err := model.NewExec(backend, store, func(scope *model.Scope, g *Graph) []*Node {
		store.SetTraining(g, training)
		out := build(scope, g)
		for i, node := range out {
			out[i] = ConvertDType(node, dtypes.Float64)
		}
		return out
	})
	require.NoError(t, err)
	defer exec.Finalize()
	tensorsOut, err := exec.Call()
	require.NoError(t, err)
	out := make([][]float64, len(tensorsOut))
	for i, x := range tensorsOut {
		out[i] = tensors.MustCopyFlatData[float64](x)
	}
	return out
}

// seeded returns a store whose variables begin the same every time.
func seeded(t *testing.T) *model.Store {
	t.Helper()
	store := model.NewStore()
	require.NoError(t, store.SetRNGStateFromSeed(7))
	return store
}

// closeTo asks that got equals want up to a tolerance relative to the largest
// value.
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
			t.Fatalf("%s: entry %d is %.17g, want %.17g within %.1e", about, i, got[i], want[i],
				tolerance*scale)
		}
	}
}

// rows makes a float64 matrix.
func rows(g *Graph, data []float64, width int) *Node { return Reshape(Const(g, data), -1, width) }
