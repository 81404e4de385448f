package main

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"strings"
	"sync"
	"text/tabwriter"

	"github.com/gomlx/compute"
	"github.com/spf13/cobra"

	"github.com/neuralkforms/nkf/datasets/tu"
	"github.com/neuralkforms/nkf/nkfx"
	"github.com/neuralkforms/nkf/nkfx/experiments"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// runGroup returns the command that holds the experiments.
func (a *app) runGroup() *cobra.Command {
	cmd := a.group("run", "Run an experiment of the paper")
	cmd.AddCommand(a.runTU(), a.runMoleculeNet(), a.runPaths(), a.runSurfaces(), a.runConvolution(),
		a.runEigenvectors())
	return cmd
}

// runTU returns the command that cross-validates on graph benchmarks.
func (a *app) runTU() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "tu",
		Short: "Cross-validate models on the graph benchmarks (Table 1)",
		Long: "Cross-validate models on the graph benchmarks (Table 1).\n\n" +
			"Finished folds are kept under --out; the same command goes on where it was interrupted.",
		Args: noArguments,
	}
	x := experiments.NewTU("", "")
	names, kinds := experiments.TUDatasets, []string{"nkf"}
	addChoices(cmd, &names, "dataset", strings.Join(names, ", ")+", or all", names, names)
	models := experiments.ModelNames()
	addChoices(cmd, &kinds, "model", strings.Join(models, ", ")+", or all", models, models)
	addFlag(cmd, &x.Features, "features", "NAMES", featuresHelp, tu.ParseFeatures, graphFeatures...)
	tuFlags(cmd, &x)
	shardFlag(cmd, &x.Shard)
	asJSON := jsonFlag(cmd)
	check(cmd, seedsFit(&x.Seed, "seeds", &x.Seeds))
	cmd.RunE = a.do(func(ctx context.Context, _ []string) error {
		backend, err := nkfx.Backend(nkfx.WithNotice(a.stderr))
		if err != nil {
			return err
		}
		defer backend.Finalize()
		for _, x.Dataset = range names {
			for _, x.Model = range kinds {
				if err := x.Check(ctx); err != nil {
					return err
				}
			}
		}
		runs := a.newRuns(ctx, backend, x.Workers, x.Shard, *asJSON)
		x.Team = runs.team
		for _, x.Dataset = range names {
			for _, x.Model = range kinds {
				x := x
				runs.do(x.Dataset+" "+x.Model, func(report epochs) (*experiments.Result, error) {
					return x.Run(runs.ctx, backend, report)
				})
			}
		}
		if err := runs.wait(nil); err != nil {
			return err
		}
		if x.Shard != nil {
			a.tellShard(x.Shard, x.Out)
			return nil
		}
		return runs.end(a.printResults)
	})
	return cmd
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
func (a *app) newRuns(ctx context.Context, backend compute.Backend, workers int, shard *experiments.Shard,
	asJSON bool) *runs {
	if shard != nil {
		workers = 1
	}
	r := &runs{app: a, asJSON: asJSON}
	r.team, r.ctx = train.NewTeam(ctx, backend, workers)
	r.report, r.done = a.cells()
	return r
}

// do begins to make the result of that name, showing how it goes on, when a
// worker is free. A shard has none.
func (r *runs) do(name string, make func(epochs) (*experiments.Result, error)) {
	r.mu.Lock()
	at := len(r.results)
	r.results = append(r.results, nil)
	r.mu.Unlock()
	r.team.Go(func() error {
		result, err := make(func(p train.Progress) {
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

// wait waits until all runs have ended, or ends them if err is not nil. It
// returns the first error.
func (r *runs) wait(err error) error {
	if err != nil {
		err = r.team.Fail(err)
	} else {
		err = r.team.Wait()
	}
	r.done()
	return err
}

// end prints the table of the results, where they were not printed as JSON.
func (r *runs) end(print func([]*experiments.Result) error) error {
	if r.asJSON {
		return nil
	}
	return print(r.results)
}

// epochsHelp describes --epochs.
const epochsHelp = "most epochs of a training (default 100; of cochain-small 60; of all cochain " +
	"networks 15 on more than 10,000 complexes)"

// tuFlags gives a command the flags of a cross-validation.
func tuFlags(cmd *cobra.Command, x *experiments.TU) {
	addNumber(cmd, &x.Folds, "folds", "parts of the cross-validation", 2, most)
	addNumber(cmd, &x.Seeds, "seeds", "trainings of every fold", 1, experiments.MaxSeeds)
	addSeed(cmd, &x.Seed, "the first seed")
	addNumber(cmd, &x.Epochs, "epochs", epochsHelp, 1, most)
	workersFlag(cmd, &x.Workers)
	outFlag(cmd, &x.Out)
}

// workersFlag gives a command the flag --workers.
func workersFlag(cmd *cobra.Command, workers *int) {
	*workers = runtime.NumCPU()
	addNumber(cmd, workers, "workers", "trainings at once; changes no result", 1, 4096)
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

// printResults prints a table of the results beside the paper's.
func (a *app) printResults(results []*experiments.Result) error {
	w := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "data set\tmodel\tparameters\tlast epoch\tbest epoch\tpaper\tseconds\tcompiled\tpadding")
	for _, r := range results {
		paper := "–"
		if r.Paper != nil {
			paper = fmt.Sprintf("%.2f ± %.2f", r.Paper.Mean, r.Paper.Std)
		}
		fmt.Fprintf(w, "%s\t%s\t%d\t%.2f ± %.2f\t%.2f ± %.2f\t%s\t%.1f\t%d\t%.2f×\n", r.Dataset, r.Model,
			r.Parameters, r.Mean, r.Std, r.MeanBest, r.StdBest, paper, r.Seconds, r.Compilations,
			r.PaddingWaste)
	}
	return w.Flush()
}

// describe says where a training stands.
func describe(p train.Progress) string {
	return fmt.Sprintf("fold %d seed %d epoch %d  train %.4f  validation %.4f  rate %.0e",
		p.Fold, p.Seed, p.Epoch.Epoch, p.TrainLoss, p.ValidationLoss, p.Rate)
}
