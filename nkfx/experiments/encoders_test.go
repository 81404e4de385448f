package experiments

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/series"
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
	fold := must(validated(set.Split, set.Collection, false))
	require.InDelta(t, 18.0/4, len(fold.Validation), 2, "each class rounds")
	require.ElementsMatch(t, set.Split.Train, slices.Concat(fold.Train, fold.Validation))
	require.Equal(t, set.Split.Test, fold.Test)
}

// upAndDown is a run on 90 paths of three points, of which 18 are trained on.
func upAndDown() Run {
	b := datasets.NewBuilder(1)
	b.Name, b.Classes = "lines", []string{"up", "down"}
	set := &series.Set{Label: "class", Coordinates: []string{"x"}}
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

// TestFoldsHaveEncodersOfTheirOwn: what is found on data, such as centers, is found on the training part of
// each fold. Another test part changes nothing of what is trained on; the final model has all.
func TestFoldsHaveEncodersOfTheirOwn(t *testing.T) {
	r := upAndDown()
	r.Split = "folds"
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
			require.Equal(t, a, b)
		} else {
			require.NotEqual(t, a, b)
		}
	}
}
