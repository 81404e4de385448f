package experiments

import (
	"io/fs"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets/mesh"
	"github.com/neuralkforms/nkf/layers/backendtest"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// TestRNA: a few steps on samples of the vertices of RNA surfaces, with the split of the set, tested at all
// vertices; the model predicts them, of -1 as well.
func TestRNA(t *testing.T) {
	t.Setenv("NKF_DATA", "")
	b, err := Lookup("RNA")
	require.NoError(t, err)
	_, err = b.Load(t.Context())
	require.ErrorIs(t, err, fs.ErrNotExist)
	require.ErrorContains(t, err, "put a clone of github.com/nmwsharp/RNA-Surface-Segmentation-Dataset into")

	b, err = Lookup("RNA12")
	require.NoError(t, err)
	source, err := b.Load(t.Context())
	require.NoError(t, err)
	s := source.(*mesh.Set)
	require.Equal(t, []int32{0, 1, 2}, s.Tests)
	require.Len(t, s.Meshes, 12)
	require.Greater(t, len(s.Classes), 120)
	s.Files, s.Meshes, s.Labels, s.Targets = s.Files[2:5], s.Meshes[2:5], s.Labels[2:5], s.Targets[2:5]
	s.Tests = []int32{0}
	r := NewRun(b, "surface:width=8:layers=1:head=16")
	r.Data, r.Protocol = s, func(p *train.Protocol) { p.Epochs, p.Batch, p.Sample = 2, 2, 100 }
	training, err := r.Prepare(t.Context())
	require.NoError(t, err)
	fold := training.Task().Folds[0]
	require.Equal(t, [][]int32{{1, 2}, {0}}, [][]int32{fold.Train, fold.Test})
	backend := backendtest.Get(t, "go")
	result, model, err := training.Train(t.Context(), backend, nil)
	require.NoError(t, err)
	require.True(t, result.Mean.Defined())
	predictor, err := model.On(backend)
	require.NoError(t, err)
	predictions, err := predictor.Predict(t.Context(), &mesh.Set{Elements: mesh.Nothing, Files: s.Files[:1],
		Meshes: s.Meshes[:1], Targets: s.Targets[:1]})
	require.NoError(t, err)
	require.Len(t, predictions, len(s.Meshes[0].Vertices)/3)
	require.Len(t, predictions[0].Probabilities, len(s.Classes))
}
