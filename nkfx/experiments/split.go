package experiments

import (
	"fmt"
	"slices"
	"strings"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/moleculenet"
	"github.com/neuralkforms/nkf/datasets/series"
	"github.com/neuralkforms/nkf/nkfx/models"
)

// Splits are the kinds of splits: the first of several stratified folds, as in the paper for molecules; all
// of these folds; and one fold with MoleculeNet's proportions, drawn at random, at random within each class,
// or, for molecules, by scaffold.
var Splits = []string{"fold0", "folds", "random", "stratified", "scaffold"}

// splitSeed fixes the folds, which do not depend on the seed of the training
// (paper, appendix E).
const splitSeed = 42

// split returns the folds of a split of encoded data; count is their number where there are several.
func split(source datasets.Source, data *datasets.Collection, name string, count int) (
	folds []datasets.Fold, err error) {
	one := func(f datasets.Fold, e error) { folds, err = []datasets.Fold{f}, e }
	switch own, ok := ownSplits(source)[name]; {
	case ok:
		one(own())
	case name == "folds" || name == "fold0":
		folds, err = datasets.StratifiedFolds(data.Labels, count, splitSeed)
		if name == "fold0" && err == nil {
			folds = folds[:1]
		}
	case name == "random":
		one(datasets.StratifiedSplit(make([]int32, data.Len()), splitSeed))
	case name == "stratified":
		one(datasets.StratifiedSplit(data.Labels, splitSeed))
	case name == defaultSplit || slices.Contains(Splits, name):
		err = fmt.Errorf("%s cannot be split by %s", source.Kind(), name)
	default:
		err = fmt.Errorf("no split %q: want one of %s", name, strings.Join(Splits, ", "))
	}
	return folds, err
}

// ownSplits returns the splits that come with data, by name: of molecules that by scaffolds, of paths that of
// a training and a test file.
func ownSplits(source datasets.Source) map[string]func() (datasets.Fold, error) {
	switch s := source.(type) {
	case *moleculenet.Molecules:
		return map[string]func() (datasets.Fold, error){"scaffold": s.ScaffoldSplit}
	case *series.Set:
		if len(s.Split.Test) > 0 {
			return map[string]func() (datasets.Fold, error){
				defaultSplit: func() (datasets.Fold, error) { return s.Split, nil }}
		}
	}
	return nil
}

// validated returns a fold with a validation part of a quarter of its training part, evenly by class, unless
// it has one. For trainings without validation, that part joins the training part instead.
func validated(fold datasets.Fold, data *datasets.Collection, without bool) (datasets.Fold, error) {
	if without {
		fold.Train, fold.Validation = slices.Concat(fold.Train, fold.Validation), nil
	}
	if without || len(fold.Validation) > 0 {
		return fold, nil
	}
	quarters, err := datasets.StratifiedFolds(pick(data.Labels, fold.Train), 4, splitSeed)
	if err != nil {
		return fold, err
	}
	q := quarters[0]
	return datasets.Fold{
		Train:      pick(fold.Train, slices.Concat(q.Train, q.Validation)),
		Validation: pick(fold.Train, q.Test), Test: fold.Test,
	}, nil
}

// pick returns the values at some places.
func pick(values, places []int32) (out []int32) {
	for _, i := range places {
		out = append(out, values[i])
	}
	return out
}

// metric returns the name of the score that models of a kind of data are compared by.
func metric(kind string, info datasets.Info) string {
	k, _ := models.KindOf(kind) // a program's own is compared by accuracy
	switch {
	case info.Regression:
		return "rmse"
	case info.Tasks != nil || k.Metric == "auroc":
		return "auroc"
	}
	return "accuracy"
}

// available returns the features of those asked for that the source has, if it may lack some.
func available(source datasets.Source, asked string) (string, error) {
	if s, ok := source.(interface{ Available(string) (string, error) }); ok && asked != "" {
		return s.Available(asked)
	}
	return asked, nil
}
