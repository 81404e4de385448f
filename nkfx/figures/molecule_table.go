package figures

import (
	"fmt"
	"strings"

	"github.com/neuralkforms/nkf/nkfx/experiments"
)

// Table2 returns the table of areas under the receiver operating
// characteristic beside the paper's, on molecules, the same with the weights
// of the lowest validation loss, and tables of average precision and accuracy.
func Table2(t *experiments.Table) []*Table {
	const metric = "AUROC"
	tables := comparison(t, 2, metric)[:2]
	notes := []string{"Test " + metric + " in percent, mean ± standard deviation." + boldNote(tables[0])}
	for _, split := range experiments.Splits {
		if column := example(t, split); column != "" {
			notes = append(notes, fmt.Sprintf("Columns such as %q: %s.", column, protocol(t, split)))
		}
	}
	// The first note of a comparison speaks of one split.
	tables[0].Notes = append(notes, tables[0].Notes[1:]...)
	for _, detail := range []struct {
		name string
		pick func(*experiments.Result) experiments.Figure
	}{
		{"Average precision", func(r *experiments.Result) experiments.Figure {
			return figure(r.Means.AveragePrecision, r.Stds.AveragePrecision)
		}},
		{"Accuracy", func(r *experiments.Result) experiments.Figure {
			return figure(r.Means.Accuracy, r.Stds.Accuracy)
		}},
	} {
		title := detail.name + " with the weights of the last epoch"
		tables = append(tables, scores(t, title, false, detail.pick))
	}
	last := tables[len(tables)-1]
	last.Notes = append(last.Notes, origin(t))
	return tables
}

// example returns a column of that split, or "" if there is none.
func example(t *experiments.Table, split string) string {
	for _, name := range t.Datasets {
		suffix := experiments.Splits[0]
		if _, after, found := strings.Cut(name, " "); found {
			suffix = after
		}
		if suffix == split {
			return name
		}
	}
	return ""
}

// protocol says what was trained on for a column of that split.
func protocol(t *experiments.Table, split string) string {
	seeds := fmt.Sprintf("%d %s", t.Seeds, plural(t.Seeds, "seed"))
	switch split {
	case experiments.Splits[0]:
		return fmt.Sprintf("%s on the first of %d stratified folds, as published", seeds, t.Folds)
	case "folds":
		each := (t.Seeds + t.Folds - 1) / t.Folds
		return fmt.Sprintf("all %d folds with %d %s each", t.Folds, each, plural(each, "seed"))
	case "scaffold":
		return seeds + " on MoleculeNet's split by scaffold (80 : 10 : 10), whose test molecules are built " +
			"on ring systems that training never saw"
	}
	return fmt.Sprintf("%s on one %s split (80 : 10 : 10)", seeds, split)
}
