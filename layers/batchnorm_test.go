package layers_test

import (
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/backendtest"
)

// Members side by side are normalized as each would be alone: values, gradients, and the running statistics
// with which they are evaluated. The tolerance is that of sums of 50 float32 of size 1 in another order.
func TestBatchNormOfMembers(t *testing.T) {
	const members, rows, features = 3, 50, 2
	data := make([][][]float32, members)
	for e := range data {
		data[e] = make([][]float32, rows)
		for i := range data[e] {
			for f := range features {
				data[e][i] = append(data[e][i], float32((7*i+3*e+5*f)%11)/4-float32(e))
			}
		}
	}
	mask := make([]bool, rows)
	for i := range mask {
		mask[i] = i < 40
	}
	backendtest.Each(t, func(t *testing.T, backend compute.Backend) {
		store := model.NewStore()
		run := func(training bool) []*tensors.Tensor {
			out, err := model.CallOnceN(backend, store, func(scope *model.Scope, inputs []*Node) []*Node {
				x, mask := inputs[0], inputs[1]
				store.SetTraining(x.Graph(), training)
				x = ConvertDType(x, dtypes.Float32)
				together := layers.BatchNorm(scope.In("together"), x, mask)
				var alone []*Node
				for e := range members {
					member := Squeeze(SliceAxis(x, 0, AxisElem(e)), 0)
					alone = append(alone, layers.BatchNorm(scope.In("alone_%d", e), member, mask))
				}
				apart := Stack(alone, 0)
				// Any function that is not symmetric in the rows, so that no gradient is zero.
				loss := func(y *Node) *Node { return ReduceAllSum(Mul(Sin(y), y)) }
				return []*Node{together, apart, Gradient(loss(together), x)[0], Gradient(loss(apart), x)[0]}
			}, data, mask)
			require.NoError(t, err)
			return out
		}
		for range 2 {
			out := run(true)
			require.InDeltaSlice(t, values(out[1]), values(out[0]), 1e-4)
			require.InDeltaSlice(t, values(out[3]), values(out[2]), 1e-4)
			require.NotZero(t, values(out[2])[0])
		}
		out := run(false)
		require.InDeltaSlice(t, values(out[1]), values(out[0]), 1e-4)
	})
}
