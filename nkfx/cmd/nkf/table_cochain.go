package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/nkfx"
	"github.com/neuralkforms/nkf/nkfx/experiments"
	"github.com/neuralkforms/nkf/nkfx/figures"
)

// tableCochain returns the command that compares cochain networks.
func (a *app) tableCochain() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "cochain",
		Short: "Compare cochain networks with the paper and with a message-passing network",
		Long: "Compare cochain networks with the paper and with a message-passing network that is\n" +
			"trained like them, as cochain.md, .html and .json: all figures, and the differences of\n" +
			"the first and the last model, training by training.\n\n" +
			"Folds that are finished are kept under --out; the same command goes on where it was\n" +
			"interrupted.",
		Args: noArguments,
	}
	x := experiments.NewCochainTable()
	sets, models := experiments.CochainDatasets, experiments.ModelNames()
	addChoices(cmd, &x.Datasets, "dataset", strings.Join(sets, ", ")+", or all", sets, sets)
	addChoices(cmd, &x.Models, "model", strings.Join(models, ", ")+", or all", models, models)
	addSeed(cmd, &x.Seed, "the first seed")
	addNumber(cmd, &x.Seeds, "seeds", "trainings of every fold, with seeds counting up; of HIV one", 1,
		experiments.MaxSeeds)
	addNumber(cmd, &x.Epochs, "epochs", "epochs of every training (default those of the models)", 1, most)
	workersFlag(cmd, &x.Workers)
	outFlag(cmd, &x.Out)
	trainFlags(cmd, &x.Assemble, nil)
	asJSON := jsonFlag(cmd)
	check(cmd, seedsFit(&x.Seed, "seeds", &x.Seeds))
	cmd.RunE = a.do(func(ctx context.Context, _ []string) error {
		backend, err := nkfx.Backend(nkfx.WithNotice(a.stderr))
		if err != nil {
			return err
		}
		defer backend.Finalize()
		report, done := a.cells()
		results, err := x.Run(ctx, backend, report)
		done()
		if err != nil {
			return err
		}
		if err := saveCochain(results, filepath.Join(x.Out, "cochain")); err != nil {
			return err
		}
		if *asJSON {
			return a.emit(results)
		}
		for _, table := range figures.CochainTables(results) {
			fmt.Fprintf(a.stdout, "%s\n\n", table.Title)
			if err := table.Print(a.stdout); err != nil {
				return err
			}
			fmt.Fprintln(a.stdout)
		}
		return nil
	})
	return cmd
}

// saveCochain writes the comparison to files of that name: .json with
// everything, .md and .html to read.
func saveCochain(results *experiments.CochainResults, name string) error {
	everything, err := json.MarshalIndent(results, "", " ")
	if err != nil {
		return fmt.Errorf("the table as JSON: %w", err)
	}
	var markdown, page bytes.Buffer
	fmt.Fprint(&page, "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n"+
		"<title>Cochain networks</title>\n")
	for i, table := range figures.CochainTables(results) {
		if i > 0 {
			markdown.WriteString("\n")
		}
		markdown.WriteString(table.Markdown())
		page.WriteString(table.HTML())
	}
	page.WriteString("</html>\n")
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return fmt.Errorf("the folder for results: %w", err)
	}
	for _, file := range []struct {
		ext  string
		data []byte
	}{{".json", append(everything, '\n')}, {".md", markdown.Bytes()}, {".html", page.Bytes()}} {
		if err := datasets.WriteFile(name+file.ext, 0o666, datasets.Bytes(file.data)); err != nil {
			return err
		}
	}
	return nil
}
