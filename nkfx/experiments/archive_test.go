package experiments

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/series"
)

// TestStepsOfPaths: how long paths are trained depends on the training part,
// however many are tested.
func TestStepsOfPaths(t *testing.T) {
	b := datasets.NewBuilder(1)
	b.Classes = []string{"up", "down"}
	set := &series.Set{}
	for g := range 90 {
		b.AddPath([]float64{0, float64(1 - 2*(g%2)), 3}, float64(g%2))
		if g < 18 {
			set.Split.Train = append(set.Split.Train, int32(g))
		} else {
			set.Split.Test = append(set.Split.Test, int32(g))
		}
	}
	var err error
	set.Collection, err = b.Collection()
	require.NoError(t, err)
	data := &Data{Name: "lines", Paths: set}
	r := NewRun(Benchmark{Experiment: "uea", Split: defaultSplit, Seeds: 1}, "path")
	r.Data = data
	training, err := r.Prepare(t.Context())
	require.NoError(t, err)
	protocol := training.task.Protocol
	require.Equal(t, 8, protocol.Batch)
	require.Equal(t, 250, protocol.Epochs, "500 steps, of which an epoch has two")
}
