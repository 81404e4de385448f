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

// TestRunsWithObservationsMissing: the training is the same as without further test parts; where all but the
// first and the last of three points are missing, the classes are not to be told apart.
func TestRunsWithObservationsMissing(t *testing.T) {
	backendtest.Each(t, testRunsWithObservationsMissing)
}

func testRunsWithObservationsMissing(t *testing.T, backend compute.Backend) {
	r := upAndDown(t)
	r.Model, r.Out = "path-small", t.TempDir()
	r.Protocol = func(p *train.Protocol) { p.Epochs = 60 }
	plain, err := r.Run(t.Context(), backend, nil)
	require.NoError(t, err)
	require.Nil(t, plain.Others)
	require.EqualValues(t, 100, plain.Mean)
	r.Drop = 0.3
	dropped, err := r.Run(t.Context(), backend, nil)
	require.NoError(t, err)
	require.Equal(t, plain.Folds[0].Last, dropped.Folds[0].Last)
	require.Positive(t, dropped.Compilations, "it is another training for the journal")
	require.Len(t, dropped.Others, len(series.Readings))
	require.EqualValues(t, 50, dropped.Others[0].Mean, "interpolated")
	again, err := r.Run(t.Context(), backend, nil)
	require.NoError(t, err)
	require.Zero(t, again.Compilations, "it is in the journal")
	require.Equal(t, dropped.Others, again.Others)

	r.Drop, r.Resample = 0, 1
	other, err := r.Run(t.Context(), backend, nil)
	require.NoError(t, err)
	require.Positive(t, other.Compilations)
	require.Same(t, plain, Resampled(plain))
	both := Resampled(plain, other)
	require.Len(t, both.Folds, 2)
	require.Equal(t, 1, both.Folds[1].Fold)
	require.EqualValues(t, (plain.Mean+other.Mean)/2, both.Mean)

	r.Drop, r.Resample, r.Split = 0.3, 0, "folds" // copies of test paths would be trained on
	_, err = r.Prepare(t.Context())
	require.ErrorContains(t, err, `default split, not of "folds"`)
	r.Split = defaultSplit
	_, _, err = r.Train(t.Context(), backend, nil)
	require.ErrorContains(t, err, "missing only from test data")

	r.Data = &datasets.Collection{Info: datasets.Info{Name: "others"}}
	_, err = r.Prepare(t.Context())
	require.ErrorContains(t, err, "others: resamples")
}
