package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/nkfx"
)

// data returns the commands that look after the published data sets.
func (a *app) data() *cobra.Command {
	cmd := a.group("data", "List, check and download the published data sets")
	cmd.AddCommand(a.dataList(), a.dataVerify())
	return cmd
}

func (a *app) dataList() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the data sets and where they are",
		Args:  cobra.NoArgs,
	}
	asJSON := jsonFlag(cmd)
	cmd.RunE = a.do(func(ctx context.Context, _ []string) error {
		finder := datasets.NewFinder()
		finder.Offline = true
		reports, _ := nkfx.Data(ctx, finder)
		return a.printData(reports, *asJSON)
	})
	return cmd
}

func (a *app) dataVerify() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "verify",
		Short: "Check every data set against its SHA-256, and fail if one is missing or differs",
		Args:  cobra.NoArgs,
	}
	asJSON := jsonFlag(cmd)
	download := cmd.Flags().Bool("download", false, "download what is missing")
	cmd.RunE = a.do(func(ctx context.Context, _ []string) error {
		finder := datasets.NewFinder()
		finder.Offline = !*download
		reports, usable := nkfx.Data(ctx, finder)
		if err := a.printData(reports, *asJSON); err != nil {
			return err
		}
		for _, report := range reports {
			if report.Error != "" {
				return fmt.Errorf("%d of %d data sets cannot be used, the first: %s",
					len(reports)-usable, len(reports), report.Error)
			}
		}
		return nil
	})
	return cmd
}

// printData writes a table, or one line of JSON for each data set.
func (a *app) printData(reports []nkfx.DataReport, asJSON bool) error {
	if !asJSON {
		return nkfx.PrintData(a.stdout, reports)
	}
	for _, report := range reports {
		if err := a.emit(report); err != nil {
			return err
		}
	}
	return nil
}
