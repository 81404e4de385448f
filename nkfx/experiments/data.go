package experiments

import (
	"fmt"
	"slices"
	"strings"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/mesh"
	"github.com/neuralkforms/nkf/datasets/moleculenet"
	"github.com/neuralkforms/nkf/datasets/series"
	"github.com/neuralkforms/nkf/datasets/tu"
	"github.com/neuralkforms/nkf/nkfx/models"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// Data is a data set that has been read: graphs or molecules, of which
// collections with several features can be made, paths, or one collection.
type Data struct {
	Name       string
	SHA256     string // of the file
	Graphs     *tu.Archive
	Molecules  *moleculenet.Molecules
	Columns    moleculenet.Columns // of molecules in a file of a user's
	Paths      *series.Set         // time series and tracks, which are prepared for the models
	ByTime     bool                // whether paths are resampled evenly in time
	Tracks     series.Columns      // of tracks in files of a user's
	Tests      []string            // SHA-256 of files of a user's that paths are tested with
	Meshes     *mesh.Set
	Collection *datasets.Collection
}

// changed returns the data with another split of its paths, and with further
// parts to test with that lack a share of their observations.
func (d *Data) changed(resample int, drop float64) (*Data, error) {
	if resample == 0 && drop == 0 {
		return d, nil
	}
	if d.Paths == nil {
		return nil, fmt.Errorf("%s has no paths, to be split anew or to lack observations", d.Name)
	}
	paths, err := d.Paths.Resample(resample)
	if err == nil && drop != 0 {
		paths, err = paths.Drop(drop)
	}
	out := *d
	out.Paths = paths
	return &out, err
}

// features returns those that stand for what is asked for. Where nothing is,
// a model that the paper does not have takes kinds of vertices, one-hot: labels
// of nodes where there are any, and atoms.
func (d *Data) features(asked string, m models.Model) string {
	switch {
	case d.Graphs != nil && !m.Published() && (asked == "" || asked == tu.Automatic.String()) &&
		d.Graphs.NodeLabels.Columns > 0:
		return tu.Labels.String()
	case d.Molecules != nil && asked == "" && m.Published():
		return moleculenet.Numbers.String()
	case d.Molecules != nil && asked == "":
		return moleculenet.OneHot.String()
	}
	return asked
}

// collection returns the data with features as coordinates, and puts down in
// the model what it takes to make the same coordinates of other data.
func (d *Data) collection(features string, saved *models.Saved) (*datasets.Collection, error) {
	switch {
	case d.Graphs != nil:
		f, err := tu.ParseFeatures(features)
		if err != nil {
			return nil, err
		}
		if saved.Encoding, err = d.Graphs.Encoding(f); err != nil {
			return nil, err
		}
		return d.Graphs.Collection(f)
	case d.Molecules != nil:
		f, err := moleculenet.ParseFeatures(features)
		if err != nil {
			return nil, err
		}
		saved.Features, saved.Elements = f.String(), models.Elements(d.Molecules.Atoms)
		saved.SMILES = d.Columns.SMILES
		if d.Molecules.Tasks == nil && len(d.Columns.Labels) == 1 {
			saved.Label = d.Columns.Labels[0]
		}
		return d.Molecules.Collection(f)
	case d.Meshes != nil && features == "":
		return d.Meshes.Collection(saved.Mesh)
	case d.Paths != nil && features == "":
		prepare := series.Prepare
		if d.ByTime {
			prepare = series.PrepareByTime
		}
		p, err := prepare(d.Paths.Collection, d.Paths.Split.Train)
		if err != nil {
			return nil, err
		}
		saved.Preparation, saved.Columns = p, &d.Paths.Header
		if d.Paths.IDs != nil && d.Paths.Tasks == nil && !d.Tracks.Folders {
			saved.Label = d.Paths.Label
		}
		return p.Apply(d.Paths.Collection)
	}
	if features != "" {
		return nil, fmt.Errorf("%s has no choice of features, but %q were asked for", d.Name, features)
	}
	return d.Collection, d.Collection.Validate()
}

// available returns the features that graphs have of those asked for, or, if
// they have none, those that [tu.Automatic] takes; of other data those asked
// for.
func (d *Data) available(asked string) (string, error) {
	if d.Graphs == nil || asked == "" {
		return asked, nil
	}
	features, err := tu.ParseFeatures(asked)
	if err != nil || features == tu.Automatic {
		return asked, err
	}
	have := tu.Degree
	if d.Graphs.NodeAttributes.Columns > 0 {
		have |= tu.Attributes
	}
	if d.Graphs.NodeLabels.Columns > 0 {
		have |= tu.Labels
	}
	switch {
	case features&have != 0:
		have &= features
	case have != tu.Degree:
		have &^= tu.Degree
	}
	return have.String(), nil
}

// Splits are the ways to split data: the first of some stratified folds, which
// the paper trains on molecules with, all of them, and one fold of MoleculeNet's
// usual parts at random, at random within each class, or, of molecules, by
// scaffold.
var Splits = []string{"fold0", "folds", "random", "stratified", "scaffold"}

// splitSeed fixes the folds, which do not depend on the seed of the training
// (paper, appendix E).
const splitSeed = 42

// folds splits the data; count is the number of folds where there are several.
func (d *Data) folds(data *datasets.Collection, split string, count int) ([]datasets.Fold, error) {
	one := func(f datasets.Fold, err error) ([]datasets.Fold, error) { return []datasets.Fold{f}, err }
	switch {
	case split == "folds" || split == "fold0":
		folds, err := datasets.StratifiedFolds(data.Labels, count, splitSeed)
		if err != nil || split == "folds" {
			return folds, err
		}
		return folds[:1], nil
	case split == "random":
		return one(moleculenet.RandomSplit(data.Len(), splitSeed))
	case split == "stratified":
		return one(moleculenet.StratifiedSplit(data.Labels, splitSeed))
	case split == "scaffold" && d.Molecules != nil:
		return one(d.Molecules.ScaffoldSplit())
	case split == defaultSplit && d.Paths != nil && len(d.Paths.Split.Test) > 0:
		return one(d.Paths.Split, nil)
	case split == defaultSplit:
		return nil, fmt.Errorf("the default split is one of data sets with a training and a test file")
	case split == "scaffold":
		return nil, fmt.Errorf("a split by scaffold is one of molecules")
	}
	return nil, fmt.Errorf("no split %q: there are %s", split, strings.Join(Splits, ", "))
}

// unvalidated adds what folds hold out to what they train on, for models that
// choose nothing in a training.
func unvalidated(folds []datasets.Fold) {
	for i := range folds {
		folds[i].Train = slices.Concat(folds[i].Train, folds[i].Validation)
		folds[i].Validation = nil
	}
}

// validate holds out a quarter of what folds train on, evenly by class, where
// they have nothing to validate with.
func validate(data *datasets.Collection, folds []datasets.Fold) error {
	for f, fold := range folds {
		if len(fold.Validation) > 0 {
			continue
		}
		labels := make([]int32, len(fold.Train))
		for i, id := range fold.Train {
			labels[i] = data.Labels[id]
		}
		quarters, err := datasets.StratifiedFolds(labels, 4, splitSeed)
		if err != nil {
			return err
		}
		ids := func(places []int32) (out []int32) {
			for _, i := range places {
				out = append(out, fold.Train[i])
			}
			return out
		}
		q := quarters[0]
		folds[f] = datasets.Fold{
			Train: ids(slices.Concat(q.Train, q.Validation)), Validation: ids(q.Test), Test: fold.Test,
		}
	}
	return nil
}

// metric returns the name of the score that models are compared by, the score,
// and what the best epoch is chosen by in models with a protocol of their own.
func (d *Data) metric(data *datasets.Collection) (string, func(train.Scores) train.Score, string) {
	switch {
	case data.Regression:
		return "rmse", func(s train.Scores) train.Score { return s.RMSE }, ""
	case d.Molecules != nil || data.Tasks != nil:
		return "auroc", func(s train.Scores) train.Score { return s.AUROC }, "auroc"
	}
	return "accuracy", func(s train.Scores) train.Score { return s.Accuracy }, "accuracy"
}
