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
	"github.com/neuralkforms/nkf/nkfx/experiments"
	"github.com/neuralkforms/nkf/nkfx/models"
)

// training is what the command train is asked for.
type training struct {
	experiments.Run
	request
	name string
}

// train returns the command that trains on a user's own data.
func (a *app) train() *cobra.Command {
	x := &training{Run: experiments.NewRun(experiments.Own("graphs"), "nkf")}
	cmd := a.command("train {--tu FILE|DIR | --mesh PATH | --csv FILE --smiles COLUMN\n"+
		"            --label COLUMN[,COLUMN…] |\n"+
		"            --ts FILE | --tracks PATH [--label COLUMN --id COLUMN --x COLUMN --y COLUMN]}",
		"Cross-validate on your own data, then train on all of it and save the model",
		"Data are graphs, molecules, triangle meshes, time series or tracks. With --test there is no\n"+
			"cross-validation: the file of that name is what is tested with. A folder with a folder of\n"+
			"tracks for every class needs no --label.\n\n"+modelsHelp(),
		func(ctx context.Context, _ []string) error { return a.trainOn(ctx, x) })
	x.request.cmd, x.request.run = cmd, &x.Run
	x.request.add(a)
	cmd.Flags().StringSliceVar(&x.labels, "label", nil,
		"`COLUMN`s with what to learn: one of classes, several of 0 and 1, or numbers; gaps are allowed")
	completeList(cmd, "label", x.columns)
	tasks := []string{
		datasets.Automatic.String(), datasets.Classification.String(), datasets.Regression.String(),
	}
	addFlag(cmd, &x.task, "task", "NAME", "of molecules and tracks: "+strings.Join(tasks, ", "),
		datasets.ParseTask, tasks...)
	addChoice(cmd, &x.Split, "split", "of molecules and paths: "+strings.Join(experiments.Splits, ", "),
		experiments.Splits)
	addFlag(cmd, &x.Model, "model", "NAME", "one of those above, with changed options after colons "+
		"(default of paths path, of meshes mesh-forms)", modelNamed,
		slices.Concat(models.AllNames(), slices.Sorted(maps.Keys(models.Variants())))...)
	addText(cmd, &x.Features, "features", "NAMES", "of graphs: "+featuresHelp+
		" (default automatic); of molecules: numbers or one-hot (default numbers; cochain networks: one-hot)",
		x.completeFeatures)
	addNumber(cmd, &x.Folds, "folds", "parts of the cross-validation", 2, most)
	addSeeds(cmd, "seeds", &x.Seed, &x.Seeds, "trainings of every fold")
	a.trainingFlags(cmd, &x.Protocol, &x.Seed, &x.Workers, &x.Out, &x.Shard)
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
	text := "Models, whose options can be changed, as in path:kind=constant:members=1:\n"
	for _, name := range models.AllNames() {
		m, err := models.Lookup(name, models.Size{})
		must(err)
		text += fmt.Sprintf("\n  %-15s %s", name, m.Help)
		if m.Kind != "" {
			text += "; for " + m.Kind
		}
	}
	text += "\n\nModels with changed options and names of their own:\n"
	for _, name := range slices.Sorted(maps.Keys(models.Variants())) {
		text += fmt.Sprintf("\n  %-16s %s", name, models.Variants()[name])
	}
	return text
}

// modelNamed reads the name of a model.
func modelNamed(text string) (string, error) {
	_, err := models.Lookup(text, models.Size{})
	return text, err
}

// completeFeatures offers the features of graphs or of molecules.
func (x *training) completeFeatures(*cobra.Command, []string, string) ([]cobra.Completion,
	cobra.ShellCompDirective) {
	if x.cmd.Flags().Changed("csv") {
		return atomFeatures, cobra.ShellCompDirectiveNoFileComp
	}
	return graphFeatures, cobra.ShellCompDirectiveNoFileComp
}

// trainOn trains on a user's own data.
func (a *app) trainOn(ctx context.Context, x *training) (err error) {
	if x.Data, err = x.given().open(nil); err != nil {
		return err
	}
	name := x.Data.Describe().Name
	end := a.during("preparing " + name)
	prepared, err := x.Prepare(ctx)
	end()
	if err != nil {
		return err
	}
	if untested := prepared.Untested(); len(untested) > 0 {
		fmt.Fprintf(a.stderr, "nkf: %s: in some test part there is none of class %s, whose area "+
			"is then undefined and left out: ask for fewer folds, or another --split\n", name,
			quotedSome(untested))
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
	old, err := prepared.Reserve(folder)
	if err != nil {
		return fmt.Errorf("%w (--name takes one)", err)
	}
	defer func() {
		if err != nil {
			_ = prepared.Release(folder) // an empty folder does no harm
		}
	}()
	result, model, err := prepared.Train(ctx, backend, line.of(x.Data.Describe().Name+" "+x.Model))
	line.close()
	if err != nil {
		return err
	}
	if err := model.Save(folder); err != nil {
		return err
	}
	if old != nil && old.Training() != model.Training() {
		fmt.Fprintf(a.stderr, "nkf: %s held a model with other settings (%s), which is replaced\n", folder,
			datasets.Printable(old.Training()))
	}
	if a.asJSON {
		return writeJSON(a.stdout, result)
	}
	for _, f := range result.Folds {
		if f.Chosen != "" {
			fmt.Fprintf(a.stderr, "nkf: fold %d, chosen within its training part: %s\n", f.Fold, f.Chosen)
		}
	}
	if err := a.printResults([]*experiments.Result{result}); err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.stdout, "trained on everything for %s; the model is in %s\n",
		english.Plural(model.Epochs, "epoch", ""), folder)
	return err
}
