package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/dustin/go-humanize/english"
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
		Args:  noArguments,
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
		Args:  noArguments,
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
		if usable < len(reports) {
			return fmt.Errorf("%d of %s cannot be used: %s", len(reports)-usable,
				english.Plural(len(reports), "data set", ""), unusable(reports, *download))
		}
		return nil
	})
	return cmd
}

// unusable says what is wrong with data sets, and what to do. Where they were
// to be downloaded, what has failed with the first says it of all.
func unusable(reports []nkfx.DataReport, downloaded bool) string {
	var missing, wrong []string
	for _, r := range reports {
		switch {
		case r.Error == "":
		case downloaded:
			return "the first: " + r.Error
		case r.Path == "":
			missing = append(missing, r.Name)
		default:
			wrong = append(wrong, fmt.Sprintf("%s is not the published file, so remove it", r.Path))
		}
	}
	if len(missing) > 0 {
		wrong = append(wrong,
			strings.Join(missing, ", ")+" not here, which `nkf data verify --download` fetches")
	}
	return strings.Join(wrong, "; ")
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
