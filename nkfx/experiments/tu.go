package experiments

import (
	"context"
	"fmt"

	"github.com/gomlx/compute"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/tu"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// TUDatasets are the graph benchmarks: those of Table 1, and AIDS.
var TUDatasets = []string{"BZR", "COX2", "DHFR", "Letter-low", "Letter-med", "Letter-high", "AIDS"}

// splitSeed fixes the folds, which do not depend on the seed of the training
// (paper, appendix E).
const splitSeed = 42

// TU is the cross-validation of a model on a data set of graphs (Table 1).
type TU struct {
	Dataset  string // one of TUDatasets; "" with Path
	Path     string // zip archive or folder of any other data set in the TU format, or ""
	Model    string // one of ModelNames
	Features tu.Features
	Folds    int
	Seed     uint32 // the first seed
	Seeds    int    // trainings of every fold, with seeds counting up
	Protocol train.Protocol
	Epochs   int         // most of a training; 0: those of the protocol, or of a model that has its own
	Workers  int         // folds trained at once; changes no result
	Team     *train.Team // whose workers these are, if runs share them; nil if not
	Out      string      // folder whose journal keeps finished folds; "" for none
	Shard    *Shard      // part of the trainings to do; nil for all
}

// NewTU returns the published set-up: five folds, one seed, attributes and
// labels as features.
func NewTU(dataset, model string) TU {
	return TU{
		Dataset: dataset, Model: model, Features: tu.Automatic, Folds: 5, Seed: 42, Seeds: 1,
		Protocol: train.Published(16),
	}
}

// asked returns the protocol with the number of epochs that was asked for.
func (x TU) asked() train.Protocol { return withEpochs(x.Protocol, x.Epochs) }

// withEpochs returns the protocol with so many epochs, or its own for 0.
func withEpochs(p train.Protocol, epochs int) train.Protocol {
	if epochs != 0 {
		p.Epochs = epochs
	}
	return p
}

// Check returns an error if Run could not begin, because data are missing or
// do not fit what is asked for. It trains nothing.
func (x TU) Check(ctx context.Context) error {
	archive, err := x.Load(ctx)
	if err != nil {
		return err
	}
	_, err = x.crossValidation(archive)
	return err
}

// Run loads the data and cross-validates. Folds that the journal has are not
// trained again. With a shard there is no result, but an error.
func (x TU) Run(ctx context.Context, backend compute.Backend, report func(train.Progress)) (*Result, error) {
	archive, err := x.Load(ctx)
	if err != nil {
		return nil, err
	}
	cv, err := x.crossValidation(archive)
	if err != nil {
		return nil, err
	}
	r, _, err := cv.run(ctx, backend, report)
	return r, err
}

// Load opens the data, and finds or downloads them if need be.
func (x TU) Load(ctx context.Context) (*tu.Archive, error) {
	path := x.Path
	if path == "" {
		var err error
		if path, err = datasets.Find(ctx, x.Dataset); err != nil {
			return nil, err
		}
	}
	return tu.Open(path)
}

// crossValidation returns what is to be trained.
func (x TU) crossValidation(archive *tu.Archive) (cv crossValidation, err error) {
	data, err := archive.Collection(cochainFeatures(x.Model, x.Features, archive))
	if err != nil {
		return cv, err
	}
	if len(data.Classes) == 1 {
		return cv, fmt.Errorf("all graphs of %s are of class %q: there is nothing to learn", data.Name,
			data.Classes[0])
	}
	build, err := NewModel(x.Model, sizeOf(x.Model, GraphSize), data.Degree(), len(data.Classes))
	if err != nil {
		return cv, err
	}
	folds, err := datasets.StratifiedFolds(data.Labels, x.Folds, splitSeed)
	if err != nil {
		return cv, fmt.Errorf("splitting %s: %w", data.Name, err)
	}
	seeds, err := seeds(x.Seed, x.Seeds)
	if err != nil {
		return cv, err
	}
	protocol := cochainProtocol(x.Model, x.Protocol, train.Published(16), data.Len(), train.ByAccuracy)
	protocol = withEpochs(protocol, x.Epochs)
	return crossValidation{
		experiment: "tu", model: x.Model, split: fmt.Sprintf("folds=%d", x.Folds),
		metric: "accuracy", score: func(s train.Scores) train.Score { return s.Accuracy },
		paper: Paper(x.Model, x.Dataset), out: x.Out, shard: x.Shard,
		task: newTask(data, build, protocol, folds, seeds, x.Workers, x.Team),
	}, nil
}
