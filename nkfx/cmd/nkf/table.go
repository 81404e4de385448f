package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/neuralkforms/nkf/datasets/fileio"
	"github.com/neuralkforms/nkf/nkfx/experiments"
	"github.com/neuralkforms/nkf/nkfx/figures"
	"github.com/neuralkforms/nkf/nkfx/models"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// tableGroup returns the command that holds the tables.
func (a *app) tableGroup() *cobra.Command {
	var tables []*cobra.Command
	for _, t := range experiments.Tables {
		tables = append(tables, a.table(t))
	}
	return a.group("table", "Make a table of the paper, with the paper's numbers beside ours", tables...)
}

// tableTitles say what the tables are of.
var tableTitles = map[string]string{
	"1":       "Make Table 1: all models on the graph benchmarks",
	"2":       "Make Table 2: all models on molecules",
	"cochain": "Compare cochain networks with GIN trained by the same protocol, and with the paper",
	"uea":     "Compare path networks with controls and with published classifiers on time series",
}

// tableFile is the name of the files of a table, without their endings.
func tableFile(name string) string {
	if _, err := strconv.Atoi(name); err != nil {
		return name
	}
	return "table" + name
}

// table returns the command that makes a table.
func (a *app) table(x experiments.Table) *cobra.Command {
	var names []string
	for _, b := range x.Benchmarks {
		names = append(names, b.Name)
	}
	var features string // of atoms
	cmd := a.command(x.Name, tableTitles[x.Name],
		"The table is saved as "+tableFile(x.Name)+".md, .json, .svg and .png. Finished\n"+
			"trainings are kept under --out; the same command resumes after an interrupt.",
		func(ctx context.Context, _ []string) error {
			if features != "" {
				x.Features = []string{features}
			}
			if err := x.Keep(names...); err != nil {
				return err
			}
			return a.makeTable(ctx, x)
		})
	benchmarksFlag(cmd, &names, names)
	addModels(cmd, &x.Models, x.Benchmarks[0].Kind, "or all: those of the table", slices.Clone(x.Models))
	switch x.Name {
	case "1":
		addList(cmd, &x.Features, "features", "NAMES", "features, with a row for each: "+featuresHelp, nil,
			parseGraphs, graphFeatures...)
		addNumber(cmd, &x.Folds, "folds", "number of folds of the cross-validation", 2, most)
		check(cmd, func() error { return featuresFit(cmd, x) })
	case "2":
		atomsFlag(cmd, &features)
		addChoices(cmd, &x.Splits, "split", strings.Join(experiments.Splits, ", ")+
			", or all: a column for each", experiments.Splits, experiments.Splits)
		addSeeds(cmd, "runs", &x.Settings, &x.Runs, "number of trainings per cell, with consecutive seeds")
		check(cmd, func() error { return featuresFit(cmd, x) })
	}
	if x.Runs == 0 {
		usage := "trainings per fold, with consecutive seeds"
		if slices.Contains(names, "HIV") {
			usage += "; of HIV one"
		}
		addSeeds(cmd, "seeds", &x.Settings, &x.Seeds, usage)
	}
	a.trainingFlags(cmd, &x.Settings)
	cmd.Flags().BoolVar(&x.Assemble, "assemble", false, "train nothing: use the results under --out")
	cmd.MarkFlagsMutuallyExclusive("shard", "assemble")
	return cmd
}

// makeTable trains what a table needs, saves it and shows it. A shard only trains.
func (a *app) makeTable(ctx context.Context, x experiments.Table) error {
	backend, err := a.backend()
	if err != nil {
		return err
	}
	line := a.progress()
	results, err := x.Run(ctx, backend, line.epoch)
	line.close()
	if err != nil {
		return err
	}
	if x.Shard != nil {
		a.reportShard(x.Shard, x.Out)
		return nil
	}
	if err := saveTable(results, filepath.Join(x.Out, tableFile(x.Name))); err != nil {
		return err
	}
	if a.asJSON {
		var cells []*experiments.Result
		for _, row := range results.Rows {
			cells = append(cells, row.Cells...)
		}
		return a.printResults(slices.DeleteFunc(cells, func(r *experiments.Result) bool { return r == nil }))
	}
	for _, t := range figures.Results(results) {
		fmt.Fprintf(a.stdout, "%s\n\n", t.Title)
		if err := t.Print(a.stdout); err != nil {
			return err
		}
		fmt.Fprintln(a.stdout)
	}
	return nil
}

// saveTable writes results to files of that name: .json with everything, .md to read, .svg and .png with a
// figure.
func saveTable(results *experiments.Results, name string) error {
	figure := figures.ByParameters(results)
	drawn := pictures{filepath.Base(name): figure}
	if err := cmp.Or(saveJSON(name+".json", results), drawn.save(filepath.Dir(name))); err != nil {
		return err
	}
	var markdown bytes.Buffer
	for _, t := range figures.Results(results) {
		fmt.Fprintf(&markdown, "%s\n", t.Markdown())
	}
	fmt.Fprintf(&markdown, "![%s](%s.svg)\n", figure.Title, filepath.Base(name))
	return fileio.Write(name+".md", 0o666, fileio.Bytes(markdown.Bytes()))
}

// featuresFit returns an error if features were given and all models of the table have their own.
func featuresFit(cmd *cobra.Command, x experiments.Table) error {
	if cmd.Flags().Changed("features") && !slices.ContainsFunc(x.Models, func(name string) bool {
		m, err := models.Lookup(name, models.Size{})
		return err == nil && m.Features(x.Benchmarks[0].Kind) == ""
	}) {
		return fmt.Errorf("--features is for none of the models %s", strings.Join(x.Models, ", "))
	}
	return nil
}

// meanStd returns a mean and a standard deviation for a table: of numbers to two digits of the deviation.
func meanStd(metric string, mean, std train.Score) string {
	switch {
	case metric != "rmse" || !mean.Defined():
		return experiments.Published{Mean: float64(mean), Std: std}.String()
	case !std.Defined():
		return fmt.Sprintf("%.4g", mean)
	case 10 <= std && std < 1e6:
		return fmt.Sprintf("%.0f ± %.0f", mean, std)
	}
	return fmt.Sprintf("%.4g ± %.2g", mean, std)
}

// printResults prints results of one metric beside the paper's, and below what the means leave out; or a line
// of JSON for each.
func (a *app) printResults(results []*experiments.Result) error {
	if a.asJSON {
		return writeJSON(a.stdout, results...)
	}
	metric := results[0].Metric
	last := map[string]string{"accuracy": "last epoch", "auroc": "AUROC, last epoch",
		"rmse": "RMSE, last epoch"}
	t := figures.Table{Head: []string{"data set", "model", "parameters", last[metric], "best epoch", "paper",
		"seconds"}}
	if metric == "rmse" {
		t.Head[5] = "MAE"
	}
	for _, r := range results {
		published := "–"
		if metric == "rmse" {
			published = meanStd(metric, r.Means.MAE, r.Stds.MAE)
		} else if r.Paper != nil {
			published = r.Paper.String()
		}
		texts := []string{r.Dataset, r.Model, strconv.Itoa(r.Parameters), meanStd(metric, r.Mean, r.Std),
			meanStd(metric, r.MeanBest, r.StdBest), published, fmt.Sprintf("%.1f", r.Seconds)}
		t.Rows = append(t.Rows, figures.Texts(texts...))
		for _, sentence := range r.Omissions() {
			t.Notes = append(t.Notes, fmt.Sprintf("%s %s: %s", r.Dataset, r.Model, sentence))
		}
	}
	return t.Print(a.stdout)
}
