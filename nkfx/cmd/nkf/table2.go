package main

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/neuralkforms/nkf/nkfx/experiments"
)

// table2 returns the command that makes Table 2.
func (a *app) table2() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "2",
		Short: "Make Table 2: all models on molecules",
		Long: "Make Table 2: all models on molecules, as table2.md, .html, .json, .svg and .png.\n\n" +
			"Trainings that are finished are kept under --out; the same command goes on where it\n" +
			"was interrupted.",
		Args: noArguments,
	}
	x := experiments.NewTable2()
	sets, splits := experiments.MoleculeNetDatasets, experiments.Splits
	addChoices(cmd, &x.Datasets, "dataset", moleculeNames+", or all", sets, sets)
	modelsFlag(cmd, &x.Models, experiments.Table2Models)
	atomsFlag(cmd, &x.MoleculeNet.Features)
	addChoices(cmd, &x.Splits, "split", strings.Join(splits, ", ")+", or all: a column for each", splits,
		splits)
	moleculeFlags(cmd, &x.MoleculeNet)
	trainFlags(cmd, &x.Assemble, &x.Shard)
	asJSON := jsonFlag(cmd)
	check(cmd, seedsFit(&x.Seed, "runs", &x.Runs), alone(cmd, "shard", "assemble"),
		func() error { return atomsFit(cmd, x.Features, x.Models) })
	cmd.RunE = a.do(func(ctx context.Context, _ []string) error {
		return a.makeTable(ctx, x.Run, x.Shard, filepath.Join(x.Out, "table2"), *asJSON)
	})
	return cmd
}
