package experiments

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/moleculenet"
	"github.com/neuralkforms/nkf/datasets/series"
)

// Splits are the kinds of splits: the first of several stratified folds, as in the paper for molecules; all
// of these folds; and one fold with MoleculeNet's proportions, drawn at random, at random within each class,
// or, for molecules, by scaffold.
var Splits = []string{"fold0", "folds", "random", "stratified", "scaffold"}

// defaultSplit is that of a data set with a training and a test file.
const defaultSplit = "default"

// splitSeed fixes the folds, which do not depend on the seed of the training (paper, appendix E).
const splitSeed = 42

// testsAsPublished reports whether a split has the published test parts.
func testsAsPublished(split string) bool {
	return split == "folds" || split == "fold0" || split == defaultSplit
}

// ownSplit returns the split of that name if it comes with the data, or else nil: for molecules the one by
// scaffold, for paths that of a training and a test file.
func ownSplit(source datasets.Source, name string) func() (datasets.Fold, error) {
	switch s := source.(type) {
	case *moleculenet.Molecules:
		if name == "scaffold" {
			return s.ScaffoldSplit
		}
	case *series.Set:
		if name == defaultSplit && len(s.Split.Test) > 0 {
			return func() (datasets.Fold, error) { return s.Split, nil }
		}
	}
	return nil
}

// folds splits the encoded data of a run. A fold without a validation part gives a quarter of its training
// part for it, evenly by class. Where validates is false for the number of complexes that are not tested, the
// validation parts join the training parts instead.
func (x *Run) folds(data *datasets.Collection, validates func(complexes int) bool) (
	folds []datasets.Fold, err error) {
	one := func(f datasets.Fold, e error) { folds, err = []datasets.Fold{f}, e }
	switch own := ownSplit(x.Data, x.Split); {
	case own != nil:
		one(own())
	case x.Split == "folds" || x.Split == "fold0":
		folds, err = datasets.StratifiedFolds(data.Labels, x.Folds, splitSeed)
	case x.Split == "random":
		one(datasets.StratifiedSplit(make([]int32, data.Len()), splitSeed))
	case x.Split == "stratified":
		one(datasets.StratifiedSplit(data.Labels, splitSeed))
	case x.Split == defaultSplit || slices.Contains(Splits, x.Split):
		err = fmt.Errorf("%s cannot be split by %s", x.Data.Kind(), x.Split)
	default:
		err = fmt.Errorf("no split %q: want one of %s", x.Split, strings.Join(Splits, ", "))
	}
	if err != nil {
		return nil, err
	}
	if x.Split == "fold0" {
		folds = folds[:1]
	}
	validate := validates(len(folds[0].Train) + len(folds[0].Validation))
	for i, f := range folds {
		switch {
		case !validate:
			folds[i].Train, folds[i].Validation = slices.Concat(f.Train, f.Validation), nil
		case len(f.Validation) == 0:
			quarters, err := datasets.StratifiedFolds(selected(data.Labels, f.Train), 4, splitSeed)
			if err != nil {
				return nil, err
			}
			q := quarters[0]
			folds[i].Train = selected(f.Train, slices.Concat(q.Train, q.Validation))
			folds[i].Validation = selected(f.Train, q.Test)
		}
	}
	return folds, nil
}

// selected returns the values at some indices.
func selected(values, indices []int32) (out []int32) {
	for _, i := range indices {
		out = append(out, values[i])
	}
	return out
}

// encodeFolds returns the data of the folds, each by an encoder that is fitted to its training and validation
// parts, and the folds in their numbers. Folds with equal encoders share data; those of different encoders
// follow each other. The data of all complexes serve folds with the encoder of all.
func (x *Run) encodeFolds(ofAll datasets.Encoder, all *datasets.Collection, folds []datasets.Fold) (
	_ *datasets.Collection, shifted []datasets.Fold, err error) {
	text, err := json.Marshal(ofAll)
	if err != nil {
		return nil, nil, err
	}
	encoded := map[string]*datasets.Collection{string(text): all} // by encoder
	var parts []*datasets.Collection                              // those that folds have
	for _, f := range folds {
		trained := slices.Sorted(slices.Values(slices.Concat(f.Train, f.Validation)))
		encoder, err := x.Data.Encoder(x.Features, trained)
		if err != nil {
			return nil, nil, err
		}
		text, err := json.Marshal(encoder)
		if err != nil {
			return nil, nil, err
		}
		part := encoded[string(text)]
		if part == nil {
			if part, err = encoder.Encode(x.Data); err != nil {
				return nil, nil, err
			}
			encoded[string(text)] = part
		}
		number := slices.Index(parts, part)
		if number < 0 {
			number, parts = len(parts), append(parts, part)
		}
		shifted = append(shifted, shift(f, int32(number*all.Len())))
	}
	data, err := join(parts)
	return data, shifted, err
}

// shift returns the fold with all numbers increased by first.
func shift(f datasets.Fold, first int32) datasets.Fold {
	for _, part := range []*[]int32{&f.Train, &f.Validation, &f.Test} {
		*part = slices.Clone(*part)
		for i := range *part {
			(*part)[i] += first
		}
	}
	return f
}

// join returns the complexes of collections with the same columns, one collection after another.
func join(parts []*datasets.Collection) (*datasets.Collection, error) {
	first := parts[0]
	if len(parts) == 1 {
		return first, nil
	}
	b := datasets.NewBuilder(first.Dim)
	b.Info = first.Info
	b.Faces = slices.ContainsFunc(first.Simplices, func(s datasets.Simplices) bool { return s.Faces != nil })
	for _, c := range parts {
		if c.Dim != first.Dim || c.Degree() != first.Degree() {
			return nil, fmt.Errorf("%s has %d coordinates and degree %d in a fold, but %d and %d in "+
				"another: the columns of an encoder may not depend on the part that it is fitted to", c.Name,
				c.Dim, c.Degree(), first.Dim, first.Degree())
		}
		for g := range c.Len() {
			simplices := make([][]int32, len(c.Simplices))
			for k := 1; k < len(simplices); k++ {
				simplices[k] = c.Corners(k, g)
			}
			b.Add(c.Points(g), simplices, c.Target(g)...)
			start := c.VertexStart
			for k, s := range c.Simplices {
				if k > 0 {
					start = s.Start
				}
				if s.Width > 0 {
					b.SetCochain(k, s.Cochain[int(start[g])*s.Width:int(start[g+1])*s.Width])
				}
			}
		}
	}
	return b.Collection()
}
