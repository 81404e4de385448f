package figures

import (
	"fmt"
	"image/color"
	"iter"
	"maps"
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
		"nkf": Vermilion, "cochain": Ink, "cochain-forms": Yellow, "cochain-small": Gray,
		"gin-tuned": SkyBlue}
)

// Results returns the tables of a comparison: its scores beside the paper's, the same with the weights
// of the lowest validation loss, and the numbers of parameters of models of graphs or, for molecules,
// the average precision and the accuracy.
func Results(t *experiments.Table) []*Table {
	last := scores(t, fmt.Sprintf("Table %d: %s with the weights of the last epoch, as published", t.Number,
		metric(t)), true, lastEpoch)
	best := scores(t, title(metric(t))+" with the weights of the lowest validation loss", false, lowestLoss)
	for _, row := range t.Rows {
		if experiments.Cochain(row.Model) {
			best.Notes = []string{fmt.Sprintf("Of models that the paper does not have, those of the best %s "+
				"on the validation part.", metric(t))}
		}
	}
	tables := []*Table{last, best}
	over := fmt.Sprintf(" over %s and %s", plural(t.Folds, "fold"), plural(t.Seeds, "seed"))
	if t.Metric == "auroc" {
		over = ""
		tables = append(tables,
			scores(t, "Average precision with the weights of the last epoch", false,
				func(r *experiments.Result) experiments.MeanStd {
					return spread(r.Means.AveragePrecision, r.Stds.AveragePrecision)
				}),
			scores(t, "Accuracy with the weights of the last epoch", false,
				func(r *experiments.Result) experiments.MeanStd {
					return spread(r.Means.Accuracy, r.Stds.Accuracy)
				}))
	} else {
		tables = append(tables, parameters(t))
	}
	about := fmt.Sprintf("Test %s in percent, mean ± standard deviation%s.", metric(t), over)
	if strings.Contains(last.Markdown(), "**") {
		about += " The best of a column is bold, among ours and among the paper's."
	}
	last.Notes = append([]string{about}, notes(t)...)
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
func lastEpoch(r *experiments.Result) experiments.MeanStd { return spread(r.Mean, r.Std) }

func lowestLoss(r *experiments.Result) experiments.MeanStd { return spread(r.MeanBest, r.StdBest) }

// spread returns a mean and a deviation.
func spread(mean, std train.Score) experiments.MeanStd {
	return experiments.MeanStd{Mean: float64(mean), Std: float64(std)}
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

// plural returns n things.
func plural(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return fmt.Sprint(n, " ", thing)
}

// scores is a table of the scores that pick takes of a result, with the paper's rows if asked for.
func scores(t *experiments.Table, title string, paper bool,
	pick func(*experiments.Result) experiments.MeanStd) *Table {
	ours, theirs := make([]float64, len(t.Datasets)), make([]float64, len(t.Datasets))
	for d, name := range t.Datasets {
		// Rows may stand for one training, where the data has but one choice of features.
		us, them := map[*experiments.Result]float64{}, map[string]float64{}
		for _, row := range t.Rows {
			if r := row.Cells[d]; r != nil {
				us[r] = pick(r).Mean
			}
			if p := row.Paper(name); p != nil {
				them[row.Model] = p.Mean
			}
		}
		ours[d], theirs[d] = largest(maps.Values(us)), largest(maps.Values(them))
	}
	return rows(t, title, paper, "parameters", func(row experiments.TableRow, d int) (our, their Cell) {
		our, p := dash, row.Paper(t.Datasets[d])
		if r := row.Cells[d]; r != nil {
			our = Cell{Text: pick(r).String(), Strong: printed(pick(r).Mean) == ours[d]}
		}
		their = published(p)
		their.Strong = p != nil && printed(p.Mean) == theirs[d]
		return our, their
	})
}

// largest returns the largest of two or more means, as printed, and NaN of one, which has nobody to
// beat.
func largest(means iter.Seq[float64]) float64 {
	var defined []float64
	for mean := range means {
		if !math.IsNaN(mean) {
			defined = append(defined, printed(mean))
		}
	}
	if len(defined) < 2 {
		return math.NaN()
	}
	return slices.Max(defined)
}

// printed returns a mean in hundredths.
func printed(mean float64) float64 { return math.Round(100 * mean) }

// parameters is the table of trainable parameters.
func parameters(t *experiments.Table) *Table {
	return rows(t, "Trainable parameters", false, "paper",
		func(row experiments.TableRow, d int) (our, their Cell) {
			return Cell{Text: span(row.Cells[d : d+1])}, dash
		})
}

// rows returns a table with a row for each of the results and, if asked for, the paper's behind the last
// of each of its models.
func rows(t *experiments.Table, title string, paper bool, third string,
	entry func(row experiments.TableRow, d int) (our, their Cell)) *Table {
	out := &Table{Title: title, Head: append([]string{"model", "features", third}, t.Datasets...)}
	for i, row := range t.Rows {
		name, size := modelNames[row.Model], Cell{Text: rounded(row.PaperParameters), Faint: true}
		ours := []Cell{{Text: name}, {Text: featureText(row.Features)}, {Text: span(row.Cells)}}
		theirs := []Cell{{Text: name + ", paper", Faint: true}, {}, size}
		if third == "paper" {
			ours[2] = size
		}
		for d := range t.Datasets {
			our, their := entry(row, d)
			ours, theirs = append(ours, our), append(theirs, their)
		}
		out.Rows = append(out.Rows, ours)
		last := i+1 == len(t.Rows) || t.Rows[i+1].Model != row.Model
		if paper && last && !experiments.Cochain(row.Model) {
			out.Rows = append(out.Rows, theirs)
		}
	}
	return out
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
