package experiments

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/nkfx/train"
)

// byFold is a result with a test score by seed and fold.
func byFold(dataset string, bySeed ...[]train.Score) *Result {
	r := &Result{Dataset: dataset, Metric: "accuracy"}
	for seed, scores := range bySeed {
		for fold, v := range scores {
			last := train.Scores{Accuracy: v}
			r.Folds = append(r.Folds, train.Fit{Fold: fold, Seed: uint32(seed), Last: last})
		}
	}
	return r
}

// TestCompareFolds: trainings of one fold count as one, and the interval is the corrected one.
func TestCompareFolds(t *testing.T) {
	a := byFold("BZR", []train.Score{80, 82, 84, 90}, []train.Score{81, 83, 85, 91})
	b := byFold("BZR", []train.Score{79, 80, 81, 86}, []train.Score{80, 81, 82, 87})
	c := CompareFolds(a, b, LastEpoch)
	require.Equal(t, []float64{1, 2, 3, 4}, c.Differences)
	require.Equal(t, 2.5, c.Mean)
	// Student's t with 3 degrees of freedom at 97.5 % is 3.18245 (any table); the variance 5/3 counts
	// 1/4 + 1/3 times.
	require.InDelta(t, 3.18245*math.Sqrt(5.0/3*7/12), c.High-c.Mean, 1e-5)
	require.InDelta(t, c.Mean-c.Low, c.High-c.Mean, 1e-12)
	require.True(t, math.IsNaN(c.P))

	// More seeds with the same differences leave everything as it is: they are no further data.
	one := CompareFolds(byFold("", []train.Score{80, 82, 84, 90}), byFold("", []train.Score{79, 80, 81, 86}),
		LastEpoch)
	require.Equal(t, c.Low, one.Low)

	undefined := train.Score(math.NaN())
	c = CompareFolds(byFold("", []train.Score{80, 82, undefined}), byFold("", []train.Score{79, 80, 81}),
		LastEpoch)
	require.Equal(t, []float64{1, 2}, c.Differences)
	require.Nil(t, CompareFolds(byFold("", []train.Score{80}, []train.Score{82}),
		byFold("", []train.Score{79}, []train.Score{70}), LastEpoch), "seeds on one test part")
	require.Nil(t, CompareFolds(byFold("", []train.Score{80, 82}), &Result{}, LastEpoch))
}

// TestCompareSets: each data set counts once, and one that lacks a model not at all.
func TestCompareSets(t *testing.T) {
	first := []*Result{byFold("BZR", []train.Score{90, 92}), byFold("BZR", []train.Score{10}),
		byFold("COX2", []train.Score{80}), byFold("DHFR", []train.Score{70})}
	second := []*Result{byFold("BZR", []train.Score{88, 88}), byFold("BZR", []train.Score{90}),
		byFold("COX2", []train.Score{79}), nil}
	c := CompareSets(first, second, LastEpoch)
	require.Equal(t, []float64{3, 1}, c.Differences)
	require.Equal(t, 2.0, c.Mean)
	// Student's quantile for one degree of freedom, 12.7062, times √2/√2.
	require.InDelta(t, 2-12.7062, c.Low, 1e-4)
	require.Equal(t, 0.5, c.P, "of four signs two are as extreme")
	require.Nil(t, CompareSets(first[2:], second[2:], LastEpoch))
}

// TestWilcoxon compares with the p-values that scipy.stats.wilcoxon gives by its exact method.
func TestWilcoxon(t *testing.T) {
	// Heights of cross- and self-fertilized corn plants (Darwin), as in SciPy's documentation.
	darwin := []float64{6, 8, 14, 16, 23, 24, 28, 29, 41, -48, 49, 56, 60, -67, 75}
	require.InDelta(t, 0.041259765625, wilcoxon(darwin), 1e-15)
	require.InDelta(t, 2.0/64, wilcoxon([]float64{1, 2, 3, 4, 5, 6, 0}), 1e-15)
	// With mean ranks 1.5, 1.5 and 3: of eight signs, {}, {1.5}, {1.5} and their complements.
	require.InDelta(t, 6.0/8, wilcoxon([]float64{1, -1, 2}), 1e-15)
	require.Equal(t, 1.0, wilcoxon(nil))
}
