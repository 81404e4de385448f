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
	"github.com/neuralkforms/nkf/layers/backendtest"
)

// TestTrainer trains with GoMLX's trainer on the batches of a collection. A
// batch that is filled up with padding teaches what it teaches without: the
// normalisation knows from the last input which rows are padding.
func TestTrainer(t *testing.T) {
	paths := &datasets.Collection{
		Name: "paths", Dim: 2, Degree: 1, Vertices: make([]float32, 2*9), VertexStart: []int32{0, 3, 6, 9},
		Simplices: []int32{0, 1, 1, 2, 0, 1, 1, 2, 0, 1, 1, 2}, SimplexStart: []int32{0, 2, 4, 6},
		Labels: []int32{0, 1, 1}, Classes: []string{"a", "b"},
	}
	for i, x := range random(3, len(paths.Vertices)) {
		paths.Vertices[i] = float32(x)
	}
	config := Config{Width: 3, Layers: 1, Forms: 2, Hidden: 4, Points: 2, Functions: 2, Head: 4}
	// trained is the variables after an epoch of one batch, of so many places.
	trained := func(places int) map[string][]float32 {
		data, err := datasets.NewDataset(paths, nil, datasets.Options{Batch: places})
		require.NoError(t, err)
		store := seeded(t)
		network := func(scope *model.Scope, _ any, in []*Node) []*Node {
			batch := Complexes{
				Vertices: in[0], Simplices: in[1], SimplexOf: in[2], VertexOf: in[3], Mask: in[len(in)-1],
			}
			return []*Node{Network(scope, batch, config, len(paths.Classes))}
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
