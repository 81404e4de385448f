package main

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/neuralkforms/nkf/datasets/moleculenet"
	"github.com/neuralkforms/nkf/nkfx/experiments"
	"github.com/neuralkforms/nkf/nkfx/figures"
)

// table2 returns the command that makes Table 2.
func (a *app) table2() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "2",
		Short: "Make Table 2: all models on molecules",
		Long: "Make Table 2: all models on molecules, as table2.md, .html, .json, .svg and .png.\n\n" +
			"Trainings that are finished are kept under --out; the same command goes on where it\n" +
			"was interrupted.",
		Args: cobra.NoArgs,
	}
	flags := cmd.Flags()
	x := experiments.NewTable2()
	all := []string{"all"}
	flags.StringSliceVar(&x.Datasets, "dataset", all,
		strings.ToLower(strings.Join(experiments.MoleculeNetDatasets, ", "))+", or all")
	flags.StringSliceVar(&x.Models, "model", all, strings.Join(experiments.ModelNames(), ", ")+
		"; all are the paper's")
	features := flags.String("features", x.Features.String(), "of atoms: numbers, the nine as they are, or one-hot")
	flags.StringSliceVar(&x.Splits, "split", x.Splits, strings.Join(experiments.Splits, ", ")+
		": a column for each")
	flags.BoolVar(&x.Assemble, "assemble", false, "train nothing: take what is under --out")
	moleculeFlags(flags, &x.MoleculeNet)
	shardFlag(flags, &x.Shard)
	cmd.MarkFlagsMutuallyExclusive("shard", "assemble")
	asJSON := jsonFlag(cmd)
	cmd.RunE = a.do(func(ctx context.Context, _ []string) error {
		var err error
		if x.MoleculeNet.Features, err = moleculenet.ParseFeatures(*features); err != nil {
			return usage(err)
		}
		if x.Datasets, err = pick("dataset", x.Datasets, experiments.MoleculeNetDatasets); err != nil {
			return err
		}
		if x.Splits, err = pick("split", x.Splits, experiments.Splits); err != nil {
			return err
		}
		if x.Models, err = pickModels(x.Models, experiments.Table2Models); err != nil {
			return err
		}
		return a.makeTable(ctx, x.Run, x.Shard, filepath.Join(x.Out, "table2"), *asJSON,
			func(table *experiments.Table) ([]*figures.Table, *figures.Figure) {
				return figures.Table2(table), figures.AUROCByParameters(table)
			})
	})
	return cmd
}
