package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/dustin/go-humanize/english"
	"github.com/spf13/cobra"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/moleculenet"
	"github.com/neuralkforms/nkf/nkfx"
	"github.com/neuralkforms/nkf/nkfx/experiments"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// runMoleculeNet returns the command that trains on molecules.
func (a *app) runMoleculeNet() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "moleculenet",
		Short: "Train models on molecules several times over (Table 2)",
		Long: "Train models on molecules several times over (Table 2).\n\n" +
			"Finished trainings are kept under --out; the same command goes on where it was interrupted.",
		Args: noArguments,
	}
	x := experiments.NewMoleculeNet("", "")
	names, kinds := experiments.MoleculeNetDatasets, []string{"nkf"}
	addChoices(cmd, &names, "dataset", moleculeNames+", or all", names, names)
	models := experiments.ModelNames()
	addChoices(cmd, &kinds, "model", strings.Join(models, ", ")+", or all", models, models)
	atomsFlag(cmd, &x.Features)
	addChoice(cmd, &x.Split, "split", strings.Join(experiments.Splits, ", "), experiments.Splits)
	moleculeFlags(cmd, &x)
	shardFlag(cmd, &x.Shard)
	asJSON := jsonFlag(cmd)
	check(cmd, seedsFit(&x.Seed, "runs", &x.Runs), func() error { return atomsFit(cmd, x.Features, kinds) },
		func() error {
			if x.Split == "folds" && x.Runs%x.Folds != 0 {
				return fmt.Errorf("--runs %d: the split into folds has %d of them: take a multiple of %[2]d",
					x.Runs, x.Folds)
			}
			return nil
		})
	cmd.RunE = a.do(func(ctx context.Context, _ []string) error {
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

// moleculeNames are the data sets of molecules.
var moleculeNames = strings.ToLower(strings.Join(experiments.MoleculeNetDatasets, ", "))

// moleculeFlags gives a command the flags of trainings on molecules.
func moleculeFlags(cmd *cobra.Command, x *experiments.MoleculeNet) {
	addNumber(cmd, &x.Runs, "runs", "trainings, with seeds counting up", 1, experiments.MaxSeeds)
	addSeed(cmd, &x.Seed, "the first seed")
	addNumber(cmd, &x.Epochs, "epochs", epochsHelp, 1, most)
	workersFlag(cmd, &x.Workers)
	outFlag(cmd, &x.Out)
}

// atomsFlag gives a command the flag --features of molecules.
func atomsFlag(cmd *cobra.Command, features *moleculenet.Features) {
	addFlag(cmd, features, "features", "NAME",
		"of atoms: numbers, the nine as they are, or one-hot, which cochain networks always take",
		moleculenet.ParseFeatures, atomFeatures...)
}

// atomFeatures are the features that moleculenet.ParseFeatures reads.
var atomFeatures = []string{moleculenet.Numbers.String(), moleculenet.OneHot.String()}

// atomsFit returns an error if features were asked for that a model does not
// take.
func atomsFit(cmd *cobra.Command, features moleculenet.Features, models []string) error {
	for _, model := range models {
		taken := experiments.AtomFeatures(model, features)
		if cmd.Flags().Changed("features") && taken != features {
			return fmt.Errorf("--features %v: %s takes atoms as %v", features, model, taken)
		}
	}
	return nil
}

// tellSkipped says which rows of a file are not used.
func (a *app) tellSkipped(m *moleculenet.Molecules) {
	const most = 20 // of each kind are listed
	for _, kind := range []struct {
		what string
		rows []moleculenet.Skipped
	}{{"no molecule", m.Refused}, {"no label", m.Unlabeled}} {
		if len(kind.rows) == 0 {
			continue
		}
		fmt.Fprintf(a.stderr, "nkf: %s: %d of %s left out, with %s\n", m.Name, len(kind.rows),
			english.Plural(m.Len()+len(m.Refused)+len(m.Unlabeled), "row", ""), kind.what)
		for _, s := range kind.rows[:min(most, len(kind.rows))] {
			fmt.Fprintf(a.stderr, "  row %d, line %d: %s\n", s.Row, s.Line, datasets.Printable(s.Reason))
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
	pair := scorePair("%.4g ± %.2g")
	for _, r := range results {
		fmt.Fprintf(w, "%s\t%s\t%d\t%s\t%s\t%s\t%.1f\t%d\t%.2f×\n", r.Dataset, r.Model, r.Parameters,
			pair(r.Mean, r.Std), pair(r.MeanBest, r.StdBest), pair(r.Means.MAE, r.Stds.MAE), r.Seconds,
			r.Compilations, r.PaddingWaste)
	}
	return errors.Join(w.Flush(), a.printOmissions(results))
}

// scorePair returns a function that writes a mean and a deviation, a dash where they are undefined.
func scorePair(format string) func(mean, std train.Score) string {
	return func(mean, std train.Score) string {
		if !mean.Defined() {
			return "–"
		}
		return fmt.Sprintf(format, mean, std)
	}
}

// printOmissions says below a table what its means are without.
func (a *app) printOmissions(results []*experiments.Result) error {
	for _, r := range results {
		for _, sentence := range r.Omissions() {
			if _, err := fmt.Fprintf(a.stdout, "%s %s: %s\n", r.Dataset, r.Model, sentence); err != nil {
				return err
			}
		}
	}
	return nil
}

// printAreas prints a table of results on molecules beside the paper's.
func (a *app) printAreas(results []*experiments.Result) error {
	w := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "data set\tmodel\tparameters\tAUROC, last epoch\tbest epoch\tpaper\t"+
		"average precision\taccuracy\tseconds\tcompiled\tpadding")
	pair := scorePair("%.2f ± %.2f")
	for _, r := range results {
		paper := "–"
		if r.Paper != nil {
			paper = r.Paper.String()
		}
		fmt.Fprintf(w, "%s\t%s\t%d\t%s\t%s\t%s\t%s\t%s\t%.1f\t%d\t%.2f×\n", r.Dataset, r.Model, r.Parameters,
			pair(r.Mean, r.Std), pair(r.MeanBest, r.StdBest), paper,
			pair(r.Means.AveragePrecision, r.Stds.AveragePrecision), pair(r.Means.Accuracy, r.Stds.Accuracy),
			r.Seconds, r.Compilations, r.PaddingWaste)
	}
	return errors.Join(w.Flush(), a.printOmissions(results))
}
