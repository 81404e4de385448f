package experiments

import (
	"math"
	"slices"
	"testing"

	"github.com/gomlx/compute"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/series"
	"github.com/neuralkforms/nkf/layers/backendtest"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// TestStepsOfPaths: how long paths are trained depends on the training part,
// however many are tested.
func TestStepsOfPaths(t *testing.T) {
	r := upAndDown()
	protocol := must(r.Prepare(t.Context())).task.Protocol
	require.Equal(t, 8, protocol.Batch)
	require.Equal(t, 250, protocol.Epochs, "500 steps, of which an epoch has two")

	// Others hold out a quarter of what they are trained on.
	set := r.Data.(*series.Set)
	fold := must(validated(datasets.Fold{Train: set.Split.Train, Test: set.Split.Test}, set.Collection, nil,
		false))
	require.InDelta(t, 18.0/4, len(fold.Validation), 2, "each class rounds")
	require.ElementsMatch(t, set.Split.Train, slices.Concat(fold.Train, fold.Validation))
	require.Equal(t, set.Split.Test, fold.Test)
}

// upAndDown is a run on 90 paths of three points, of which 18 are trained on.
func upAndDown() Run {
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
	set.Collection = must(b.Collection())
	r := NewRun(Own(set), "path")
	r.Data = set
	return r
}

// TestRunsWithCuts: where the one point of three is missing that tells the classes apart, they are not to be
// told apart; points on segments change nothing.
func TestRunsWithCuts(t *testing.T) { backendtest.Each(t, testRunsWithCuts) }

func testRunsWithCuts(t *testing.T, backend compute.Backend) {
	r := upAndDown()
	r.Model, r.Out = "path-small", t.TempDir()
	r.Protocol = func(p *train.Protocol) { p.Epochs = 60 }
	plain, err := r.Run(t.Context(), backend, nil)
	require.NoError(t, err)
	require.Nil(t, plain.Others)
	require.EqualValues(t, 100, plain.Mean)
	r.Cuts = true
	cut, err := r.Run(t.Context(), backend, nil)
	require.NoError(t, err)
	require.Equal(t, plain.Folds[0].Last, cut.Folds[0].Last, "it is the same training")
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
	data := training.task.Data
	straight := func(g int32) bool { // a path without the point between, of 9 after resampling
		points := data.Points(int(g))
		return math.Abs(points[4*data.Dim]-(points[0]+points[8*data.Dim])/2) < 1e-9
	}
	seen := 0
	for _, fold := range training.task.Folds {
		require.False(t, slices.ContainsFunc(slices.Concat(fold.Train, fold.Validation), straight),
			"no cuts are trained on")
		require.Len(t, fold.Others, len(series.Cuts))
		for i, g := range fold.Test {
			require.False(t, straight(g))
			require.True(t, straight(fold.Others[0][i]))
			require.False(t, straight(fold.Others[1][i]))
			require.Equal(t, data.Labels[g], data.Labels[fold.Others[0][i]])
		}
		seen += len(fold.Test)
	}
	require.Equal(t, 90, seen)
	_, _, err = r.Train(t.Context(), backend, nil)
	require.ErrorContains(t, err, "only test data")

	r.Data = &datasets.Collection{Info: datasets.Info{Name: "others"}}
	_, err = r.Prepare(t.Context())
	require.ErrorContains(t, err, "others: there are no other ways")
}

// TestFoldsHaveEncodersOfTheirOwn: what is found on data, such as centers, is found on the training part of
// each fold. Another test part changes nothing of what is trained on; the final model has all.
func TestFoldsHaveEncodersOfTheirOwn(t *testing.T) {
	for _, model := range []string{"path", "auto"} {
		r := upAndDown()
		r.Model, r.Split = model, "folds"
		before := must(r.Prepare(t.Context()))
		folds := must(datasets.StratifiedFolds(before.all.Labels, 5, splitSeed))
		set := r.Data.(*series.Set)
		for _, g := range folds[0].Test {
			floats.Scale(1000, set.Points(int(g)))
		}
		after := must(r.Prepare(t.Context()))
		require.NotEqual(t, before.saved.Encoder, after.saved.Encoder, "of the final model")
		for f, fold := range before.task.Folds {
			require.Equal(t, fold, after.task.Folds[f])
			a := must(before.task.Data.Part(slices.Concat(fold.Train, fold.Validation), 0, nil))
			b := must(after.task.Data.Part(slices.Concat(fold.Train, fold.Validation), 0, nil))
			if f == 0 {
				require.Equal(t, a, b, model)
			} else {
				require.NotEqual(t, a, b, model)
			}
		}
	}
}
