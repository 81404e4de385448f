package main

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/neuralkforms/nkf/nkfx/experiments"
	"github.com/neuralkforms/nkf/nkfx/models"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// runGroup returns the command that holds the experiments.
func (a *app) runGroup() *cobra.Command {
	group := a.group("run", "Run an experiment",
		a.runBenchmarks("tu", "Cross-validate models on the graph benchmarks (Table 1)", "nkf"),
		a.runBenchmarks("moleculenet", "Train models on molecules, with several seeds (Table 2)", "nkf"),
		a.runBenchmarks("uea", "Train models on time series of the UEA archive, on its default splits",
			"path"),
		a.runBenchmarks("currents", "Cross-validate models on paths in a flow, where learned forms matter",
			"path:place=true", "path:kind=constant:place=true", "cnn"),
		a.runBenchmarks("strands", "Cross-validate models on graphs whose class depends on distant vertices",
			"nkf"),
		a.runPaths(), a.runSurfaces(), a.runConvolution(), a.runEigenvectors())
	for _, cmd := range group.Commands() {
		addText(cmd, &a.profile, "profile", "FILE", "write a CPU profile to `FILE`, for go tool pprof")
	}
	return group
}

// runBenchmarks returns the command that trains on the benchmarks of an experiment; chosen are the usual
// models.
func (a *app) runBenchmarks(experiment, short string, chosen ...string) *cobra.Command {
	all := experiments.Names(experiment)
	names := all
	usual, err := experiments.Lookup(all[0])
	must(err)
	kind, err := models.KindOf(usual.Kind)
	must(err)
	x := experiments.NewRun(usual, "")
	cmd := a.command(experiment, short,
		"Finished trainings are kept under --out; the same command resumes after an interrupt.",
		func(ctx context.Context, _ []string) error {
			return a.benchmark(ctx, x, names, chosen)
		})
	switch {
	case kind.Name == "molecules":
		moleculeFlags(cmd, &x)
	default:
		foldFlags(cmd, &x)
	}
	benchmarksFlag(cmd, &names, all)
	addModels(cmd, &chosen, kind.Name, "or all", nil)
	if kind.Name == "graphs" {
		graphsFlag(cmd, &x.Features)
	}
	a.trainingFlags(cmd, &x.Settings)
	return cmd
}

// foldFlags gives a command the flags of a cross-validation, which replaces a default split.
func foldFlags(cmd *cobra.Command, x *experiments.Run) {
	usage := "number of folds of the cross-validation"
	if x.Split != "folds" {
		usage = "folds of a cross-validation, without the default split"
		check(cmd, func() error {
			if cmd.Flags().Changed("folds") {
				x.Split = "folds"
			}
			return nil
		})
	}
	addNumber(cmd, &x.Folds, "folds", usage, 2, most)
	addSeeds(cmd, "seeds", &x.Settings, &x.Seeds, "trainings per fold, with consecutive seeds")
}

// moleculeFlags gives a command the flags of benchmarks of molecules.
func moleculeFlags(cmd *cobra.Command, x *experiments.Run) {
	runs := x.Seeds
	atomsFlag(cmd, &x.Features)
	addChoice(cmd, &x.Split, "split", strings.Join(experiments.Splits, ", "), experiments.Splits)
	addSeeds(cmd, "runs", &x.Settings, &runs, "number of trainings, with consecutive seeds")
	check(cmd, func() error {
		x.Seeds = runs
		if x.Split == "folds" && runs%x.Folds != 0 {
			return fmt.Errorf("--runs %d: the split into folds has %d of them: take a multiple of %[2]d",
				runs, x.Folds)
		} else if x.Split == "folds" {
			x.Seeds = runs / x.Folds
		}
		return nil
	})
}

// benchmark trains models on benchmarks, after checking everything that can be checked before. Results appear
// in the order of the command line; a shard has none.
func (a *app) benchmark(ctx context.Context, x experiments.Run, names, chosen []string) error {
	backend, err := a.backend()
	if err != nil {
		return err
	}
	runs, err := a.benchmarkRuns(ctx, x, names, chosen)
	if err != nil {
		return err
	}
	line := a.progress()
	var results []*experiments.Result
	err = experiments.Together(ctx, backend, runs, x.Workers, func(i int, p train.Progress) {
		line.epoch(runs[i].Benchmark.Name+" "+runs[i].Model, p)
	}, func(_ int, r *experiments.Result) error {
		if results = append(results, r); a.asJSON && x.Shard == nil {
			return writeJSON(a.stdout, r)
		}
		return nil
	})
	line.close()
	switch {
	case err != nil || a.asJSON && x.Shard == nil:
		return err
	case x.Shard != nil:
		a.reportShard(x.Shard, x.Out)
		return nil
	}
	return a.printResults(results)
}

// benchmarkRuns reads benchmarks, and returns the runs of models on them, each checked.
func (a *app) benchmarkRuns(ctx context.Context, x experiments.Run, names, chosen []string) (
	runs []experiments.Run, err error) {
	for _, name := range names {
		if x.Benchmark, err = experiments.Lookup(name); err != nil {
			return nil, err
		}
		end := a.during("reading "+name, nil)
		x.Data, err = x.Benchmark.Load(ctx)
		end()
		if err != nil {
			return nil, err
		}
		a.notes(x.Data)
		for _, x.Model = range chosen {
			if len(runs) > 0 { // the first is prepared before any is trained, and that may take long
				end := a.during("preparing "+name+" "+x.Model, x.Preparing())
				_, err := x.Prepare(ctx)
				end()
				if err != nil {
					return nil, err
				}
			}
			runs = append(runs, x)
		}
	}
	return runs, nil
}

// trainingFlags gives a command the flags of all trainings.
func (a *app) trainingFlags(cmd *cobra.Command, x *experiments.Settings) {
	addSeed(cmd, &x.Seed, "first seed")
	epochs, batch := 0, 0 // as in the protocol
	x.Protocol = func(p *train.Protocol) {
		p.Epochs, p.Batch = cmp.Or(epochs, p.Epochs), cmp.Or(batch, p.Batch)
	}
	addNumber(cmd, &epochs, "epochs", "most epochs of a training (default the model's own)", 1, most)
	addNumber(cmd, &batch, "batch", "complexes in a step (default the model's own)", 1, most)
	x.Workers = runtime.NumCPU()
	addNumber(cmd, &x.Workers, "workers", "simultaneous trainings; results do not depend on it", 1, 4096)
	outFlag(cmd, &x.Out)
	addFlag(cmd, &x.Shard, "shard", "I/N", "do part `I/N` of the trainings, 0/N to N-1/N side by side; then "+
		"`nkf merge`", experiments.ParseShard)
	a.withJSON(cmd)
}

// benchmarksFlag gives a command the flag --dataset for some of all benchmarks that are there.
func benchmarksFlag(cmd *cobra.Command, names *[]string, all []string) {
	addChoices(cmd, names, "dataset", strings.Join(all, ", ")+", or all", all, all)
}

// addModels gives a command the flag --model for models of a kind of data, or those for any kind; the word
// all stands for some, nil for all of these.
func addModels(cmd *cobra.Command, to *[]string, kind, help string, all []string) {
	if models.Names(func(e models.Entry) bool { return e.Kind == kind }) == nil {
		kind = ""
	}
	usual := models.Names(func(e models.Entry) bool { return e.Kind == kind && e.Help != "" })
	variants := models.Names(func(e models.Entry) bool { return e.Kind == kind && e.Help == "" })
	if all == nil {
		all = usual
	}
	names := slices.Concat(usual, variants)
	addList(cmd, to, "model", "NAMES", strings.Join(names, ", ")+", "+help+"; options can be changed, as in "+
		"path:layers=2", all, modelOf(names), names...)
	check(cmd, func() error { return epochsOnce(cmd, *to...) })
}

// modelOf returns a parser of models of some names, with changed options or without.
func modelOf(names []string) func(string) (string, error) {
	return func(text string) (string, error) {
		base, _, _ := strings.Cut(text, ":")
		if !slices.Contains(names, base) {
			return "", fmt.Errorf("want one of %s", strings.Join(names, ", "))
		}
		_, err := models.Lookup(text, models.Size{})
		return text, err
	}
}

// epochsOnce returns an error if --epochs would replace the epochs in the name of a model.
func epochsOnce(cmd *cobra.Command, names ...string) error {
	i := slices.IndexFunc(names, func(name string) bool { return strings.Contains(name, ":epochs=") })
	if i >= 0 && cmd.Flags().Changed("epochs") {
		return fmt.Errorf("--model %s and --epochs: give one of them", names[i])
	}
	return nil
}

// outFlag gives a command the flag --out for a folder.
func outFlag(cmd *cobra.Command, out *string) {
	*out = "results"
	addFolder(cmd, out, "out", "folder for results")
}

// addSeeds gives a command a flag for the number of seeds, which count up from the first.
func addSeeds(cmd *cobra.Command, flag string, x *experiments.Settings, count *int, usage string) {
	addNumber(cmd, count, flag, usage, 1, experiments.MaxSeeds)
	check(cmd, func() error {
		if last := uint64(x.Seed) + uint64(*count) - 1; last > math.MaxUint32 {
			return fmt.Errorf("--seed %d --%s %d: the last seed would be %d, but the largest is %d",
				x.Seed, flag, *count, last, uint32(math.MaxUint32))
		}
		return nil
	})
}
