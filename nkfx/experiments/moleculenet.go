package experiments

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gomlx/compute"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/moleculenet"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// MoleculeNetDatasets are the molecules of Table 2.
var MoleculeNetDatasets = []string{"BACE", "BBBP", "HIV"}

// MoleculeSize is that of the models for molecules (Table 2).
var MoleculeSize = Size{Hidden: 64, Forms: 10, Points: 10, Layers: 10}

// Splits are the ways to split molecules: the first of the published folds,
// which the paper trains five times on, all five of them, and one fold of
// MoleculeNet's usual parts at random, at random within each class, or by
// scaffold.
var Splits = []string{"fold0", "folds", "random", "stratified", "scaffold"}

// MoleculeNet is the training of a model on a data set of molecules, some
// times over (Table 2).
type MoleculeNet struct {
	Dataset  string              // one of MoleculeNetDatasets; with Path, the name in results
	Path     string              // CSV file of any other data set, or ""
	Columns  moleculenet.Columns // of Path
	Model    string              // one of ModelNames
	Features moleculenet.Features
	Split    string // one of Splits
	Folds    int    // parts of the cross-validation, if Split is one
	Runs     int    // trainings: with seeds counting up, on every fold before the next seed
	Seed     uint32 // the first seed
	Protocol train.Protocol
	Epochs   int         // as that of TU
	Workers  int         // trainings at once; changes no result
	Team     *train.Team // whose workers these are, if runs share them; nil if not
	Out      string      // folder whose journal keeps finished trainings; "" for none
	Shard    *Shard      // part of the trainings to do; nil for all
}

// NewMoleculeNet returns the published set-up: five seeds on the first fold,
// the nine features of atoms as numbers.
func NewMoleculeNet(dataset, model string) MoleculeNet {
	return MoleculeNet{
		Dataset: dataset, Model: model, Features: moleculenet.Numbers, Split: Splits[0], Folds: 5,
		Runs: 5, Seed: 42, Protocol: train.Published(32),
	}
}

// asked returns the protocol with the number of epochs that was asked for.
func (x MoleculeNet) asked() train.Protocol { return withEpochs(x.Protocol, x.Epochs) }

// Load reads the molecules, and finds or downloads them if need be.
func (x MoleculeNet) Load(ctx context.Context) (*moleculenet.Molecules, error) {
	if x.Path == "" {
		return moleculenet.Load(ctx, x.Dataset)
	}
	m, err := moleculenet.Open(x.Path, x.Columns)
	if err == nil && x.Dataset != "" {
		m.Name = x.Dataset
	}
	return m, err
}

// Run trains on molecules that Load read; it does not change them. What the
// journal has is not trained again. Scores are areas under the receiver
// operating characteristic (AUROC), of several tasks their mean; of a
// regression they are root mean square errors in the units of the file.
func (x MoleculeNet) Run(ctx context.Context, backend compute.Backend, molecules *moleculenet.Molecules,
	report func(train.Progress)) (*Result, error) {
	cv, err := x.crossValidation(molecules)
	if err != nil {
		return nil, err
	}
	r, _, err := cv.run(ctx, backend, report)
	return r, err
}

// crossValidation returns what is to be trained.
func (x MoleculeNet) crossValidation(molecules *moleculenet.Molecules) (cv crossValidation, err error) {
	data, err := molecules.Collection(AtomFeatures(x.Model, x.Features))
	if err != nil {
		return cv, err
	}
	if data.Outputs() < 2 && data.Tasks == nil {
		return cv, fmt.Errorf("all molecules of %s are of class %q: there is nothing to learn", data.Name,
			data.Classes[0])
	}
	build, err := NewModel(x.Model, sizeOf(x.Model, MoleculeSize), data.Degree(), data.Outputs())
	if err != nil {
		return cv, err
	}
	folds, err := x.folds(molecules)
	if err != nil {
		return cv, fmt.Errorf("splitting %s: %w", data.Name, err)
	}
	if x.Runs < 1 {
		return cv, fmt.Errorf("%d trainings: take one or more", x.Runs)
	}
	if x.Runs%len(folds) != 0 {
		return cv, fmt.Errorf("%d runs of %d %s: take a multiple of %d", x.Runs, len(folds),
			map[bool]string{true: "fold", false: "folds"}[len(folds) == 1], len(folds))
	}
	seeds, err := seeds(x.Seed, x.Runs/len(folds))
	if err != nil {
		return cv, err
	}
	var paper *MeanStd
	split := "split=" + x.Split
	if strings.HasPrefix(x.Split, "fold") {
		paper = Paper(x.Model, x.Dataset)                    // other splits test with other molecules
		split = fmt.Sprintf("split=folds folds=%d", x.Folds) // fold 0 is one of them
	}
	metric, score := "auroc", func(s train.Scores) train.Score { return s.AUROC }
	if data.Regression {
		metric, score = "rmse", func(s train.Scores) train.Score { return s.RMSE }
	}
	if data.Tasks != nil {
		split += fmt.Sprintf(" %v of %q", molecules.Task, data.Tasks)
	}
	if x.Path != "" { // the file says nothing of the columns that were taken
		split += fmt.Sprintf(" smiles=%q labels=%q", x.Columns.SMILES, x.Columns.Labels)
	}
	selected := train.ByAUROC
	if data.Regression {
		selected = train.ByLoss
	}
	protocol := cochainProtocol(x.Model, x.Protocol, train.Published(32), data.Len(), selected)
	protocol = withEpochs(protocol, x.Epochs)
	return crossValidation{
		experiment: "moleculenet", model: x.Model, split: split, metric: metric, score: score,
		paper: paper, out: x.Out, shard: x.Shard,
		task: newTask(data, build, protocol, folds, seeds, x.Workers, x.Team),
	}, nil
}

// Untested returns the classes of which the test part of some fold has no
// molecule, ascending: the area under their curve is undefined there. Of
// several tasks, or of a regression, there are none.
func (x MoleculeNet) Untested(molecules *moleculenet.Molecules) ([]string, error) {
	if molecules.Tasks != nil {
		return nil, nil
	}
	folds, err := x.folds(molecules)
	if err != nil {
		return nil, fmt.Errorf("splitting %s: %w", molecules.Name, err)
	}
	var out []string
	for class, name := range molecules.Classes {
		absent := func(f datasets.Fold) bool {
			has := func(id int32) bool { return molecules.Labels[id] == int32(class) }
			return !slices.ContainsFunc(f.Test, has)
		}
		if slices.ContainsFunc(folds, absent) {
			out = append(out, name)
		}
	}
	return out, nil
}

// folds splits the molecules; the seed of the training changes nothing.
func (x MoleculeNet) folds(m *moleculenet.Molecules) ([]datasets.Fold, error) {
	one := func(f datasets.Fold, err error) ([]datasets.Fold, error) { return []datasets.Fold{f}, err }
	switch x.Split {
	case "fold0", "folds":
		folds, err := datasets.StratifiedFolds(m.Labels, x.Folds, splitSeed)
		if err != nil || x.Split == "folds" {
			return folds, err
		}
		return folds[:1], nil
	case "random":
		return one(moleculenet.RandomSplit(m.Len(), moleculenet.Usual, splitSeed))
	case "stratified":
		return one(moleculenet.StratifiedSplit(m.Labels, moleculenet.Usual, splitSeed))
	case "scaffold":
		return one(m.ScaffoldSplit(moleculenet.Usual))
	}
	return nil, fmt.Errorf("no split %q: there are %s", x.Split, strings.Join(Splits, ", "))
}

// MoleculeNetDataset returns the name of a data set of Table 2 that is given
// in upper or lower case.
func MoleculeNetDataset(name string) (string, error) {
	i := slices.IndexFunc(MoleculeNetDatasets, func(s string) bool { return strings.EqualFold(s, name) })
	if i < 0 {
		return "", fmt.Errorf("no data set %q in Table 2: there are %s", name,
			strings.Join(MoleculeNetDatasets, ", "))
	}
	return MoleculeNetDatasets[i], nil
}
