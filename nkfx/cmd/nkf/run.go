package main

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"text/tabwriter"

	"github.com/gomlx/compute"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

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
		Args: cobra.NoArgs,
	}
	flags := cmd.Flags()
	sets := flags.StringSlice(
		"dataset",
		[]string{"all"},
		strings.Join(experiments.TUDatasets, ", ")+", or all",
	)
	models := flags.StringSlice(
		"model",
		[]string{"nkf"},
		strings.Join(experiments.ModelNames(), ", ")+", or all",
	)
	features := flags.String("features", tu.Automatic.String(), featuresHelp)
	x := experiments.NewTU("", "")
	tuFlags(flags, &x)
	shardFlag(flags, &x.Shard)
	asJSON := jsonFlag(cmd)
	cmd.RunE = a.do(func(ctx context.Context, _ []string) error {
		var err error
		if x.Features, err = tu.ParseFeatures(*features); err != nil {
			return usage(err)
		}
		if err := positive("seeds", x.Seeds); err != nil {
			return err
		}
		names, err := pick("dataset", *sets, experiments.TUDatasets)
		if err != nil {
			return err
		}
		kinds, err := pick("model", *models, experiments.ModelNames())
		if err != nil {
			return err
		}
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
func tuFlags(flags *pflag.FlagSet, x *experiments.TU) {
	flags.IntVar(&x.Folds, "folds", x.Folds, "parts of the cross-validation")
	flags.IntVar(&x.Seeds, "seeds", x.Seeds, "trainings of every fold")
	flags.Uint32Var(&x.Seed, "seed", x.Seed, "the first seed")
	flags.IntVar(&x.Epochs, "epochs", 0, epochsHelp)
	flags.IntVar(&x.Workers, "workers", runtime.NumCPU(), "folds trained at once; changes no result")
	flags.StringVar(&x.Out, "out", "results", "folder for results")
}

// printResults prints a table of the results beside the paper's.
func (a *app) printResults(results []*experiments.Result) error {
	w := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(
		w,
		"data set\tmodel\tparameters\tlast epoch\tbest epoch\tpaper\tseconds\tcompiled\tpadding",
	)
	for _, r := range results {
		paper := "–"
		if r.Paper != nil {
			paper = fmt.Sprintf("%.2f ± %.2f", r.Paper.Mean, r.Paper.Std)
		}
		fmt.Fprintf(
			w,
			"%s\t%s\t%d\t%.2f ± %.2f\t%.2f ± %.2f\t%s\t%.1f\t%d\t%.2f×\n",
			r.Dataset,
			r.Model,
			r.Parameters,
			r.Mean,
			r.Std,
			r.MeanBest,
			r.StdBest,
			paper,
			r.Seconds,
			r.Compilations,
			r.PaddingWaste,
		)
	}
	return w.Flush()
}

// describe says where a training stands.
func describe(p train.Progress) string {
	return fmt.Sprintf("fold %d seed %d epoch %d  train %.4f  validation %.4f  rate %.0e",
		p.Fold, p.Seed, p.Epoch.Epoch, p.TrainLoss, p.ValidationLoss, p.Rate)
}
