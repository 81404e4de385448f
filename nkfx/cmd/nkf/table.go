package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gomlx/compute"
	"github.com/spf13/cobra"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/tu"
	"github.com/neuralkforms/nkf/nkfx"
	"github.com/neuralkforms/nkf/nkfx/experiments"
	"github.com/neuralkforms/nkf/nkfx/figures"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// tableGroup returns the command that holds the paper's tables.
func (a *app) tableGroup() *cobra.Command {
	cmd := a.group("table", "Make a table of the paper, with the paper's numbers beside ours")
	cmd.AddCommand(a.table1(), a.table2(), a.tableCochain())
	return cmd
}

// table1 returns the command that makes Table 1.
func (a *app) table1() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "1",
		Short: "Make Table 1: all models on the graph benchmarks",
		Long: "Make Table 1: all models on the graph benchmarks, as table1.md, .html, .json, .svg\n" +
			"and .png.\n\n" +
			"Folds that are finished are kept under --out; the same command goes on where it was\n" +
			"interrupted.",
		Args: noArguments,
	}
	x := experiments.NewTable1()
	sets := experiments.TUDatasets
	addChoices(cmd, &x.Datasets, "dataset", strings.Join(sets, ", ")+", or all", sets, sets)
	modelsFlag(cmd, &x.Models, experiments.Table1Models)
	addList(cmd, &x.Choices, "features", "NAMES", "of neural forms, a row for each: "+featuresHelp, nil,
		tu.ParseFeatures, graphFeatures...)
	addList(cmd, &x.Baselines, "baseline-features", "NAMES", "of the other models, likewise", nil,
		tu.ParseFeatures, graphFeatures...)
	tuFlags(cmd, &x.TU)
	trainFlags(cmd, &x.Assemble, &x.Shard)
	asJSON := jsonFlag(cmd)
	check(cmd, seedsFit(&x.Seed, "seeds", &x.Seeds), alone(cmd, "shard", "assemble"),
		func() error { return rowsFit(cmd, x.Models) })
	cmd.RunE = a.do(func(ctx context.Context, _ []string) error {
		return a.makeTable(ctx, x.Run, x.Shard, filepath.Join(x.Out, "table1"), *asJSON)
	})
	return cmd
}

// makeTable runs what a table needs, saves it under path with the endings of
// its formats, and shows it. A shard only runs.
func (a *app) makeTable(ctx context.Context,
	run func(context.Context, compute.Backend, func(string, train.Progress)) (*experiments.Table, error),
	shard *experiments.Shard, path string, asJSON bool) error {
	backend, err := nkfx.Backend(nkfx.WithNotice(a.stderr))
	if err != nil {
		return err
	}
	defer backend.Finalize()
	report, done := a.cells()
	table, err := run(ctx, backend, report)
	done()
	if err != nil {
		return err
	}
	if shard != nil {
		a.tellShard(shard, filepath.Dir(path))
		return nil
	}
	tables := figures.Results(table)
	if err := saveTable(table, tables, figures.ByParameters(table), path); err != nil {
		return err
	}
	return a.showTable(table, tables, asJSON)
}

// cells returns what shows the progress of cells that are made side by side,
// the one of the last epoch at a time, and what ends that.
func (a *app) cells() (report func(cell string, p train.Progress), done func()) {
	lines := map[string]*progressLine{}
	var last *progressLine
	done = func() {
		if last != nil {
			last.close()
		}
	}
	return func(cell string, p train.Progress) {
		if lines[cell] == nil {
			lines[cell] = a.progress(cell)
		}
		if line := lines[cell]; line != last {
			done()
			last = line
		}
		last.epoch(p)
	}, done
}

// showTable prints the tables, or a line of JSON for every cell.
func (a *app) showTable(table *experiments.Table, tables []*figures.Table, asJSON bool) error {
	if !asJSON {
		for _, t := range tables {
			fmt.Fprintf(a.stdout, "%s\n\n", t.Title)
			if err := t.Print(a.stdout); err != nil {
				return err
			}
			fmt.Fprintln(a.stdout)
		}
		return nil
	}
	for _, row := range table.Rows {
		for _, cell := range row.Cells {
			if cell != nil {
				if err := a.emit(cell); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// saveTable writes a table to files of that name: .json with everything, .md
// and .html to read, .svg and .png with a figure.
func saveTable(table *experiments.Table, tables []*figures.Table, figure *figures.Figure, name string) error {
	everything, err := json.MarshalIndent(table, "", " ")
	if err != nil {
		return fmt.Errorf("the table as JSON: %w", err)
	}
	svg, err := figure.SVG()
	if err != nil {
		return err
	}
	png, err := figure.PNG()
	if err != nil {
		return err
	}
	var markdown, page bytes.Buffer
	fmt.Fprintf(&page, "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n"+
		"<title>Table %d</title>\n", table.Number)
	for i, t := range tables {
		if i > 0 {
			markdown.WriteString("\n")
		}
		markdown.WriteString(t.Markdown())
		page.WriteString(t.HTML())
	}
	fmt.Fprintf(&markdown, "\n![%s](%s.svg)\n", figure.Title, filepath.Base(name))
	page.Write(svg[max(0, bytes.Index(svg, []byte("<svg"))):]) // without the head of an SVG file
	page.WriteString("\n</html>\n")
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return fmt.Errorf("the folder for results: %w", err)
	}
	for _, file := range []struct {
		ext  string
		data []byte
	}{
		{".json", append(everything, '\n')}, {".md", markdown.Bytes()}, {".html", page.Bytes()},
		{".svg", svg}, {".png", png},
	} {
		if err := datasets.WriteFile(name+file.ext, 0o666, datasets.Bytes(file.data)); err != nil {
			return err
		}
	}
	return nil
}

// modelsFlag gives the command of a table the flag --model, in which the word
// all stands for the models of the paper.
func modelsFlag(cmd *cobra.Command, models *[]string, paper []string) {
	names := experiments.ModelNames()
	addChoices(cmd, models, "model", strings.Join(names, ", ")+", or all: those of the paper", names, paper)
}

// trainFlags gives the command of a table the flags that say what is trained.
func trainFlags(cmd *cobra.Command, assemble *bool, shard **experiments.Shard) {
	cmd.Flags().BoolVar(assemble, "assemble", false, "train nothing: take what is under --out")
	if shard != nil {
		shardFlag(cmd, shard)
		cmd.MarkFlagsMutuallyExclusive("shard", "assemble")
	}
}

// rowsFit returns an error if features were asked for that no model of Table 1
// takes.
func rowsFit(cmd *cobra.Command, models []string) error {
	forms := slices.Contains(models, "nkf")
	baseline := func(m string) bool { return m != "nkf" && !experiments.Cochain(m) }
	others := slices.ContainsFunc(models, baseline)
	for flag, of := range map[string]bool{"features": forms, "baseline-features": others} {
		if cmd.Flags().Changed(flag) && !of {
			return fmt.Errorf("--%s is for none of the models %s", flag, strings.Join(models, ", "))
		}
	}
	return nil
}
