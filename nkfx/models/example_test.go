package models_test

import (
	"context"
	"fmt"
	"os"

	"github.com/gomlx/compute"

	"github.com/neuralkforms/nkf/datasets/moleculenet"
	"github.com/neuralkforms/nkf/layers/backends"
	"github.com/neuralkforms/nkf/nkfx/experiments"
	"github.com/neuralkforms/nkf/nkfx/models"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// A model of the folder in which `nkf train` has saved it says what it makes of
// a molecule.
func ExampleLoad() {
	backend, err := backends.Open("go", nil) // or XLA
	check(err)
	folder := someModel(backend) // e.g. results/models/BBBP-nkf
	defer os.RemoveAll(folder)
	model, err := models.Load(folder, backend)
	check(err)
	p, err := model.PredictSMILES("CCO")
	check(err)
	fmt.Println(len(p.Probabilities), "classes,", p.Unseen, "unseen atoms")
	// Output: 2 classes, 0 unseen atoms
}

// someModel trains on some molecules for an epoch, and returns the folder that
// the model is saved in.
func someModel(backend compute.Backend) string {
	data, err := moleculenet.Open("../../datasets/moleculenet/testdata/excerpt.csv",
		moleculenet.Columns{SMILES: "smiles", Labels: []string{"p_np"}})
	check(err)
	x := experiments.NewRun(experiments.Own(data), "nkf")
	x.Folds, x.Protocol = 2, func(p *train.Protocol) { p.Epochs = 1 }
	_, saved, err := x.Train(context.Background(), backend, nil)
	check(err)
	folder, err := os.MkdirTemp("", "")
	check(err)
	check(saved.Save(folder))
	return folder
}

// check ends the program for errors.
func check(err error) {
	if err != nil {
		panic(err)
	}
}
