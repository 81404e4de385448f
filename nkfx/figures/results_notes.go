package figures

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dustin/go-humanize/english"

	"github.com/neuralkforms/nkf/datasets/moleculenet"
	"github.com/neuralkforms/nkf/nkfx/experiments"
)

// metricName returns what the columns of a table are compared by.
func metricName(t *experiments.Results) string {
	var names []string
	for _, c := range t.Columns {
		name := map[string]string{"auroc": "AUROC", "rmse": "RMSE"}[c.Metric]
		if name == "" {
			name = "accuracy"
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	all := strings.Join(names, ", ")
	return strings.ToUpper(all[:min(1, len(all))]) + all[min(1, len(all)):]
}

// notes says how the scores of a table came about.
func notes(t *experiments.Results, metric string, table *Table) []string {
	notes := []string{fmt.Sprintf("Test %s in percent, mean ± standard deviation (n − 1).%s",
		strings.Replace(metric, "Accuracy", "accuracy", 1), boldNote(table))}
	var said []string // of splits and numbers of seeds
	for _, c := range t.Columns {
		protocol := protocol(c)
		if !slices.Contains(said, protocol) {
			said = append(said, protocol)
			notes = append(notes, fmt.Sprintf("Columns such as %q: %s.", c.Name, protocol))
		}
	}
	for _, f := range t.Fallbacks {
		notes = append(notes, fmt.Sprintf("Rows %q stand for %s on %s, which %s not have all of these.",
			f.Asked, f.Taken, strings.Join(f.Datasets, ", "),
			english.PluralWord(len(f.Datasets), "does", "do")))
	}
	for i, c := range t.Columns {
		for _, row := range t.Rows {
			if row.Cells[i] == nil {
				continue
			}
			for _, sentence := range row.Cells[i].Omissions() {
				name := modelStyles[row.Model].name
				notes = append(notes, fmt.Sprintf("%s on %s: %s.", name, c.Name, sentence))
			}
		}
	}
	if t.Missing > 0 {
		notes = append(notes, english.Plural(t.Missing, "cell is", "cells are")+" not trained yet.")
	}
	return notes
}

// protocol says what was trained on for a column.
func protocol(c experiments.Column) string {
	seeds := english.Plural(c.Seeds, "seed", "")
	switch c.Split {
	case "fold0":
		return fmt.Sprintf("%s on the first of %d stratified folds, as published", seeds, c.Folds)
	case "folds":
		return fmt.Sprintf("all %d folds with %s each", c.Folds, seeds)
	case "scaffold":
		return seeds + " on MoleculeNet's split by scaffold (80 : 10 : 10), whose test molecules are built " +
			"on ring systems that training never saw"
	}
	if c.Split == "default" {
		return seeds + " on the training and the test part that the archive has"
	}
	return fmt.Sprintf("%s on one %s split (80 : 10 : 10)", seeds, c.Split)
}

// boldNote says what is bold, if anything is.
func boldNote(t *Table) string {
	for _, row := range t.Rows {
		if slices.ContainsFunc(row, func(c Cell) bool { return c.Strong }) {
			return " Bold is ahead of every other model here, fold by fold (corrected resampled t-test, " +
				"95 %)."
		}
	}
	return ""
}

// featureText is what tables call a choice of features: those of molecules
// have names that are short for a flag.
func featureText(row experiments.Row) string {
	name := row.Features
	for _, cell := range row.Cells {
		if name == "" && cell != nil {
			name = cell.Features
		} else if cell != nil && row.Features == "" && cell.Features != name {
			return "those of the model"
		}
	}
	switch name {
	case string(moleculenet.Numbers):
		return "atom features"
	case string(moleculenet.OneHot):
		return "atom features, one-hot"
	}
	return name
}

// origin says what a table was computed with.
func origin(t *experiments.Results) string {
	var data []string
	for _, c := range t.Columns {
		if len(c.DataSHA256) < 12 {
			continue
		}
		if text := c.Dataset + " " + c.DataSHA256[:12]; !slices.Contains(data, text) {
			data = append(data, text)
		}
	}
	return fmt.Sprintf("nkf %s, GoMLX %s, go-xla %s on %s, %s; seeds from %d. Data by SHA-256: %s.",
		t.Versions.NKF, t.Versions.GoMLX, t.Versions.GoXLA, t.Backend, t.Versions.Processor, t.Seed,
		strings.Join(data, ", "))
}
