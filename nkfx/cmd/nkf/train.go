package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/dustin/go-humanize/english"
	"github.com/gomlx/compute"
	"github.com/spf13/cobra"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/moleculenet"
	"github.com/neuralkforms/nkf/datasets/tu"
	"github.com/neuralkforms/nkf/nkfx"
	"github.com/neuralkforms/nkf/nkfx/experiments"
)

// training is what the command train is asked for.
type training struct {
	graphs         experiments.TU
	molecules      experiments.MoleculeNet
	file           csvFile // of molecules, if there are any
	features, name string
	asJSON         *bool
}

// train returns the command that trains on a user's own data.
func (a *app) train() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "train {--tu FILE|DIR | --csv FILE --smiles COLUMN --label COLUMN[,COLUMN…]}",
		Short: "Cross-validate on your own graphs or molecules, then train on all and save the model",
		Args:  noArguments,
	}
	x := &training{graphs: experiments.NewTU("", "nkf"), molecules: experiments.NewMoleculeNet("", "")}
	x.molecules.Split = "folds"
	addText(cmd, &x.graphs.Path, "tu", "PATH", tuHelp)
	x.file.add(cmd)
	cmd.Flags().StringSliceVar(&x.file.columns.Labels, "label", nil,
		"`COLUMN`s with what to learn: one of classes, several of 0 and 1, or numbers; gaps are allowed")
	completeList(cmd, "label", x.file.names)
	tasks := []string{
		moleculenet.Automatic.String(), moleculenet.Classification.String(), moleculenet.Regression.String(),
	}
	addFlag(cmd, &x.file.columns.Task, "task", "NAME", "of molecules: "+strings.Join(tasks, ", "),
		moleculenet.ParseTask, tasks...)
	addChoice(cmd, &x.molecules.Split, "split", "of molecules: "+strings.Join(experiments.Splits, ", "),
		experiments.Splits)
	models := experiments.ModelNames()
	addChoice(cmd, &x.graphs.Model, "model", strings.Join(models, ", "), models)
	addText(cmd, &x.features, "features", "NAMES", "of graphs: "+featuresHelp+
		" (default automatic); of molecules: numbers or one-hot (default numbers; cochain networks: one-hot)")
	must(cmd.RegisterFlagCompletionFunc("features", x.completeFeatures))
	tuFlags(cmd, &x.graphs)
	addFlag(cmd, &x.name, "name", "NAME",
		"`NAME` of the model, under models in --out (default DATA-COLUMN-MODEL)",
		func(text string) (string, error) { return text, experiments.ValidName(text) })
	shardFlag(cmd, &x.graphs.Shard)
	x.asJSON = jsonFlag(cmd)
	check(cmd,
		oneOfWays(cmd, way{flag: "tu"}, way{flag: "csv", needs: []string{"smiles", "label"},
			takes: []string{"separator", "task", "split"}}),
		alone(cmd, "shard", "name"), seedsFit(&x.graphs.Seed, "seeds", &x.graphs.Seeds),
		func() error { return x.check(cmd) })
	cmd.RunE = a.do(func(ctx context.Context, _ []string) error {
		if x.file.path != "" {
			return a.trainMolecules(ctx, x)
		}
		return a.trainGraphs(ctx, x)
	})
	return cmd
}

// tuHelp describes --tu.
const tuHelp = "zip archive or folder in the format of TUDataset"

// check reads --features, which graphs and molecules have of their own, and
// gives the training on molecules what both have.
func (x *training) check(cmd *cobra.Command) (err error) {
	m, g := &x.molecules, &x.graphs
	if x.file.path == "" {
		if g.Features, err = tu.ParseFeatures(x.features); err != nil {
			return fmt.Errorf("--features: %w", err)
		}
		return nil
	}
	m.Path, m.Columns = x.file.path, x.file.columns
	m.Model, m.Folds, m.Seed, m.Epochs, m.Workers = g.Model, g.Folds, g.Seed, g.Epochs, g.Workers
	m.Out, m.Shard, m.Runs = g.Out, g.Shard, g.Seeds
	for i, label := range m.Columns.Labels {
		if label == "" {
			return errors.New("--label names no column")
		}
		if slices.Contains(m.Columns.Labels[:i], label) {
			return fmt.Errorf("--label names the column %q twice", label)
		}
	}
	if len(m.Columns.Labels) == 0 {
		return errors.New("--label names no column")
	}
	if m.Split == "folds" {
		m.Runs *= m.Folds
	} else if m.Split != "fold0" && cmd.Flags().Changed("folds") {
		return fmt.Errorf("--folds %d: the split %q has no folds", m.Folds, m.Split)
	}
	if x.features != "" {
		if m.Features, err = moleculenet.ParseFeatures(x.features); err != nil {
			return fmt.Errorf("--features: %w", err)
		}
	}
	return atomsFit(cmd, m.Features, []string{m.Model})
}

// completeFeatures offers the features of graphs or of molecules.
func (x *training) completeFeatures(*cobra.Command, []string, string) ([]cobra.Completion,
	cobra.ShellCompDirective) {
	if x.file.path != "" {
		return atomFeatures, cobra.ShellCompDirectiveNoFileComp
	}
	return graphFeatures, cobra.ShellCompDirectiveNoFileComp
}

// trainGraphs trains on a user's own graphs.
func (a *app) trainGraphs(ctx context.Context, x *training) error {
	archive, err := x.graphs.Load(ctx)
	if err != nil {
		return err
	}
	what := archive.Name + " " + x.graphs.Model
	if shard := x.graphs.Shard; shard != nil {
		return a.trainPart(shard, x.graphs.Out, what, func(b compute.Backend, report epochs) error {
			_, err := x.graphs.Run(ctx, b, report)
			return err
		})
	}
	prepared, err := x.graphs.Prepare(archive)
	if err != nil {
		return err
	}
	return a.trainModel(ctx, x, prepared, what, a.printResults)
}

// trainPart does the trainings of a shard.
func (a *app) trainPart(shard *experiments.Shard, out, what string,
	run func(compute.Backend, epochs) error) error {
	backend, err := nkfx.Backend(nkfx.WithNotice(a.stderr))
	if err != nil {
		return err
	}
	defer backend.Finalize()
	line := a.progress(what)
	err = run(backend, line.epoch)
	line.close()
	if err == nil {
		a.tellShard(shard, out)
	}
	return err
}

// trainModel trains a model and saves it under the name that it was given, or
// under one that says what it is of. That it can be saved is known before
// anything is trained.
func (a *app) trainModel(ctx context.Context, x *training, prepared *experiments.Training, what string,
	print func([]*experiments.Result) error) (err error) {
	folder := prepared.Folder(x.graphs.Out)
	if x.name != "" {
		folder = filepath.Join(x.graphs.Out, "models", x.name)
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
	backend, err := nkfx.Backend(nkfx.WithNotice(a.stderr))
	if err != nil {
		return err
	}
	defer backend.Finalize()
	line := a.progress(what)
	result, model, err := prepared.Run(ctx, backend, line.epoch)
	line.close()
	if err != nil {
		return err
	}
	if err := model.Save(folder); err != nil {
		return err
	}
	if old != nil && old.Settings() != model.Settings() {
		fmt.Fprintf(a.stderr, "nkf: %s held a model with other settings (%s), which is replaced\n", folder,
			datasets.Printable(old.Settings()))
	}
	if *x.asJSON {
		return a.emit(result)
	}
	if err := print([]*experiments.Result{result}); err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.stdout, "trained on everything for %s; the model is in %s\n",
		english.Plural(model.Epochs, "epoch", ""), folder)
	return err
}

// featuresHelp describes --features of graphs, and graphFeatures are some.
const featuresHelp = "automatic, or attributes, labels and degree joined by +"

var graphFeatures = []string{
	tu.Automatic.String(), tu.Attributes.String(), tu.Labels.String(), tu.Degree.String(),
	(tu.Attributes | tu.Labels).String(),
}
