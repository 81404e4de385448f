package cochain

import (
	"testing"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/train"
	"github.com/gomlx/gomlx/ml/train/loss"
	"github.com/gomlx/gomlx/ml/train/optimizer"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/backendtest"
)

// TestTrainer trains with GoMLX's trainer on the batches of a collection. A
// batch that is filled up with padding teaches what it teaches without: the
// normalisation knows from the last input which rows are padding.
func TestTrainer(t *testing.T) {
	b := datasets.NewBuilder(2)
	b.Classes = []string{"a", "b"}
	for g, x := range [][]float64{random(3, 6), random(4, 6), random(5, 6)} {
		b.AddPath(x, float64(min(g, 1)))
	}
	paths, err := b.Collection()
	require.NoError(t, err)
	config := Config{Width: 3, Layers: 1, Forms: 2, Hidden: 4, Points: 2, Functions: 2, Head: 4}
	// trained is the variables after an epoch of one batch, of so many places.
	trained := func(places int) map[string][]float32 {
		data, err := layers.NewDataset(paths, nil, layers.DatasetOptions{Batch: places})
		require.NoError(t, err)
		store := seeded(t)
		network := func(scope *model.Scope, spec any, in []*Node) []*Node {
			return []*Node{Network(scope, layers.Unpack(spec, in), config, len(paths.Classes))}
		}
		// Plain steps: those of Adam would make as much of rounding as of gradients that are not zero.
		descent := optimizer.StochasticGradientDescent().WithLearningRate(0.1).Done()
		trainer := train.NewTrainer(backendtest.Get(t, "go"), store, network,
			loss.SparseCategoricalCrossEntropyLogits, descent, nil, nil)
		_, err = train.NewLoop(trainer).RunEpochs(data, 1)
		require.NoError(t, err)
		out := map[string][]float32{}
		for v := range store.IterVariables() {
			if v.Trainable || v.Name() == "running_mean" {
				out[v.Path()] = tensors.MustCopyFlatData[float32](v.MustValue())
			}
		}
		return out
	}
	full, padded := trained(3), trained(8)
	require.Len(t, padded, len(full))
	for path, want := range full {
		require.InDeltaSlice(t, want, padded[path], tolerances[dtypes.Float32], path)
	}
}
