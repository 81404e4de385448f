package train

import (
	"testing"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/train/optimizer"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/layers/backendtest"
)

func TestTables(t *testing.T) {
	b := datasets.NewBuilder(1)
	b.AddPath([]float64{1, 2, 3}, 0)
	b.AddPath([]float64{4, 5}, 1)
	c, err := b.Collection()
	require.NoError(t, err)
	tables := Tables(c)
	require.Len(t, tables, 4)
	require.Equal(t, [][][]float32{{{1}, {2}, {3}}, {{4}, {5}, {0}}}, tables[0].Value())
	require.Equal(t, [][][]int32{{{0, 1}, {1, 2}}, {{0, 1}, {0, 0}}}, tables[1].Value())
	require.Equal(t, [][]float32{{1, 1}, {1, 0}}, tables[2].Value())
	require.Equal(t, []int32{0, 1}, tables[3].Value())
}

// A step of rate r on (w - x)² takes w the share 2r of the way to x. All numbers are exact.
func TestLoopRepeats(t *testing.T) {
	backendtest.Each(t, func(t *testing.T, backend compute.Backend) {
		store := model.NewStore()
		descent := optimizer.StochasticGradientDescent().WithLearningRate(0.25).WithDecay(false).Done()
		loop, err := NewLoop(backend, store, descent, func(scope *model.Scope, batch, data []*Node) *Node {
			w := scope.VariableWithValue("w", float32(1)).NodeValue(batch[0].Graph())
			return Square(Sub(w, Squeeze(Gather(data[0], Reshape(batch[0], 1, 1)))))
		}, tensors.FromValue([]float32{3, 4}))
		require.NoError(t, err)
		defer loop.Close()
		loss, err := loop.Repeat(2) // w is 2, then 3
		require.NoError(t, err)
		require.InDelta(t, (4+4)/2., loss, 0)
		require.NoError(t, loop.SetRate(0.5))
		loss, err = loop.Repeat(2) // 3 is there, and then 4
		require.NoError(t, err)
		require.InDelta(t, (0+1)/2., loss, 0)
		w, err := store.RootScope().GetVariable("w").Value()
		require.NoError(t, err)
		require.Equal(t, float32(4), w.Value())
		_, err = loop.Repeat(0)
		require.ErrorContains(t, err, "no steps")
	})
}
