package figures

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"

	"github.com/neuralkforms/nkf/datasets/moleculenet"
	"github.com/neuralkforms/nkf/nkfx/experiments"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// modelNames are the models as the paper writes them, and those that it does not have; modelColors
// their colors in every figure.
var (
	modelNames = map[string]string{"egnn": "EGNN", "gat": "GAT", "gcn": "GCN", "gin": "GIN", "nkf": "NkF",
		"cochain": "Cochain", "cochain-forms": "Cochain, forms", "cochain-small": "Cochain, small",
		"gin-tuned": "GIN, tuned"}

	modelColors = map[string]color.NRGBA{"egnn": Purple, "gat": Orange, "gcn": Blue, "gin": Green,
		"nkf": Vermilion, "cochain": Ink, "cochain-forms": Yellow, "cochain-small": Grey,
		"gin-tuned": SkyBlue}
)

// Results returns the tables of a comparison: its scores beside the paper's, the same with the weights
// of the lowest validation loss, and the numbers of parameters of models of graphs or, for molecules,
// the average precision and the accuracy.
func Results(t *experiments.Table) []*Table {
	last := scores(t, fmt.Sprintf("Table %d: %s with the weights of the last epoch, as published", t.Number,
		metric(t)), true, lastEpoch)
	best := scores(t, title(metric(t))+" with the weights of the lowest validation loss", false, lowestLoss)
	if slices.ContainsFunc(t.Rows, func(r experiments.TableRow) bool { return experiments.Cochain(r.Model) }) {
		best.Notes = []string{fmt.Sprintf("Of models that the paper does not have, those of the best %s on the "+
			"validation part.", metric(t))}
	}
	tables := []*Table{last, best}
	over := fmt.Sprintf(" over %s and %s", plural(t.Folds, "fold"), plural(t.Seeds, "seed"))
	if t.Metric == "auroc" {
		over = ""
		tables = append(tables,
			scores(t, "Average precision with the weights of the last epoch", false,
				func(r *experiments.Result) experiments.Figure {
					return spread(r.Means.AveragePrecision, r.Stds.AveragePrecision)
				}),
			scores(t, "Accuracy with the weights of the last epoch", false,
				func(r *experiments.Result) experiments.Figure {
					return spread(r.Means.Accuracy, r.Stds.Accuracy)
				}))
	} else {
		tables = append(tables, parameters(t))
	}
	last.Notes = append([]string{fmt.Sprintf("Test %s in percent, mean ± standard deviation%s.%s", metric(t),
		over, boldNote(last))}, notes(t)...)
	final := tables[len(tables)-1]
	final.Notes = append(final.Notes, origin(t))
	return tables
}

// metric returns the word for the scores of a table, and title that word at the beginning of a line.
func metric(t *experiments.Table) string {
	return strings.Replace(t.Metric, "auroc", "AUROC", 1)
}

func title(word string) string { return strings.ToUpper(word[:1]) + word[1:] }

// lastEpoch and lowestLoss are scores of a result.
func lastEpoch(r *experiments.Result) experiments.Figure { return spread(r.Mean, r.Std) }

func lowestLoss(r *experiments.Result) experiments.Figure { return spread(r.MeanBest, r.StdBest) }

// spread returns a mean and a deviation.
func spread(mean, std train.Score) experiments.Figure {
	return experiments.Figure{Mean: float64(mean), Std: float64(std)}
}

// notes returns what there is to say of the columns of a table, and of what is missing.
func notes(t *experiments.Table) (out []string) {
	for _, split := range experiments.Splits {
		// The first of the columns of a split stands for all.
		i := slices.IndexFunc(t.Datasets, func(name string) bool {
			_, suffix, found := strings.Cut(name, " ")
			return suffix == split || !found && split == experiments.Splits[0]
		})
		if t.Metric == "auroc" && i >= 0 {
			out = append(out, fmt.Sprintf("Columns such as %q: %s.", t.Datasets[i], protocol(t, split)))
		}
	}
	for _, f := range t.Fallbacks {
		out = append(out, fmt.Sprintf("Rows %q stand for %s on %s, which %s not have all of these.",
			f.Asked, f.Taken, strings.Join(f.Datasets, ", "),
			map[bool]string{true: "does", false: "do"}[len(f.Datasets) == 1]))
	}
	for d, name := range t.Datasets {
		for _, row := range t.Rows {
			out = append(out, omissions(name, row.Cells[d])...)
		}
	}
	if t.Missing > 0 {
		out = append(out, fmt.Sprintf("%d %s not trained yet.", t.Missing,
			map[bool]string{true: "cell is", false: "cells are"}[t.Missing == 1]))
	}
	return out
}

// protocol says what was trained on for a column of a split of molecules.
func protocol(t *experiments.Table, split string) string {
	seeds := plural(t.Seeds, "seed")
	switch split {
	case experiments.Splits[0]:
		return fmt.Sprintf("%s on the first of %d stratified folds, as published", seeds, t.Folds)
	case "folds":
		return fmt.Sprintf("all %d folds with %s each", t.Folds, plural((t.Seeds+t.Folds-1)/t.Folds, "seed"))
	case "scaffold":
		return seeds + " on MoleculeNet's split by scaffold (80 : 10 : 10), whose test molecules are built " +
			"on ring systems that training never saw"
	}
	return fmt.Sprintf("%s on one %s split (80 : 10 : 10)", seeds, split)
}

// omissions says what the means of a result are without.
func omissions(dataset string, r *experiments.Result) (notes []string) {
	if r == nil {
		return nil
	}
	for _, sentence := range r.Omissions() {
		notes = append(notes, fmt.Sprintf("%s on %s: %s.", modelNames[r.Model], dataset, sentence))
	}
	return notes
}

// boldNote says what is bold, if anything is.
func boldNote(t *Table) string {
	for _, row := range t.Rows {
		if slices.ContainsFunc(row, func(c Cell) bool { return c.Strong }) {
			return " The best of a column is bold, among ours and among the paper's."
		}
	}
	return ""
}

// plural returns n things.
func plural(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return fmt.Sprint(n, " ", thing)
}

// scores is a table of the scores that pick takes of a result, with the paper's rows if asked for.
func scores(t *experiments.Table, title string, paper bool,
	pick func(*experiments.Result) experiments.Figure) *Table {
	out := &Table{Title: title, Head: append([]string{"model", "features", "parameters"}, t.Datasets...)}
	ours, theirs := make([]contest, len(t.Datasets)), make([]contest, len(t.Datasets))
	for i, row := range t.Rows {
		for d, name := range t.Datasets {
			// Rows may stand for one training, where the data has but one choice of features.
			same := func(r experiments.TableRow) bool { return r.Cells[d] == row.Cells[d] }
			if row.Cells[d] != nil && !slices.ContainsFunc(t.Rows[:i], same) {
				ours[d].enter(pick(row.Cells[d]))
			}
			if p := row.Paper(name); p != nil && (i == 0 || t.Rows[i-1].Model != row.Model) {
				theirs[d].enter(*p)
			}
		}
	}
	for i, row := range t.Rows {
		cells := []Cell{{Text: modelNames[row.Model]}, {Text: featureText(row.Features)},
			{Text: span(row.Cells)}}
		published := []Cell{{Text: modelNames[row.Model] + ", paper", Faint: true}, {},
			{Text: rounded(row.PaperParameters), Faint: true}}
		for d, r := range row.Cells {
			cell, theirCell := dash, dash
			if r != nil {
				cell = Cell{Text: pick(r).String(), Strong: ours[d].won(pick(r))}
			}
			if p := row.Paper(t.Datasets[d]); p != nil {
				theirCell = Cell{Text: p.String(), Strong: theirs[d].won(*p), Faint: true}
			}
			cells, published = append(cells, cell), append(published, theirCell)
		}
		out.Rows = append(out.Rows, cells)
		// The paper's row comes once, behind the last of its model.
		if paper && !experiments.Cochain(row.Model) && (i+1 == len(t.Rows) || t.Rows[i+1].Model != row.Model) {
			out.Rows = append(out.Rows, published)
		}
	}
	return out
}

// contest finds the largest means of a column as they are printed. A single entry has nobody to beat.
type contest struct {
	best    float64 // in hundredths
	entries int
}

// enter adds an entry, unless it is undefined.
func (c *contest) enter(f experiments.Figure) {
	if math.IsNaN(f.Mean) {
		return
	}
	if mean := math.Round(100 * f.Mean); c.entries == 0 || mean > c.best {
		c.best = mean
	}
	c.entries++
}

// won reports whether a score is the best of two or more.
func (c *contest) won(f experiments.Figure) bool {
	return c.entries > 1 && math.Round(100*f.Mean) == c.best
}

// featureText is what tables call a choice of features: those of molecules have names that are short
// for a flag.
func featureText(name string) string {
	switch name {
	case moleculenet.Numbers.String():
		return "atom features"
	case moleculenet.OneHot.String():
		return "atom features, one-hot"
	}
	return name
}

// parameters is the table of trainable parameters.
func parameters(t *experiments.Table) *Table {
	head := append([]string{"model", "features", "paper"}, t.Datasets...)
	out := &Table{Title: "Trainable parameters", Head: head}
	for _, row := range t.Rows {
		cells := []Cell{{Text: modelNames[row.Model]}, {Text: featureText(row.Features)},
			{Text: rounded(row.PaperParameters), Faint: true}}
		for d, r := range row.Cells {
			cell := dash
			if r != nil {
				cell = Cell{Text: span(row.Cells[d : d+1])}
			}
			cells = append(cells, cell)
		}
		out.Rows = append(out.Rows, cells)
	}
	return out
}

// span returns the range of the parameters of results, with a comma at every thousand.
func span(cells []*experiments.Result) string {
	var counts []int
	for _, r := range cells {
		if r != nil {
			counts = append(counts, r.Parameters)
		}
	}
	if len(counts) == 0 {
		return "–"
	}
	low, high := humanize.Comma(int64(slices.Min(counts))), humanize.Comma(int64(slices.Max(counts)))
	if low == high {
		return low
	}
	return low + "–" + high
}

// rounded writes a number of parameters as the paper does.
func rounded(n int) string {
	if n == 0 {
		return "–"
	}
	return count(float64(n))
}

// origin says what a table was computed with.
func origin(t *experiments.Table) string {
	var data []string
	for _, name := range t.Datasets {
		if sum := t.Data[name]; len(sum) >= 12 {
			data = append(data, name+" "+sum[:12])
		}
	}
	return fmt.Sprintf("nkf %s, GoMLX %s, go-xla %s on %s, %s; seeds from %d. Data by SHA-256: %s.",
		t.Versions.NKF, t.Versions.GoMLX, t.Versions.GoXLA, t.Backend, t.Versions.Processor, t.Seed,
		strings.Join(data, ", "))
}
