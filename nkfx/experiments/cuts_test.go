package experiments

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/mesh"
	"github.com/neuralkforms/nkf/layers/backendtest"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// TestRunsWithOtherCuts: the same training is tested with other triangles as well, in each fold with those of
// its own test meshes.
func TestRunsWithOtherCuts(t *testing.T) {
	s := &mesh.Set{Info: datasets.Info{Name: "tori", Classes: []string{"thin", "thick"}}}
	for i := range 20 {
		m := mesh.Torus(8, 5, func(a, b float64) (x, y, z float64) {
			radius := []float64{0.2, 0.6}[i%2]
			r := 1 + radius*math.Cos(b)
			return r * math.Cos(a), (1 + 0.01*float64(i)) * r * math.Sin(a), radius * math.Sin(b)
		})
		s.Files, s.Meshes = append(s.Files, "torus"), append(s.Meshes, m)
		s.Targets = append(s.Targets, []float64{float64(i % 2)})
	}
	r := NewRun(Own("meshes"), "surface:width=4:head=4")
	r.Data, r.Protocol = s, func(p *train.Protocol) { p.Epochs = 2 }
	for _, r.Split = range []string{"folds", "fold0"} {
		r.Cuts = true
		training, err := r.Prepare(t.Context())
		require.NoError(t, err)
		task := training.Task()
		ways := len(mesh.Cuts)
		require.Equal(t, 20*(ways+1), task.Data.Len())
		seen := map[int32]bool{}
		for _, fold := range task.Folds {
			require.Len(t, fold.Others, ways)
			for _, part := range fold.Others {
				require.Len(t, part, len(fold.Test))
				for i, id := range part {
					require.GreaterOrEqual(t, int(id), 20)
					require.Equal(t, task.Data.Labels[fold.Test[i]], task.Data.Labels[id])
					require.False(t, seen[id])
					seen[id] = true
				}
			}
		}
		require.Len(t, seen, ways*map[string]int{"folds": 20, "fold0": 4}[r.Split])
	}
	require.Len(t, s.Meshes, 20)
	backend := backendtest.Get(t, "go")
	with, err := r.Run(t.Context(), backend, nil)
	require.NoError(t, err)
	r.Cuts = false
	without, err := r.Run(t.Context(), backend, nil)
	require.NoError(t, err)
	require.Equal(t, without.Folds[0].Last, with.Folds[0].Last)
	require.Nil(t, without.Others)
	for i, name := range mesh.Cuts {
		require.Equal(t, name, with.Others[i].Name)
		require.Equal(t, with.Folds[0].Others[i].Accuracy, with.Others[i].Mean)
	}
}
