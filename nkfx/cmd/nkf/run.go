package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"strings"
	"sync"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/neuralkforms/nkf/datasets/moleculenet"
	"github.com/neuralkforms/nkf/datasets/tu"
	"github.com/neuralkforms/nkf/nkfx/experiments"
	"github.com/neuralkforms/nkf/nkfx/models"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// runGroup returns the command that holds the experiments.
func (a *app) runGroup() *cobra.Command {
	cmd := a.group("run", "Run an experiment of the paper")
	cmd.AddCommand(a.runBenchmarks("tu", "Cross-validate models on the graph benchmarks (Table 1)"),
		a.runBenchmarks("moleculenet", "Train models on molecules several times over (Table 2)"),
		a.runBenchmarks("uea", "Train models on time series of the UEA archive, on its default splits"),
		a.runPaths(), a.runSurfaces(), a.runConvolution(), a.runEigenvectors())
	return cmd
}

// runBenchmarks returns the command that trains on the benchmarks of an
// experiment.
func (a *app) runBenchmarks(experiment, short string) *cobra.Command {
	cmd := &cobra.Command{
		Use:   experiment,
		Short: short,
		Long: short + ".\n\n" +
			"Finished trainings are kept under --out; the same command goes on where it was interrupted.",
		Args: noArguments,
	}
	names, kinds, fitting := experiments.Names(experiment), []string{"nkf"}, models.Names()
	if experiment == "uea" {
		kinds, fitting = []string{"path"}, models.PathNames()
	}
	usual, err := experiments.Lookup(names[0])
	must(err)
	x := experiments.NewRun(usual, "")
	benchmarksFlag(cmd, &names)
	addChoices(cmd, &kinds, "model", strings.Join(fitting, ", ")+", or all", fitting, fitting)
	runs := x.Seeds
	var checks []func() error
	switch experiment {
	case "uea":
		addNumber(cmd, &x.Seeds, "seeds", "trainings, with seeds counting up", 1, experiments.MaxSeeds)
		checks = append(checks, seedsFit(&x.Seed, "seeds", &x.Seeds))
	case "tu":
		featuresFlag(cmd, &x.Features)
		addNumber(cmd, &x.Folds, "folds", "parts of the cross-validation", 2, most)
		addNumber(cmd, &x.Seeds, "seeds", "trainings of every fold", 1, experiments.MaxSeeds)
		checks = append(checks, seedsFit(&x.Seed, "seeds", &x.Seeds))
	default:
		atomsFlag(cmd, &x.Features)
		addChoice(cmd, &x.Split, "split", strings.Join(experiments.Splits, ", "), experiments.Splits)
		addNumber(cmd, &runs, "runs", "trainings, with seeds counting up", 1, experiments.MaxSeeds)
		checks = append(checks, seedsFit(&x.Seed, "runs", &runs), func() error {
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
	check(cmd, checks...)
	epochs := runFlags(cmd, &x.Seed, &x.Workers, &x.Out)
	shardFlag(cmd, &x.Shard)
	asJSON := jsonFlag(cmd)
	cmd.RunE = a.do(func(ctx context.Context, _ []string) error {
		x.Protocol = withEpochs(*epochs)
		return a.benchmark(ctx, x, names, kinds, *asJSON)
	})
	return cmd
}

// benchmark trains models on benchmarks with that set-up, when all that can be
// checked before is.
func (a *app) benchmark(ctx context.Context, x experiments.Run, names, kinds []string, asJSON bool) error {
	backend, err := a.backend()
	if err != nil {
		return err
	}
	defer backend.Finalize()
	var all []experiments.Run
	for _, name := range names {
		if x.Benchmark, err = experiments.Lookup(name); err != nil {
			return err
		}
		if x.Data, err = x.Benchmark.Load(ctx); err != nil {
			return err
		}
		if x.Data.Molecules != nil {
			a.tellSkipped(x.Data.Molecules)
		}
		for _, x.Model = range kinds {
			if _, err := x.Prepare(ctx); err != nil {
				return err
			}
			all = append(all, x)
		}
	}
	runs := a.newRuns(ctx, x.Workers, x.Shard, asJSON)
	for _, x := range all {
		x.Team = runs.team
		runs.do(x.Benchmark.Name+" "+x.Model, func(report epochs) (*experiments.Result, error) {
			return x.Run(runs.ctx, backend, report)
		})
	}
	if err := runs.wait(); err != nil {
		return err
	}
	if x.Shard != nil {
		a.tellShard(x.Shard, x.Out)
		return nil
	}
	if asJSON {
		return nil
	}
	return a.printResults(runs.results)
}

// epochs is told of the epochs of a training.
type epochs = func(train.Progress)

// runs are results that a command makes side by side.
type runs struct {
	app     *app
	asJSON  bool
	team    *train.Team
	ctx     context.Context
	report  func(name string, p train.Progress)
	done    func()
	mu      sync.Mutex
	results []*experiments.Result // in the order that they were asked for; nil until they are there
	shown   int                   // of them, as JSON
}

// newRuns returns the runs that workers make, those of a shard one by one.
func (a *app) newRuns(ctx context.Context, workers int, shard *experiments.Shard, asJSON bool) *runs {
	if shard != nil {
		workers = 1
	}
	r := &runs{app: a, asJSON: asJSON}
	r.team, r.ctx = train.NewTeam(ctx, workers)
	r.report, r.done = a.cells()
	return r
}

// do begins to make the result of that name, showing how it goes on, when a
// worker is free. A shard has none.
func (r *runs) do(name string, work func(epochs) (*experiments.Result, error)) {
	r.mu.Lock()
	at := len(r.results)
	r.results = append(r.results, nil)
	r.mu.Unlock()
	r.team.Go(func() error {
		result, err := work(func(p train.Progress) {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.report(name, p)
		})
		if err != nil {
			return err
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		r.results[at] = result
		for r.asJSON && r.shown < len(r.results) && r.results[r.shown] != nil {
			if err := r.app.emit(r.results[r.shown]); err != nil {
				return err
			}
			r.shown++
		}
		return nil
	})
}

// wait waits until all runs have ended, and returns the first error.
func (r *runs) wait() error {
	err := r.team.Wait()
	r.done()
	return err
}

// runFlags gives a command the flags of trainings, and returns the number of
// epochs that is asked for, or 0.
func runFlags(cmd *cobra.Command, seed *uint32, workers *int, out *string) (epochs *int) {
	epochs = new(int)
	addSeed(cmd, seed, "the first seed")
	addNumber(cmd, epochs, "epochs", "most epochs of a training (default 100; of cochain-small 60; of all "+
		"cochain networks 15 on more than 10,000 complexes)", 1, most)
	*workers = runtime.NumCPU()
	addNumber(cmd, workers, "workers", "trainings at once; changes no result", 1, 4096)
	outFlag(cmd, out)
	return epochs
}

// withEpochs changes the number of epochs of a protocol, unless it is 0.
func withEpochs(epochs int) func(*train.Protocol) {
	if epochs == 0 {
		return nil
	}
	return func(p *train.Protocol) { p.Epochs = epochs }
}

// benchmarksFlag gives a command the flag --dataset for some of the benchmarks
// that are there.
func benchmarksFlag(cmd *cobra.Command, names *[]string) {
	addChoices(cmd, names, "dataset", strings.Join(*names, ", ")+", or all", *names, *names)
}

// featuresHelp describes --features of graphs, and graphFeatures are some.
const featuresHelp = "automatic, or attributes, labels and degree joined by +"

var graphFeatures = []string{
	tu.Automatic.String(), tu.Attributes.String(), tu.Labels.String(), tu.Degree.String(),
	(tu.Attributes | tu.Labels).String(),
}

// parseGraphs reads features of graphs.
func parseGraphs(text string) (string, error) {
	f, err := tu.ParseFeatures(text)
	return f.String(), err
}

// featuresFlag gives a command the flag --features of graphs.
func featuresFlag(cmd *cobra.Command, features *string) {
	*features = tu.Automatic.String()
	addFlag(cmd, features, "features", "NAMES", featuresHelp, parseGraphs, graphFeatures...)
}

// atomFeatures are the features of molecules.
var atomFeatures = []string{moleculenet.Numbers.String(), moleculenet.OneHot.String()}

// atomsFlag gives a command the flag --features of molecules.
func atomsFlag(cmd *cobra.Command, features *string) {
	addFlag(cmd, features, "features", "NAME", "of atoms: numbers, the nine as they are, or one-hot "+
		"(default numbers; of cochain networks one-hot)", oneOf(atomFeatures, nil), atomFeatures...)
}

// outFlag gives a command the flag --out for a folder.
func outFlag(cmd *cobra.Command, out *string) {
	*out = "results"
	addFolder(cmd, out, "out", "folder for results")
}

// seedsFit returns a check that seeds that count up from the first are seeds.
func seedsFit(first *uint32, flag string, count *int) func() error {
	return func() error {
		if last := uint64(*first) + uint64(*count) - 1; last > math.MaxUint32 {
			return fmt.Errorf("--seed %d --%s %d: the last seed is %d, and the greatest that there is %d",
				*first, flag, *count, last, uint32(math.MaxUint32))
		}
		return nil
	}
}

// printResults prints results of one metric beside the paper's, and below what
// the means are without.
func (a *app) printResults(results []*experiments.Result) error {
	w := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	pair := func(mean, std train.Score) string {
		switch {
		case !mean.Defined():
			return "–"
		case results[0].Metric == "rmse":
			return fmt.Sprintf("%.4g ± %.2g", mean, std)
		}
		return fmt.Sprintf("%.2f ± %.2f", mean, std)
	}
	paper := func(r *experiments.Result) string {
		if r.Paper == nil {
			return "–"
		}
		return r.Paper.String()
	}
	head := "last epoch\tbest epoch\tpaper"
	cells := func(r *experiments.Result) []string { return []string{paper(r)} }
	switch results[0].Metric {
	case "auroc":
		head = "AUROC, " + head + "\taverage precision\taccuracy"
		cells = func(r *experiments.Result) []string {
			return []string{paper(r), pair(r.Means.AveragePrecision, r.Stds.AveragePrecision),
				pair(r.Means.Accuracy, r.Stds.Accuracy)}
		}
	case "rmse":
		head = "RMSE, last epoch\tbest epoch\tMAE"
		cells = func(r *experiments.Result) []string { return []string{pair(r.Means.MAE, r.Stds.MAE)} }
	}
	fmt.Fprintf(w, "data set\tmodel\tparameters\t%s\tseconds\tcompiled\tpadding\n", head)
	for _, r := range results {
		fmt.Fprintf(w, "%s\t%s\t%d\t%s\t%s\t%s\t%.1f\t%d\t%.2f×\n", r.Dataset, r.Model, r.Parameters,
			pair(r.Mean, r.Std), pair(r.MeanBest, r.StdBest), strings.Join(cells(r), "\t"), r.Seconds,
			r.Compilations, r.PaddingWaste)
	}
	err := w.Flush()
	for _, r := range results {
		for _, sentence := range r.Omissions() {
			_, more := fmt.Fprintf(a.stdout, "%s %s: %s\n", r.Dataset, r.Model, sentence)
			err = errors.Join(err, more)
		}
	}
	return err
}

// describe says where a training stands.
func describe(p train.Progress) string {
	return fmt.Sprintf("fold %d seed %d epoch %d  train %.4f  validation %.4f  rate %.0e",
		p.Fold, p.Seed, p.Epoch.Epoch, p.TrainLoss, p.ValidationLoss, p.Rate)
}
