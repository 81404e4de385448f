package devices_test

import (
	"testing"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/model/initializer"
	"github.com/gomlx/gomlx/ml/train/optimizer"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers/backends/xla"
	"github.com/neuralkforms/nkf/layers/backendtest"
	"github.com/neuralkforms/nkf/layers/devices"
)

// TestOneBatch: a step of GoMLX's optimizer by a loss with sums, and sums of sums, over all rows is the same
// on one, two and four devices, the variables and their random initial values included.
func TestOneBatch(t *testing.T) {
	rows := [][]float32{{1, 2}, {-1, 3}, {2, 2}, {0, 1}, {4, -3}, {1, 1}, {-2, 5}, {3, 0}}
	var losses [][]float32
	for _, count := range []int{1, 2, 4} {
		backend, err := xla.Several(backendtest.Get(t, "xla:cpu"), count)
		require.NoError(t, err)
		defer backend.Finalize()
		store := model.NewStore()
		store.SetParam(model.ParamInitialSeed, int64(7))
		descent := devices.Optimizer(optimizer.StochasticGradientDescent())
		program, err := devices.NewProgram(backend, store, count, func(scope *model.Scope,
			inputs []*graph.Node) []*graph.Node {
			x := inputs[0]
			g := x.Graph()
			store.SetTraining(g, true)
			y := graph.ReduceSum(graph.Mul(x, graph.ExpandAxes(weights(scope, x), 0)), 1)
			n := devices.Sum(graph.Const(g, float32(x.Shape().Dimensions[0])))
			mean := graph.Div(devices.Sum(graph.ReduceAllSum(y)), n)
			// Rows count by their distance from the mean of all rows.
			distance := graph.Square(graph.Sub(y, mean))
			variance := graph.Div(devices.Sum(graph.ReduceAllSum(distance)), n)
			loss := devices.Ratio(graph.ReduceAllSum(graph.Div(distance, graph.AddScalar(variance, 1))),
				graph.Const(g, float32(x.Shape().Dimensions[0])))
			descent.UpdateGraph(scope, g, loss)
			return []*graph.Node{graph.DivScalar(devices.Sum(loss), float64(count))}
		})
		require.NoError(t, err)
		defer program.Finalize()
		var own []float32
		for range 4 {
			inputs := make([][]any, count)
			for d := range count {
				inputs[d] = []any{rows[d*8/count : (d+1)*8/count]}
			}
			out, err := program.Call(inputs...)
			require.NoError(t, err)
			require.Len(t, out, count)
			for _, of := range out {
				require.Equal(t, out[0][0].Value(), of[0].Value())
			}
			own = append(own, out[0][0].Value().(float32))
		}
		losses = append(losses, own)
	}
	require.Less(t, losses[0][3], losses[0][0])
	for _, own := range losses {
		require.InDeltaSlice(t, losses[0], own, 1e-6) // sums of 8 float32 in another order
	}
}

// weights returns two weights that are drawn at random.
func weights(scope *model.Scope, x *graph.Node) *graph.Node {
	shape := x.Shape().Clone()
	shape.Dimensions = shape.Dimensions[1:]
	random := scope.WithInitializer(initializer.RandomUniformFn(scope, -1, 1))
	return random.VariableWithShape("weights", shape).NodeValue(x.Graph())
}

// TestTooFewDevices: a backend has as many devices as it has.
func TestTooFewDevices(t *testing.T) {
	_, err := devices.NewProgram(backendtest.Get(t, "go"), model.NewStore(), 2, nil)
	require.ErrorContains(t, err, "2 devices")
}

// TestOwnRandomNumbers: every device draws other numbers, the first those of one device, and the next call
// draws on.
func TestOwnRandomNumbers(t *testing.T) {
	var first [2][]float32
	for i, count := range []int{1, 2} {
		backend, err := xla.Several(backendtest.Get(t, "xla:cpu"), count)
		require.NoError(t, err)
		defer backend.Finalize()
		store := model.NewStore()
		require.NoError(t, store.SetRNGStateFromSeed(3))
		program, err := devices.NewProgram(backend, store, count, func(scope *model.Scope,
			inputs []*graph.Node) []*graph.Node {
			return []*graph.Node{scope.RandomUniform(inputs[0].Graph(), inputs[0].Shape())}
		})
		require.NoError(t, err)
		defer program.Finalize()
		for range 2 {
			inputs := make([][]any, count)
			for d := range inputs {
				inputs[d] = []any{make([]float32, 3)}
			}
			out, err := program.Call(inputs...)
			require.NoError(t, err)
			require.NotEqual(t, out[0][0].Value(), first[i])
			first[i] = out[0][0].Value().([]float32)
			if count > 1 {
				require.NotEqual(t, first[i], out[1][0].Value())
			}
		}
	}
	require.Equal(t, first[0], first[1])
}
