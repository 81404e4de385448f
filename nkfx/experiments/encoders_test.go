package experiments

import (
	"math"
	"runtime"
	"slices"
	"testing"
	"weak"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/series"
	"github.com/neuralkforms/nkf/datasets/tu"
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
	fold := must(r.folds(set.Collection, func(int) bool { return true }))[0]
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
		for i, g := range fold.Train {
			h := after.task.Folds[f].Train[i] // folds with the same encoder share data
			require.Equal(t, int(g)%set.Len(), int(h)%set.Len())
			a, b := before.task.Data.Points(int(g)), after.task.Data.Points(int(h))
			require.Equal(t, f == 0, slices.Equal(a, b), "what is trained on in fold %d", f)
		}
	}
}

// TestPreparing: the share that is prepared goes from 0 to 1, where folds share an encoder or have their own.
func TestPreparing(t *testing.T) {
	paths := upAndDown()
	set := paths.Data.(*series.Set)
	for i := range set.Vertices {
		set.Vertices[i] += float64(i) // no two folds have the same origin
	}
	folds := paths
	folds.Split = "folds"
	graphs := NewRun(must(Lookup("Letter-low")), "nkf")
	share := graphs.Preparing()
	must(graphs.Prepare(t.Context()))
	require.Zero(t, share(), "nobody knew how many it loads")
	graphs.Data = must(graphs.Benchmark.Load(t.Context()))
	for _, r := range []Run{paths, folds, graphs} {
		share := r.Preparing()
		require.Zero(t, share())
		must(r.Prepare(t.Context()))
		require.Equal(t, 1.0, share())
	}
}

// TestPreparingTogether: of runs side by side, one is prepared after another, so that the share of each is
// known.
func TestPreparingTogether(t *testing.T) {
	var runs []Run
	for _, name := range []string{"nkf", "gcn", "gin", "gat"} {
		r := NewRun(must(Lookup("Letter-low")), name)
		r.Assemble, r.Folds, r.Data = true, 2, must(tu.Open(letters)) // nothing is trained
		runs = append(runs, r)
	}
	var shares []func() float64
	report := func(_ int, p train.Progress) {
		require.Equal(t, "preparing", p.Doing)
		for _, share := range shares {
			require.Equal(t, 1.0, share(), "the run before is prepared")
		}
		require.Zero(t, p.Share())
		shares = append(shares, p.Share)
	}
	err := Together(t.Context(), backendtest.Get(t, "go"), runs, len(runs), report,
		func(int, *Result) error { return nil })
	require.NoError(t, err)
	require.Len(t, shares, len(runs))
}

// TestPreparedLetsGo: a training has its data encoded, and does not hold what they were made of.
func TestPreparedLetsGo(t *testing.T) {
	graphs := must(must(Lookup("Letter-low")).Load(t.Context())).(*tu.Archive)
	held := weak.Make(graphs)
	r := NewRun(Own(graphs), "nkf")
	r.Data = graphs
	training := must(r.Prepare(t.Context()))
	r = Run{}
	runtime.GC()
	require.Nil(t, held.Value())
	require.NotZero(t, training.Task().Data.Len())
}

// TestDefaultSplitHasOneEncoder: that of its training part, which its only fold has; the final model has one
// of all data.
func TestDefaultSplitHasOneEncoder(t *testing.T) {
	r := upAndDown()
	set := r.Data.(*series.Set)
	for _, g := range set.Split.Test {
		floats.Scale(1000, set.Points(int(g)))
	}
	training := must(r.Prepare(t.Context()))
	data := must(must(set.Encoder("", set.Split.Train)).Encode(set))
	require.Equal(t, data, training.task.Data)
	require.NotEqual(t, data, training.all)
	require.Equal(t, []datasets.Fold{set.Split}, training.task.Folds)
}

// TestJoin: complexes that come twice are the same twice, with everything that they have.
func TestJoin(t *testing.T) {
	b := datasets.NewBuilder(3)
	b.Info, b.Faces = datasets.Info{Name: "tents", Tasks: []string{"x", "y"}, Regression: true}, true
	for g := range 3 {
		b.Add([]float64{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, float64(g)},
			[][]int32{1: {0, 1, 1, 2, 0, 2, 1, 3, 2, 3, 0, 3}, 2: {0, 1, 2, 1, 2, 3}}, float64(g), math.NaN())
		b.SetCochain(0, []float64{1, 2, 3, float64(g)})
		b.SetCochain(2, []float64{float64(g), -1})
	}
	one := must(b.Collection())
	two := must(join([]*datasets.Collection{one, one}))
	require.NoError(t, two.Validate())
	require.Equal(t, one.Info, two.Info)
	require.Equal(t, slices.Concat(one.Vertices, one.Vertices), two.Vertices)
	require.Len(t, two.Targets, 12)
	for g := range 6 {
		for k := range 3 {
			require.Equal(t, one.Corners(k, g%3), two.Corners(k, g))
		}
	}
	for k := range 3 {
		a, b := one.Simplices[k], two.Simplices[k]
		require.Equal(t, slices.Concat(a.Faces, a.Faces), b.Faces)
		require.Equal(t, slices.Concat(a.Signs, a.Signs), b.Signs)
		require.Equal(t, slices.Concat(a.Cochain, a.Cochain), b.Cochain)
	}
	other := must(datasets.NewBuilder(2).Collection())
	_, err := join([]*datasets.Collection{one, other})
	require.ErrorContains(t, err, "may not depend on the part")
}
