package experiments

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// baselines returns the errors of rules without learning, which a source may have, on the test parts of
// folds: mean and deviation of the root mean squared error.
func baselines(source datasets.Source, data *datasets.Collection, folds []datasets.Fold) (all []Other,
	err error) {
	b, ok := source.(datasets.Baseliner)
	if !ok {
		return nil, nil
	}
	names, predicted, err := b.Baselines()
	if err != nil {
		return nil, fmt.Errorf("the baselines of %s: %w", data.Name, err)
	}
	for i, name := range names {
		var errors []float64
		for _, f := range folds {
			errors = append(errors, rmse(predicted[i], data, f.Test))
		}
		mean, deviation := stat.PopMeanStdDev(errors, nil)
		all = append(all, Other{name, train.Score(mean), train.Score(deviation)})
	}
	return all, nil
}

// rmse returns the root mean squared error of predictions [G, tasks] on some complexes, as the mean over the
// tasks.
func rmse(predicted []float64, data *datasets.Collection, ids []int32) (mean float64) {
	tasks := len(data.Tasks)
	for task := range tasks {
		sum := 0.0
		for _, id := range ids {
			at := int(id)*tasks + task
			sum += math.Pow(predicted[at]-float64(data.Targets[at]), 2)
		}
		mean += math.Sqrt(sum/float64(len(ids))) / float64(tasks)
	}
	return mean
}
