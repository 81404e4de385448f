package main

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/dustin/go-humanize/english"
	"github.com/gomlx/compute"
	"github.com/spf13/cobra"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/fileio"
	"github.com/neuralkforms/nkf/nkfx/experiments"
	"github.com/neuralkforms/nkf/nkfx/models"
)

// training is what the command train is asked for.
type training struct {
	experiments.Run
	source *source
	name   string
}

// train returns the command that trains on a user's own data.
func (a *app) train() *cobra.Command {
	x := &training{Run: experiments.NewRun(experiments.Benchmark{Split: "folds", Seeds: 1}, "nkf")}
	cmd := a.command("train {--tu PATH | --mesh PATH | --ts FILE |\n"+
		"            --csv FILE --smiles COLUMN --label COLUMN[,COLUMN…] |\n"+
		"            --csv FILE --coordinates COLUMN[,COLUMN…] --id COLUMN --label COLUMN}",
		"Cross-validate on your own data, then train on all of it and save the model",
		"With --test there is no cross-validation: that file has the test data.\n\n"+modelsHelp(),
		func(ctx context.Context, _ []string) error { return a.trainOn(ctx, x) })
	s := newSource(a, cmd, &x.Run)
	x.source = s
	s.addPlain("features")
	s.addMolecules("smiles label", "task split features")
	s.addPaths("test split", "coordinates id label", "order test split task")
	s.oneOf()
	s.column(&s.id, "id", "paths: `COLUMN` with the ID of the path")
	s.columns(&s.labels, "label",
		"`COLUMN`s to learn: one of classes, several of 0 and 1, or numbers; gaps are allowed")
	addText(cmd, &s.test, "test", "FILE", "paths: `FILE` with test data")
	tasks := []string{
		datasets.Automatic.String(), datasets.Classification.String(), datasets.Regression.String(),
	}
	addFlag(cmd, &s.task, "task", "NAME", "molecules and paths: "+strings.Join(tasks, ", "),
		datasets.ParseTask, tasks...)
	addChoice(cmd, &x.Split, "split", "molecules and paths: "+strings.Join(experiments.Splits, ", "),
		experiments.Splits)
	addFlag(cmd, &x.Model, "model", "NAME", "one of the models above; for paths the default is path",
		func(text string) (string, error) {
			_, err := models.Lookup(text, models.Size{})
			return text, err
		}, slices.Concat(models.AllNames(), slices.Sorted(maps.Keys(models.Variants())))...)
	addText(cmd, &x.Features, "features", "FEATURES", "graphs: "+featuresHelp+"; "+
		"molecules: numbers or one-hot")
	addNumber(cmd, &x.Folds, "folds", "number of folds of the cross-validation", 2, most)
	a.addSeeds(cmd, "seeds", &x.Settings, &x.Seeds, "trainings per fold, with consecutive seeds")
	a.check(cmd, func() error { return epochsOnce(cmd, x.Model) })
	a.trainingFlags(cmd, &x.Settings)
	addFlag(cmd, &x.name, "name", "NAME",
		"`NAME` of the model, under models in --out (default DATA-COLUMN-MODEL)",
		func(text string) (string, error) { return text, experiments.ValidName(text) })
	cmd.MarkFlagsMutuallyExclusive("shard", "name")
	cmd.MarkFlagsMutuallyExclusive("test", "split")
	cmd.MarkFlagsMutuallyExclusive("test", "folds")
	return cmd
}

// modelsHelp lists the models, and what each is.
func modelsHelp() string {
	text := "Models; their options can be changed, as in path:kind=constant:layers=2:\n"
	for _, name := range models.AllNames() {
		m, err := models.Lookup(name, models.Size{})
		must(err)
		text += fmt.Sprintf("\n  %-15s %s", name, m.Help)
		if m.Kind != "" {
			text += "; for " + m.Kind
		}
	}
	return text + "\n\nand with changed options " +
		strings.Join(slices.Sorted(maps.Keys(models.Variants())), ", ") + "."
}

// trainOn trains on a user's own data.
func (a *app) trainOn(ctx context.Context, x *training) (err error) {
	if x.Data, err = x.source.open(nil); err != nil {
		return err
	}
	x.Benchmark = experiments.Own(x.Data)
	name := x.Data.Describe().Name
	end := a.during("preparing " + name)
	prepared, err := x.Prepare(ctx)
	end()
	if err != nil {
		return err
	}
	backend, err := a.backend()
	if err != nil {
		return err
	}
	line := a.progress()
	if x.Shard == nil {
		return a.trainModel(ctx, x, prepared, backend, line)
	}
	_, err = prepared.Run(ctx, backend, line.of(name+" "+x.Model))
	line.close()
	if err == nil {
		a.reportShard(x.Shard, x.Out)
	}
	return err
}

// trainModel trains a model and saves it under the name that it was given, or under one that says what it
// is of. That it can be saved is known before anything is trained.
func (a *app) trainModel(ctx context.Context, x *training, prepared *experiments.Training,
	backend compute.Backend, line *progress) (err error) {
	folder := prepared.Folder(x.Out)
	if x.name != "" {
		folder = filepath.Join(x.Out, "models", x.name)
	}
	const remedy = "%w (--name takes one)"
	if _, err := prepared.Reserve(folder); err != nil {
		return fmt.Errorf(remedy, err)
	}
	result, model, err := prepared.Train(ctx, backend, line.of(x.Data.Describe().Name+" "+x.Model))
	line.close()
	if err != nil {
		return err
	}
	old, err := prepared.Reserve(folder) // another run may have saved one there meanwhile
	if err != nil {
		return fmt.Errorf(remedy, err)
	}
	if err := model.Save(folder); err != nil {
		return err
	}
	if old != nil && old.Training() != model.Training() {
		fmt.Fprintf(a.stderr, "nkf: %s held a model with other settings (%s), which is replaced\n", folder,
			fileio.Printable(old.Training()))
	}
	if err := a.printResults([]*experiments.Result{result}); err != nil || a.asJSON {
		return err
	}
	_, err = fmt.Fprintf(a.stdout, "trained on everything for %s; the model is in %s\n",
		english.Plural(model.Epochs, "epoch", ""), folder)
	return err
}
