package experiments

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gomlx/compute"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/series"
	"github.com/neuralkforms/nkf/layers/backendtest"
)

// pieces returns pieces of tracks from a table of them.
func pieces(t *testing.T, name, text string, ahead, history float64) *series.Set {
	t.Helper()
	s := must(series.ReadTracks(series.Columns{ID: "id", Coordinates: []string{"x", "y"}, Time: "t"},
		datasets.File{Name: name + ".csv", Bytes: []byte(text)}))
	s = must(s.Forecast(ahead, history))
	return s
}

// straight returns pieces of tracks in all directions, each at a constant speed of its own.
func straight(t *testing.T) *series.Set {
	t.Helper()
	text := "id,t,x,y\n"
	for g := range 20 {
		sin, cos := math.Sincos(float64(g))
		for i := range 20 + g {
			at := float64(i) + 0.3*math.Sin(float64(i*g)) // uneven
			way := at * (1 + float64(g%7))
			text += fmt.Sprintf("%d,%.9f,%.9f,%.9f\n", g, at, 50*float64(g)+way*cos, way*sin)
		}
	}
	return pieces(t, "lines", text, 2, 6)
}

// TestGroupsStayTogether: whatever the split, all pieces of a track are in one part of a fold, also those
// that are held out for validation; without groups they would not be. Every piece is in some part.
func TestGroupsStayTogether(t *testing.T) {
	pieces := straight(t)
	groups := pieces.Groups()
	torn := func(f datasets.Fold) bool {
		part := map[int32]int{} // of each group, from 1
		for i, ids := range [][]int32{f.Train, f.Validation, f.Test} {
			for _, id := range ids {
				if p := part[groups[id]]; p != 0 && p != i+1 {
					return true
				}
				part[groups[id]] = i + 1
			}
		}
		return false
	}
	for _, name := range []string{"folds", "fold0", "random", "stratified"} {
		split := must(splitting(pieces, name, 4))
		for _, fixed := range []bool{false, true} {
			folds := must(withOthers(split, pieces.Collection, groups, pieces.Len(), fixed))
			for _, f := range folds {
				require.False(t, torn(f), name)
				require.NotEmpty(t, f.Test)
				require.Equal(t, fixed, len(f.Validation) == 0)
				require.ElementsMatch(t, pieces.Collection.IDs(),
					slices.Concat(f.Train, f.Validation, f.Test), name)
			}
		}
		alone := must(dividing(pieces, name, 4))
		folds := must(withOthers(alone, pieces.Collection, nil, pieces.Len(), false))
		require.True(t, torn(folds[0]), name)
	}
	// The default split, of two files, has no validation part of its own.
	given := datasets.Fold{Train: pieces.Collection.IDs()[:90], Test: pieces.Collection.IDs()[90:]}
	fold := must(validated(given, pieces.Collection, groups, false))
	require.NotEmpty(t, fold.Validation)
	require.False(t, torn(datasets.Fold{Train: fold.Train, Validation: fold.Validation}))
	fold = must(validated(given, pieces.Collection, nil, false))
	require.True(t, torn(datasets.Fold{Train: fold.Train, Validation: fold.Validation}))

	split := must(splitting(pieces, "folds", 21))
	_, err := split(pieces.Labels)
	require.Error(t, err, "there are 20 tracks")
}

// TestForecasts: of tracks at constant speeds, to go on is right to rounding, and the regression on points
// learns it nearly so; to stay is not. Other observations of the same pieces change nothing.
func TestForecasts(t *testing.T) { backendtest.Each(t, testForecasts) }

func testForecasts(t *testing.T, backend compute.Backend) {
	r := NewRun(Own(straight(t)), "points-ridge")
	r.Folds, r.Cuts = 3, true
	result := must(r.Run(t.Context(), backend, nil))
	require.Equal(t, "rmse", result.Metric)
	require.Equal(t, []string{"change of x", "change of y"}, result.Tasks)
	require.Less(t, float64(result.Mean), 1e-3, "speeds are 1 to 7, of which a penalty of 0.001 is left")
	require.Len(t, result.Others, len(series.Cuts))
	for _, other := range result.Others {
		require.Less(t, float64(other.Mean), 1e-3, other.Name)
	}
	require.Len(t, result.Baselines, 2)
	staying, on := result.Baselines[0], result.Baselines[1]
	require.Equal(t, "staying", staying.Name)
	require.Greater(t, float64(staying.Mean), 2.)
	require.Equal(t, "going on", on.Name)
	require.Less(t, float64(on.Mean), 1e-6, "targets are kept in 32 bits")
}

// noisy returns pieces of 60 tracks of 100 observations at uneven times: lines at constant speeds, with noise
// of deviation 1, or circles of several radii and speeds, in both directions, with noise of 0.05.
func noisy(t *testing.T, name string) *series.Set {
	t.Helper()
	random := rand.New(rand.NewPCG(1, 1))
	between := func(a, b float64) float64 { return a + (b-a)*random.Float64() }
	text := "id,t,x,y\n"
	for g := range 60 {
		angle, at := between(0, 2*math.Pi), 0.0
		speed, radius, rate := between(0.5, 2), between(5, 20), between(0.05, 0.15)*float64(1-2*(g%2))
		x, y := 100*random.NormFloat64(), 100*random.NormFloat64()
		for range 100 {
			sin, cos := math.Sincos(angle)
			way, noise := speed*at, 1.0
			if name == "circles" {
				sin, cos = math.Sincos(angle + rate*at)
				way, noise = radius, 0.05
			}
			text += fmt.Sprintf("%d,%.9f,%.9f,%.9f\n", g, at, x+way*cos+noise*random.NormFloat64(),
				y+way*sin+noise*random.NormFloat64())
			at += between(0.5, 1.5)
		}
	}
	return pieces(t, name, text, 10, 0)
}

// TestForecastModels: the default model is ahead of both baselines on tracks whose law is known, and on lines
// near the least error that there is.
func TestForecastModels(t *testing.T) {
	for data, most := range map[string]float64{
		// The least error is about 1: targets have the noise of a place between two observations, of
		// variance about 2/3, and the least-squares line through 30 observations over a time of 30 has at a
		// time of 10 after them the variance 1/30 + 25²/2250.
		"lines":   1.15,
		"circles": 2,
	} {
		r := NewRun(Own(noisy(t, data)), "points-ridge")
		result := must(r.Run(t.Context(), backendtest.Get(t, "go"), nil))
		require.Less(t, float64(result.Mean), most, data)
		for _, rule := range result.Baselines {
			require.Less(t, float64(result.Mean), float64(rule.Mean)/1.8, "%s, %s", data, rule.Name)
		}
	}
}

// TestBaselines: errors are the root mean squares over the test part of each fold, task by task.
func TestBaselines(t *testing.T) {
	c := &datasets.Collection{Info: datasets.Info{Tasks: []string{"a", "b"}, Regression: true},
		Targets: []float32{1, 10, 2, 20, 3, 30}}
	require.InDelta(t, (math.Sqrt((1+9)/2.)+math.Sqrt((100+900)/2.))/2,
		rmse(make([]float64, 6), c, []int32{0, 2}), 1e-12)
	require.Zero(t, rmse([]float64{0, 0, 2, 20, 0, 0}, c, []int32{1}))
	require.Nil(t, must(baselines(c, c, nil)))
}
