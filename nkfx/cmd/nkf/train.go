package main

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"runtime/debug"
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

// train returns the commands that train on a user's own data.
func (a *app) train() *cobra.Command {
	return a.group("train", "Cross-validate on your own data, then train on all of it and save the model",
		kindCommands(a.trainKind)...)
}

// trainKind returns the command that trains on data of a kind.
func (a *app) trainKind(kind models.Kind) *cobra.Command {
	x := &training{Run: experiments.NewRun(experiments.Benchmark{Split: "folds", Seeds: 1}, kind.Model)}
	names, help := modelsFor(kind)
	cmd := a.command(kind.Name+" "+kind.Place, "Cross-validate on "+kind.Name+", then train on all and save "+
		"the model", kind.Place+" "+kind.Help+".\n\n"+help,
		func(ctx context.Context, args []string) error { return a.trainOn(ctx, x, args[0]) })
	addNumber(cmd, &x.Folds, "folds", "number of folds of the cross-validation", 2, most)
	x.source = newSource(a, cmd, kind, &x.Run)
	addFlag(cmd, &x.Model, "model", "NAME", "one of the models above", modelOf(names), names...)
	addSeeds(cmd, "seeds", &x.Settings, &x.Seeds, "trainings per fold, with consecutive seeds")
	check(cmd, func() error {
		if !strings.HasPrefix(x.Split, "fold") && cmd.Flags().Changed("folds") {
			return fmt.Errorf("--folds %d: the split %q has no folds", x.Folds, x.Split)
		}
		return epochsOnce(cmd, x.Model)
	})
	a.trainingFlags(cmd, &x.Settings)
	addFlag(cmd, &x.name, "name", "NAME",
		"`NAME` of the model, under models in --out (default DATA-COLUMN-MODEL)",
		func(text string) (string, error) { return text, experiments.ValidName(text) })
	cmd.MarkFlagsMutuallyExclusive("shard", "name")
	return cmd
}

// modelsFor returns the names of the models for a kind of data, and a text that lists them.
func modelsFor(kind models.Kind) (names []string, help string) {
	complexes := &datasets.Collection{Simplices: make([]datasets.Simplices, kind.Degree+1)}
	takes := func(e models.Entry) bool {
		if e.Kind != "" {
			return e.Kind == kind.Name
		}
		_, err := e.New(models.Size{}).For(complexes)
		return err == nil || kind.Degree == 0
	}
	variants := models.Names(func(e models.Entry) bool { return e.Help == "" && takes(e) })
	help = "Models; their options can be changed, as in " + kind.Model + ":hidden=32:\n"
	names = models.Names(func(e models.Entry) bool { return e.Help != "" && takes(e) })
	for _, name := range names {
		m, err := models.Lookup(name, models.Size{})
		must(err)
		help += fmt.Sprintf("\n  %-15s %s", name, m.Help)
	}
	if len(variants) > 0 {
		help += "\n\nand with changed options " + strings.Join(variants, ", ") + "."
	}
	return slices.Concat(names, variants), help
}

// trainOn trains on a user's own data.
func (a *app) trainOn(ctx context.Context, x *training, place string) (err error) {
	if x.Data, err = x.source.open(place); err != nil {
		return err
	}
	settle()
	x.Benchmark = experiments.Own(x.Data)
	name := x.Data.Describe().Name
	end := a.during("preparing "+name, x.Preparing())
	prepared, err := x.Prepare(ctx)
	end()
	if err != nil {
		return err
	}
	x.Data, x.Benchmark.Load = nil, nil // the training has them encoded
	settle()
	backend, err := a.backend()
	if err != nil {
		return err
	}
	line := a.progress()
	name += " " + x.Model
	if x.Shard == nil {
		return a.trainModel(ctx, x, name, prepared, backend, line)
	}
	_, err = prepared.Run(ctx, backend, line.of(name))
	line.close()
	if err == nil {
		a.reportShard(x.Shard, x.Out)
	}
	return err
}

// settle collects what was left of reading or preparing data, and gives it back to the system. From now on
// garbage is collected when it is an eighth of what is held, or 64 MB, rather than as much: large data would
// take twice their memory.
func settle() {
	debug.FreeOSMemory()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	const garbage = 64 << 20
	debug.SetGCPercent(int(min(100, max(12, 100*garbage/m.HeapAlloc))))
}

// trainModel trains a model and saves it under the name that it was given, or under one that says what it
// is of. That it can be saved is known before anything is trained.
func (a *app) trainModel(ctx context.Context, x *training, name string, prepared *experiments.Training,
	backend compute.Backend, line *progress) (err error) {
	folder := prepared.Folder(x.Out)
	if x.name != "" {
		folder = filepath.Join(x.Out, "models", x.name)
	}
	const remedy = "%w (--name takes one)"
	if _, err := prepared.Reserve(folder); err != nil {
		return fmt.Errorf(remedy, err)
	}
	result, model, err := prepared.Train(ctx, backend, line.of(name))
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
