// Clouds adds a kind of data to those of nkf: labeled point clouds, with forms on their Vietoris–Rips
// complexes. `clouds TRAIN.csv TEST.csv` cross-validates, trains on all clouds of the first table, saves the
// model, loads it, and classifies those of the second.
package main

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/neuralkforms/nkf/layers/backends"
	"github.com/neuralkforms/nkf/nkfx/experiments"
	"github.com/neuralkforms/nkf/nkfx/models"
)

func init() {
	clouds := models.Kind{Name: "clouds", Model: "nkf", Metric: "accuracy", Encoder: NewRips}
	models.Kinds = append(models.Kinds, clouds)
}

func main() {
	if len(os.Args) != 3 {
		log.Fatal("usage: clouds TRAIN.csv TEST.csv")
	}
	if err := run(context.Background(), os.Args[1], os.Args[2], "clouds-model"); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, known, unknown, folder string) error {
	backend, err := backends.New()
	if err != nil {
		return err
	}
	train, err := Open(known)
	if err != nil {
		return err
	}
	test, err := Open(unknown)
	if err != nil {
		return err
	}
	result, saved, err := experiments.NewRun(experiments.Own(train), "nkf").Train(ctx, backend, nil)
	if err != nil {
		return err
	}
	fmt.Println(result)
	if err := saved.Save(folder); err != nil {
		return err
	}
	model, err := models.Load(folder, backend)
	if err != nil {
		return err
	}
	predictions, err := model.Predict(ctx, test)
	if err != nil {
		return err
	}
	for g, p := range predictions {
		fmt.Println(test.names[g], p.Class)
	}
	return nil
}
