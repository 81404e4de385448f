package experiments

import (
	"slices"
	"testing"

	"github.com/gomlx/compute"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/series"
	"github.com/neuralkforms/nkf/layers/backendtest"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// TestStepsOfPaths: how long paths are trained depends on the training part,
// however many are tested.
func TestStepsOfPaths(t *testing.T) {
	r := upAndDown(t)
	training, err := r.Prepare(t.Context())
	require.NoError(t, err)
	protocol := training.task.Protocol
	require.Equal(t, 8, protocol.Batch)
	require.Equal(t, 250, protocol.Epochs, "500 steps, of which an epoch has two")

	// Others hold out a quarter of what they are trained on.
	set := r.Data.(*series.Set)
	fold, err := validated(datasets.Fold{Train: set.Split.Train, Test: set.Split.Test}, set.Collection, false)
	require.NoError(t, err)
	require.InDelta(t, 18.0/4, len(fold.Validation), 2, "each class rounds")
	require.ElementsMatch(t, set.Split.Train, slices.Concat(fold.Train, fold.Validation))
	require.Equal(t, set.Split.Test, fold.Test)
}

// upAndDown is a run on 90 paths of three points, of which 18 are trained on.
func upAndDown(t *testing.T) Run {
	t.Helper()
	b := datasets.NewBuilder(1)
	b.Name, b.Classes = "lines", []string{"up", "down"}
	set := &series.Set{Label: "class", Header: series.Header{Coordinates: []string{"x"}, Units: []string{""}}}
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
	r := NewRun(Benchmark{Experiment: "uea", Split: defaultSplit, Seeds: 1}, "path")
	r.Data = set
	return r
}

// TestRunsWithCuts: where the one point of three is missing that tells the classes apart, they are not to be
// told apart; points on segments change nothing.
func TestRunsWithCuts(t *testing.T) { backendtest.Each(t, testRunsWithCuts) }

func testRunsWithCuts(t *testing.T, backend compute.Backend) {
	r := upAndDown(t)
	r.Model, r.Out = "path-small", t.TempDir()
	r.Protocol = func(p *train.Protocol) { p.Epochs = 60 }
	plain, err := r.Run(t.Context(), backend, nil)
	require.NoError(t, err)
	require.Nil(t, plain.Others)
	require.EqualValues(t, 100, plain.Mean)
	r.Cuts = true
	cut, err := r.Run(t.Context(), backend, nil)
	require.NoError(t, err)
	require.EqualValues(t, 100, cut.Mean)
	require.Positive(t, cut.Compilations, "it is another training for the journal")
	require.Len(t, cut.Others, len(series.Cuts))
	for i, want := range []int{50, 100, 100, 50, 50} {
		require.EqualValues(t, want, cut.Others[i].Mean, series.Cuts[i])
	}
	again, err := r.Run(t.Context(), backend, nil)
	require.NoError(t, err)
	require.Zero(t, again.Compilations, "it is in the journal")
	require.Equal(t, cut.Others, again.Others)

	r.Split = "folds"
	training, err := r.Prepare(t.Context())
	require.NoError(t, err)
	for _, fold := range training.task.Folds {
		require.Less(t, slices.Max(slices.Concat(fold.Train, fold.Test)), int32(90), "no cuts are trained on")
		require.Len(t, fold.Others, len(series.Cuts))
		require.Equal(t, fold.Test[0]+450, fold.Others[4][0])
	}
	_, _, err = r.Train(t.Context(), backend, nil)
	require.ErrorContains(t, err, "only test data")

	r.Data = &datasets.Collection{Info: datasets.Info{Name: "others"}}
	_, err = r.Prepare(t.Context())
	require.ErrorContains(t, err, "others: there are no other ways")
}
