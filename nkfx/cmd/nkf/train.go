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
	"github.com/neuralkforms/nkf/datasets/mesh"
	"github.com/neuralkforms/nkf/datasets/moleculenet"
	"github.com/neuralkforms/nkf/datasets/series"
	"github.com/neuralkforms/nkf/nkfx/experiments"
	"github.com/neuralkforms/nkf/nkfx/models"
)

// training is what the command train is asked for.
type training struct {
	experiments.Run
	graphs string // path, or ""
	meshes string // path, or ""
	labels mesh.Elements
	file   csvFile // of molecules, if there are any
	paths  pathFile
	name   string
}

// train returns the command that trains on a user's own data.
func (a *app) train() *cobra.Command {
	x := &training{Run: experiments.NewRun(experiments.Graphs(""), "nkf")}
	cmd := a.command("train {--tu FILE|DIR | --mesh PATH | --csv FILE --smiles COLUMN\n"+
		"            --label COLUMN[,COLUMN…] |\n"+
		"            --ts FILE | --tracks PATH [--label COLUMN --id COLUMN --x COLUMN --y COLUMN]}",
		"Cross-validate on your own data, then train on all of it and save the model",
		"Data are graphs, molecules, triangle meshes, time series or tracks. With --test there is no\n"+
			"cross-validation: the file of that name is what is tested with. A folder with a folder of\n"+
			"tracks for every class needs no --label.",
		func(ctx context.Context, _ []string) error { return a.trainOn(ctx, x) })
	addText(cmd, &x.graphs, "tu", "PATH", tuHelp)
	addText(cmd, &x.meshes, "mesh", "PATH", "folder or zip archive with a folder of triangle meshes for "+
		"every class, or CSV file of the paths of meshes and their classes or numbers")
	addFlag(cmd, &x.labels, "labels", "NAME", "of meshes: what has classes, vertices or faces, by "+
		"integers in files .seg beside the meshes", mesh.ParseElements, "vertices", "faces")
	x.file.add(cmd)
	x.paths.add(cmd)
	x.paths.spacing = spacings[0]
	addChoice(cmd, &x.paths.spacing, "resample", "of paths: what the points that networks take are evenly "+
		"spaced in, the number of the observation or time", spacings)
	addText(cmd, &x.paths.test, "test", "FILE", "of paths: `FILE` of the same format to test with; of "+
		"tracks a folder or pattern, too")
	addText(cmd, &x.paths.columns.ID, "id", "COLUMN",
		"of tracks: `COLUMN` that says which one a row belongs to", x.paths.complete)
	cmd.Flags().StringSliceVar(&x.file.columns.Labels, "label", nil,
		"`COLUMN`s with what to learn: one of classes, several of 0 and 1, or numbers; gaps are allowed")
	completeList(cmd, "label", func() []string { return slices.Concat(x.file.names(), x.paths.names()) })
	tasks := []string{
		datasets.Automatic.String(), datasets.Classification.String(), datasets.Regression.String(),
	}
	addFlag(cmd, &x.file.columns.Task, "task", "NAME", "of molecules and tracks: "+strings.Join(tasks, ", "),
		datasets.ParseTask, tasks...)
	addChoice(cmd, &x.Split, "split", "of molecules and paths: "+strings.Join(experiments.Splits, ", "),
		experiments.Splits)
	names := slices.Concat(models.Names(), models.PathNames(), models.MeshNames())
	addChoice(cmd, &x.Model, "model", strings.Join(models.Names(), ", ")+"; of paths "+
		strings.Join(models.PathNames(), ", ")+" (default path); of meshes "+
		strings.Join(models.MeshNames(), ", ")+" (default "+meshModel+")", names)
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
	oneOfWays(cmd, way{flag: "tu", takes: []string{"features"}},
		way{flag: "csv", needs: []string{"smiles", "label"},
			takes: []string{"separator", "task", "split", "features"}},
		way{flag: "mesh", takes: []string{"labels"}},
		way{flag: "ts", takes: []string{"test", "split", "resample"}},
		way{flag: "tracks", takes: slices.Concat(trackFlags, []string{"test", "split", "task", "resample"})})
	check(cmd, func() error { return x.check(cmd) })
	return cmd
}

// tuHelp describes --tu.
const tuHelp = "zip archive or folder in the format of TUDataset"

// meshModel is the usual model of meshes.
const meshModel = "mesh-forms"

// check reads --features, which graphs and molecules have of their own, and the columns.
func (x *training) check(cmd *cobra.Command) (err error) {
	if x.meshes != "" {
		if !cmd.Flags().Changed("model") {
			x.Model = meshModel
		}
		x.Benchmark = experiments.Meshes(x.meshes)
		if x.labels != mesh.Whole {
			x.Benchmark = experiments.LabeledMeshes(x.meshes, x.labels)
		}
		return nil
	}
	if x.paths.file() != "" {
		return x.checkPaths(cmd)
	}
	if x.file.path == "" {
		if x.Features, err = parseGraphs(x.Features); err != nil {
			return fmt.Errorf("--features: %w", err)
		}
		x.Benchmark = experiments.Graphs(x.graphs)
		return nil
	}
	if err := x.checkLabels(); err != nil {
		return err
	}
	if !strings.HasPrefix(x.Split, "fold") && cmd.Flags().Changed("folds") {
		return fmt.Errorf("--folds %d: the split %q has no folds", x.Folds, x.Split)
	}
	if x.Features != "" {
		if _, err := moleculenet.ParseFeatures(x.Features); err != nil {
			return fmt.Errorf("--features: %w", err)
		}
	}
	x.Benchmark = experiments.Molecules(x.file.path, x.file.columns)
	return nil
}

// checkLabels returns an error unless --label names columns, each once.
func (x *training) checkLabels() error {
	labels := x.file.columns.Labels
	for i, label := range labels {
		if slices.Contains(labels[:i], label) && label != "" {
			return fmt.Errorf("--label names the column %q twice", label)
		}
	}
	if len(labels) == 0 || slices.Contains(labels, "") {
		return errors.New("--label names no column")
	}
	return nil
}

// checkPaths reads what time series and tracks have of their own.
func (x *training) checkPaths(cmd *cobra.Command) error {
	if !cmd.Flags().Changed("model") {
		x.Model = "path"
	}
	if !strings.HasPrefix(x.Split, "fold") && cmd.Flags().Changed("folds") {
		return fmt.Errorf("--folds %d: the split %q has no folds", x.Folds, x.Split)
	}
	x.paths.columns.Folders = !cmd.Flags().Changed("label") && series.Several(x.paths.tracks)
	if x.paths.columns.Folders && x.file.columns.Task == datasets.Regression {
		return errors.New("--task regression needs --label: folders are classes")
	}
	if x.paths.tracks != "" && !x.paths.columns.Folders {
		if !cmd.Flags().Changed("label") {
			return errors.New("--tracks needs --label, unless it is a folder with one for every class")
		}
		if err := x.checkLabels(); err != nil {
			return err
		}
		if len(x.file.columns.Labels) > 1 {
			return errors.New("--label: of tracks one column is learned")
		}
		x.paths.columns.Label = x.file.columns.Labels[0]
	}
	x.paths.columns.Task, x.paths.columns.Separator = x.file.columns.Task, x.file.columns.Separator
	graphs := experiments.Graphs("")
	x.Benchmark = experiments.TimeSeries(nil)
	x.Benchmark.Experiment, x.Benchmark.Size, x.Benchmark.Protocol = "series", graphs.Size, graphs.Protocol
	if x.paths.test != "" {
		x.Split = x.Benchmark.Split
	}
	return x.paths.check()
}

// completeFeatures offers the features of graphs or of molecules.
func (x *training) completeFeatures(*cobra.Command, []string, string) ([]cobra.Completion,
	cobra.ShellCompDirective) {
	if x.file.path != "" {
		return atomFeatures, cobra.ShellCompDirectiveNoFileComp
	}
	return graphFeatures, cobra.ShellCompDirectiveNoFileComp
}

// trainOn trains on a user's own data.
func (a *app) trainOn(ctx context.Context, x *training) (err error) {
	if x.paths.file() != "" {
		x.Data, err = a.readPaths(&x.paths)
	} else if x.file.path == "" {
		end := a.during("reading " + x.graphs + x.meshes)
		x.Data, err = x.Benchmark.Load(ctx)
		end()
	} else if m, e := a.readMolecules(x.file.path, x.file.columns); e != nil {
		err = e
	} else {
		x.Data = &experiments.Data{Name: m.Name, SHA256: m.SHA256, Molecules: m, Columns: x.file.columns}
		a.tellSkipped(m)
		a.tellTask(m, x.file.columns.Task)
	}
	if err != nil {
		return err
	}
	end := a.during("preparing " + x.Data.Name)
	prepared, err := x.Prepare(ctx)
	end()
	if err != nil {
		return err
	}
	if untested := prepared.Untested(); len(untested) > 0 {
		fmt.Fprintf(a.stderr, "nkf: %s: in some test part there is none of class %s, whose area "+
			"is then undefined and left out: ask for fewer folds, or another --split\n", x.Data.Name,
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
	_, err = prepared.Run(ctx, backend, line.of(x.Data.Name+" "+x.Model))
	line.close()
	if err == nil {
		a.tellShard(x.Shard, x.Out)
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
	result, model, err := prepared.Train(ctx, backend, line.of(x.Data.Name+" "+x.Model))
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
	if a.asJSON {
		return writeJSON(a.stdout, result)
	}
	if err := a.printResults([]*experiments.Result{result}); err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.stdout, "trained on everything for %s; the model is in %s\n",
		english.Plural(model.Epochs, "epoch", ""), folder)
	return err
}
