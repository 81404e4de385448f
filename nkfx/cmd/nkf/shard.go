package main

import (
	"context"
	"fmt"

	"github.com/dustin/go-humanize/english"
	"github.com/spf13/cobra"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/nkfx/experiments"
)

// tellShard reports that a shard is done.
func (a *app) tellShard(shard *experiments.Shard, out string) {
	fmt.Fprintf(a.stderr, "nkf: shard %v is done; when all are, `nkf merge --out %s` joins them, and the "+
		"same command without --shard shows the results\n", shard, out)
}

// merge returns the command that joins the finished trainings of shards.
func (a *app) merge() *cobra.Command {
	var out string
	cmd := a.command("merge", "Join what the shards of a run (--shard) have finished",
		"Afterwards the folder for results is as if one process had done all. It can be repeated, and\n"+
			"interrupted.", func(context.Context, []string) error {
			merged, err := experiments.Merge(out)
			for _, m := range merged {
				fmt.Fprintf(a.stdout, "%s: %s from %s\n", datasets.Printable(m.Journal),
					english.Plural(m.Trainings, "new training", ""), english.Plural(m.Shards, "shard", ""))
			}
			if err == nil && len(merged) == 0 {
				fmt.Fprintf(a.stderr, "nkf: there are no shards under %s, so there is nothing to merge\n",
					out)
			}
			return err
		})
	outFlag(cmd, &out)
	return cmd
}
