package experiments

import (
	"fmt"
	"slices"
	"strings"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/nkfx/models"
)

// Splits are the kinds of splits: the first of several stratified folds, as in the paper for molecules; all
// of these folds; and one fold with MoleculeNet's proportions, drawn at random, at random within each class,
// or, for molecules, by scaffold.
var Splits = []string{"fold0", "folds", "random", "stratified", "scaffold"}

// splitSeed fixes the folds, which do not depend on the seed of the training
// (paper, appendix E).
const splitSeed = 42

// splitter splits data with the given labels.
type splitter func(labels []int32) ([]datasets.Fold, error)

// splitting returns a splitter; count is the number of folds where there are several. It is an error if the
// data cannot be split that way, which shows before anything is computed of them.
func splitting(source datasets.Source, split string, count int) (splitter, error) {
	one := func(f datasets.Fold, err error) ([]datasets.Fold, error) { return []datasets.Fold{f}, err }
	switch split {
	case "folds", "fold0":
		return func(labels []int32) ([]datasets.Fold, error) {
			folds, err := datasets.StratifiedFolds(labels, count, splitSeed)
			if err != nil || split == "folds" {
				return folds, err
			}
			return folds[:1], nil
		}, nil
	case "random":
		return func(labels []int32) ([]datasets.Fold, error) {
			return one(datasets.StratifiedSplit(make([]int32, len(labels)), splitSeed))
		}, nil
	case "stratified":
		return func(labels []int32) ([]datasets.Fold, error) {
			return one(datasets.StratifiedSplit(labels, splitSeed))
		}, nil
	}
	if s, ok := source.(datasets.Splitter); ok {
		if fold, ok, err := s.Fold(split); ok {
			return func([]int32) ([]datasets.Fold, error) { return one(fold, nil) }, err
		}
	}
	if split == defaultSplit || slices.Contains(Splits, split) {
		return nil, fmt.Errorf("%s cannot be split by %s", source.Kind(), split)
	}
	return nil, fmt.Errorf("no split %q: want one of %s", split, strings.Join(Splits, ", "))
}

// validated returns a fold with a validation part of a quarter of its training part, evenly by class, unless
// it has one. For models that choose nothing in a training, the validation part joins the training part
// instead.
func validated(fold datasets.Fold, data *datasets.Collection, fixed bool) (datasets.Fold, error) {
	if fixed {
		fold.Train, fold.Validation = slices.Concat(fold.Train, fold.Validation), nil
	}
	if fixed || len(fold.Validation) > 0 {
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
