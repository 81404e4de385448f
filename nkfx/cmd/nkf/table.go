package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
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
		Args: cobra.NoArgs,
	}
	flags := cmd.Flags()
	x := experiments.NewTable1()
	all := []string{"all"}
	flags.StringSliceVar(&x.Datasets, "dataset", all, strings.Join(experiments.TUDatasets, ", ")+", or all")
	flags.StringSliceVar(&x.Models, "model", all, strings.Join(experiments.ModelNames(), ", ")+
		"; all are the paper's")
	choices := flags.StringSlice("features", names(x.Choices),
		"of neural forms, a row for each: "+featuresHelp)
	baselines := flags.StringSlice("baseline-features", names(x.Baselines), "of the other models, likewise")
	flags.BoolVar(&x.Assemble, "assemble", false, "train nothing: take what is under --out")
	tuFlags(flags, &x.TU)
	shardFlag(flags, &x.Shard)
	cmd.MarkFlagsMutuallyExclusive("shard", "assemble")
	asJSON := jsonFlag(cmd)
	cmd.RunE = a.do(func(ctx context.Context, _ []string) error {
		var err error
		if x.Choices, err = parseChoices(*choices); err != nil {
			return usage(err)
		}
		if x.Baselines, err = parseChoices(*baselines); err != nil {
			return usage(err)
		}
		if x.Datasets, err = pick("dataset", x.Datasets, experiments.TUDatasets); err != nil {
			return err
		}
		if x.Models, err = pickModels(x.Models, experiments.Table1Models); err != nil {
			return err
		}
		if err := positive("seeds", x.Seeds); err != nil {
			return err
		}
		return a.makeTable(ctx, x.Run, x.Shard, filepath.Join(x.Out, "table1"), *asJSON,
			func(table *experiments.Table) ([]*figures.Table, *figures.Figure) {
				return figures.Table1(table), figures.AccuracyByParameters(table)
			})
	})
	return cmd
}

// makeTable runs what a table needs, saves it under path with the endings of
// its formats, and shows it. A shard only runs.
func (a *app) makeTable(ctx context.Context,
	run func(context.Context, compute.Backend, func(string, train.Progress)) (*experiments.Table, error),
	shard *experiments.Shard, path string, asJSON bool,
	draw func(*experiments.Table) ([]*figures.Table, *figures.Figure)) error {
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
	tables, figure := draw(table)
	if err := saveTable(table, tables, figure, path); err != nil {
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

// names returns the texts of features.
func names(choices []tu.Features) []string {
	var out []string
	for _, f := range choices {
		out = append(out, f.String())
	}
	return out
}

// parseChoices reads features.
func parseChoices(list []string) ([]tu.Features, error) {
	var out []tu.Features
	for _, s := range list {
		f, err := tu.ParseFeatures(s)
		if err != nil {
			return nil, err
		}
		out = append(out, f)
	}
	return out, nil
}
