package experiments

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats/scalar"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/neuralkforms/nkf/nkfx/train"
)

// Comparison is the difference between the scores of two models, first minus second, in percentage points.
// Its unit is a data set, or on a single data set a fold; trainings of one fold with several seeds count as
// one, the mean of their differences.
type Comparison struct {
	Differences []float64 // by unit
	Mean        float64
	Low, High   float64 // 95 % confidence interval of the mean
	P           float64 // two-sided p-value of Wilcoxon's signed-rank test over data sets; NaN of folds
}

// CompareFolds compares a score of two models on one data set, fold by fold. The interval is that of the
// corrected resampled t-test (Nadeau and Bengio, "Inference for the Generalization Error", Machine Learning
// 52, 2003), since the training parts of folds overlap. It returns nil if the folds or the data are not the
// same, or if fewer than two folds have both scores, since one test part does not show the variation between
// data.
func CompareFolds(first, second *Result, score func(*Result, train.Fit) train.Score) *Comparison {
	c := &Comparison{Differences: foldDifferences(first, second, score), P: math.NaN()}
	folds := numbersOf(first.Folds)
	if len(c.Differences) < 2 || !slices.Equal(folds, numbersOf(second.Folds)) ||
		first.DataSHA256 != second.DataSHA256 {
		return nil
	}
	// In k-fold cross-validation the test part is 1/(k-1) as large as the rest.
	c.bound(1/float64(len(c.Differences)) + 1/float64(len(folds)-1))
	return c
}

// numbersOf returns the numbers of the folds of trainings, ascending.
func numbersOf(fits []train.Fit) (folds []int) {
	for _, f := range fits {
		folds = append(folds, f.Fold)
	}
	slices.Sort(folds)
	return slices.Compact(folds)
}

// CompareSets compares a score of two models over data sets. Each data set counts once, by its first column
// in which both models have a result. It returns nil if there are fewer than two.
func CompareSets(first, second []*Result, score func(*Result, train.Fit) train.Score) *Comparison {
	c := &Comparison{}
	var seen []string
	for i, a := range first {
		if b := second[i]; a != nil && b != nil && !slices.Contains(seen, a.Dataset) {
			if d := foldDifferences(a, b, score); len(d) > 0 {
				seen = append(seen, a.Dataset)
				c.Differences = append(c.Differences, exact(stat.Mean(d, nil)))
			}
		}
	}
	sets := float64(len(c.Differences))
	if sets < 2 {
		return nil
	}
	c.bound(1 / sets)
	c.P = wilcoxon(c.Differences)
	return c
}

// foldDifferences returns the mean difference over the seeds of every fold, fold by fold.
func foldDifferences(first, second *Result, score func(*Result, train.Fit) train.Score) (means []float64) {
	byFold := map[int][]float64{}
	for _, a := range first.Folds {
		i := slices.IndexFunc(second.Folds, func(b train.Fit) bool {
			return a.Fold == b.Fold && a.Seed == b.Seed
		})
		if i < 0 {
			continue
		}
		if d := score(first, a) - score(second, second.Folds[i]); d.Defined() {
			byFold[a.Fold] = append(byFold[a.Fold], float64(d))
		}
	}
	for _, fold := range slices.Sorted(maps.Keys(byFold)) {
		means = append(means, exact(stat.Mean(byFold[fold], nil)))
	}
	return means
}

// exact returns a difference of scores without what rounding leaves: equal means of other scores differ by
// about 1e-15, which would count as a difference in the signed-rank test.
func exact(difference float64) float64 { return scalar.Round(difference, 9) }

// bound sets the mean and its interval; share is the variance of the mean in units of that of a difference.
func (c *Comparison) bound(share float64) {
	mean, std := stat.MeanStdDev(c.Differences, nil)
	quantile := distuv.StudentsT{Sigma: 1, Nu: float64(len(c.Differences) - 1)}.Quantile(0.975)
	half := quantile * std * math.Sqrt(share)
	c.Mean, c.Low, c.High = mean, mean-half, mean+half
}

// wilcoxon returns the exact two-sided p-value of the signed-rank test (Wilcoxon, "Individual Comparisons by
// Ranking Methods", Biometrics Bulletin 1, 1945), without differences of zero and with mean ranks of ties.
func wilcoxon(differences []float64) float64 {
	d := slices.DeleteFunc(slices.Clone(differences), func(x float64) bool { return x == 0 })
	slices.SortFunc(d, func(a, b float64) int { return cmp.Compare(math.Abs(a), math.Abs(b)) })
	// Ranks are doubled, so that those of ties are whole.
	ranks, positive, total := make([]int, len(d)), 0, len(d)*(len(d)+1)
	for i, end := 0, 0; i < len(d); i = end {
		for end < len(d) && math.Abs(d[end]) == math.Abs(d[i]) {
			end++
		}
		for j := i; j < end; j++ {
			if ranks[j] = i + 1 + end; d[j] > 0 {
				positive += ranks[j]
			}
		}
	}
	// chances[s] is the probability of the sum s of positive ranks.
	chances := make([]float64, total+1)
	chances[0] = 1
	for _, rank := range ranks {
		for s := total; s >= 0; s-- {
			chances[s] /= 2
			if s >= rank {
				chances[s] += chances[s-rank] / 2
			}
		}
	}
	tail := 0.0
	for s := range min(positive, total-positive) + 1 {
		tail += chances[s]
	}
	return min(1, 2*tail)
}
