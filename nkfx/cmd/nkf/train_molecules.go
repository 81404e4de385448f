package main

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/gomlx/compute"

	"github.com/neuralkforms/nkf/datasets/moleculenet"
	"github.com/neuralkforms/nkf/nkfx"
	"github.com/neuralkforms/nkf/nkfx/experiments"
)

// trainMolecules trains on a user's own molecules; features may be "".
func (a *app) trainMolecules(ctx context.Context, x experiments.MoleculeNet, features string,
	asJSON bool) error {
	var err error
	if features != "" {
		if x.Features, err = moleculenet.ParseFeatures(features); err != nil {
			return err
		}
	}
	molecules, err := x.Load(ctx)
	if err != nil {
		return err
	}
	a.tellSkipped(molecules)
	backend, err := nkfx.Backend(nkfx.WithNotice(a.stderr))
	if err != nil {
		return err
	}
	defer backend.Finalize()
	line := a.progress(filepath.Base(x.Path) + " " + x.Model)
	result, model, err := x.Train(ctx, backend, molecules, line.epoch)
	line.close()
	if err != nil {
		return err
	}
	return a.keepModel(x.Out, result, model, a.printAreas, asJSON)
}

// predictMolecules prints the class of every molecule of a file, after its row.
func (a *app) predictMolecules(backend compute.Backend, model *experiments.SavedModel, path, column string,
	asJSON bool) error {
	molecules, err := moleculenet.Open(path, moleculenet.Columns{SMILES: column})
	if err != nil {
		return err
	}
	a.tellSkipped(molecules)
	predictions, err := model.PredictMolecules(backend, molecules)
	if err != nil {
		return err
	}
	for _, p := range predictions {
		if asJSON {
			err = a.emit(p)
		} else {
			_, err = fmt.Fprintf(a.stdout, "%d\t%s\n", p.Row, p.Class)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
