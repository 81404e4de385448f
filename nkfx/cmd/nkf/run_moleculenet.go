package main

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/neuralkforms/nkf/datasets/moleculenet"
	"github.com/neuralkforms/nkf/nkfx"
	"github.com/neuralkforms/nkf/nkfx/experiments"
)

// runMoleculeNet returns the command that trains on molecules.
func (a *app) runMoleculeNet() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "moleculenet",
		Short: "Train models on molecules several times over (Table 2)",
		Long: "Train models on molecules several times over (Table 2).\n\n" +
			"Finished trainings are kept under --out; the same command goes on where it was interrupted.",
		Args: cobra.NoArgs,
	}
	flags := cmd.Flags()
	sets := flags.StringSlice("dataset", []string{"all"},
		strings.ToLower(strings.Join(experiments.MoleculeNetDatasets, ", "))+", or all")
	models := flags.StringSlice("model", []string{"nkf"}, strings.Join(experiments.ModelNames(), ", "))
	x := experiments.NewMoleculeNet("", "")
	features := flags.String("features", x.Features.String(),
		"of atoms: numbers, the nine as they are, or one-hot, which cochain networks always take")
	flags.StringVar(&x.Split, "split", x.Split, strings.Join(experiments.Splits, ", "))
	moleculeFlags(flags, &x)
	shardFlag(flags, &x.Shard)
	asJSON := jsonFlag(cmd)
	cmd.RunE = a.do(func(ctx context.Context, _ []string) error {
		var err error
		if x.Features, err = moleculenet.ParseFeatures(*features); err != nil {
			return usage(err)
		}
		if err := positive("runs", x.Runs); err != nil {
			return err
		}
		if x.Split, err = pickSplit(x.Split); err != nil {
			return err
		}
		kinds, err := pick("model", *models, experiments.ModelNames())
		if err != nil {
			return err
		}
		for _, kind := range kinds {
			taken := experiments.AtomFeatures(kind, x.Features)
			if flags.Changed("features") && taken != x.Features {
				return usage(fmt.Errorf("--features %v: %s takes atoms as %v", x.Features, kind, taken))
			}
		}
		names, err := pick("dataset", *sets, experiments.MoleculeNetDatasets)
		if err != nil {
			return err
		}
		backend, err := nkfx.Backend(nkfx.WithNotice(a.stderr))
		if err != nil {
			return err
		}
		defer backend.Finalize()
		runs := a.newRuns(ctx, backend, x.Workers, x.Shard, *asJSON)
		x.Team = runs.team
		for _, x.Dataset = range names {
			molecules, err := x.Load(runs.ctx)
			if err != nil {
				return runs.wait(err)
			}
			a.tellSkipped(molecules)
			for _, x.Model = range kinds {
				x := x
				runs.do(x.Dataset+" "+x.Model, func(report epochs) (*experiments.Result, error) {
					return x.Run(runs.ctx, backend, molecules, report)
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
		return runs.end(a.printAreas)
	})
	return cmd
}

// moleculeFlags gives a command the flags of trainings on molecules.
func moleculeFlags(flags *pflag.FlagSet, x *experiments.MoleculeNet) {
	flags.IntVar(&x.Runs, "runs", x.Runs, "trainings, with seeds counting up")
	flags.Uint32Var(&x.Seed, "seed", x.Seed, "the first seed")
	flags.IntVar(&x.Epochs, "epochs", 0, epochsHelp)
	flags.IntVar(&x.Workers, "workers", runtime.NumCPU(), "trainings at once; changes no result")
	flags.StringVar(&x.Out, "out", "results", "folder for results")
}

// tellSkipped says which rows of a file are not used.
func (a *app) tellSkipped(m *moleculenet.Molecules) {
	const most = 20 // of each kind are listed
	for _, kind := range []struct {
		what string
		rows []moleculenet.Skipped
	}{{"are no molecules", m.Refused}, {"have no label", m.Unlabelled}} {
		if len(kind.rows) == 0 {
			continue
		}
		fmt.Fprintf(a.stderr, "nkf: %s: %d of %d rows %s and are left out\n", m.Name, len(kind.rows),
			m.DataRows, kind.what)
		for _, s := range kind.rows[:min(most, len(kind.rows))] {
			fmt.Fprintf(a.stderr, "  row %d, line %d: %s\n", s.Row, s.Line, s.Reason)
		}
		if more := len(kind.rows) - most; more > 0 {
			fmt.Fprintf(a.stderr, "  and %d more\n", more)
		}
	}
}

// printScores prints results on one's own molecules: areas, or errors of a regression.
func (a *app) printScores(results []*experiments.Result) error {
	if results[0].Metric != "rmse" {
		return a.printAreas(results)
	}
	w := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "data set\tmodel\tparameters\tRMSE, last epoch\tbest epoch\tMAE\tseconds\tcompiled\t"+
		"padding")
	pair := func(mean, std float64) string { return fmt.Sprintf("%.4g ± %.2g", mean, std) }
	for _, r := range results {
		fmt.Fprintf(w, "%s\t%s\t%d\t%s\t%s\t%s\t%.1f\t%d\t%.2f×\n", r.Dataset, r.Model, r.Parameters,
			pair(r.Mean, r.Std), pair(r.MeanBest, r.StdBest), pair(r.Means.MAE, r.Stds.MAE), r.Seconds,
			r.Compilations, r.PaddingWaste)
	}
	return w.Flush()
}

// printAreas prints a table of results on molecules beside the paper's.
func (a *app) printAreas(results []*experiments.Result) error {
	w := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "data set\tmodel\tparameters\tAUROC, last epoch\tbest epoch\tpaper\t"+
		"average precision\taccuracy\tseconds\tcompiled\tpadding")
	pair := func(mean, std float64) string { return fmt.Sprintf("%.2f ± %.2f", mean, std) }
	for _, r := range results {
		paper := "–"
		if r.Paper != nil {
			paper = pair(r.Paper.Mean, r.Paper.Std)
		}
		fmt.Fprintf(w, "%s\t%s\t%d\t%s\t%s\t%s\t%s\t%s\t%.1f\t%d\t%.2f×\n", r.Dataset, r.Model, r.Parameters,
			pair(r.Mean, r.Std), pair(r.MeanBest, r.StdBest), paper,
			pair(r.Means.AveragePrecision, r.Stds.AveragePrecision), pair(r.Means.Accuracy, r.Stds.Accuracy),
			r.Seconds, r.Compilations, r.PaddingWaste)
	}
	return w.Flush()
}
