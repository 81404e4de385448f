package figures

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/neuralkforms/nkf/datasets/moleculenet"
	"github.com/neuralkforms/nkf/nkfx/experiments"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// modelNames are the models as the paper writes them, and those that it does
// not have; modelColors their colours in every figure.
var (
	modelNames = map[string]string{"egnn": "EGNN", "gat": "GAT", "gcn": "GCN", "gin": "GIN", "nkf": "NkF",
		"cochain": "Cochain", "cochain-forms": "Cochain, forms", "cochain-small": "Cochain, small",
		"gin-tuned": "GIN, tuned"}

	modelColors = map[string]color.NRGBA{"egnn": Purple, "gat": Orange, "gcn": Blue, "gin": Green,
		"nkf": Vermilion, "cochain": Ink, "cochain-forms": Yellow, "cochain-small": Grey,
		"gin-tuned": SkyBlue}
)

// Table1 returns the table of accuracies beside the paper's, the same with
// the weights of the lowest validation loss, and the table of parameters.
func Table1(t *experiments.Table) []*Table { return comparison(t, 1, "accuracy") }

// comparison returns the tables of scores and of parameters.
func comparison(t *experiments.Table, number int, metric string) []*Table {
	last := scores(t, fmt.Sprintf("Table %d: %s with the weights of the last epoch, as published", number,
		metric), true, lastEpoch)
	last.Notes = append(last.Notes, fmt.Sprintf(
		"Test %s in percent, mean ± standard deviation over %d %s and %d %s.%s", metric,
		t.Folds, plural(t.Folds, "fold"), t.Seeds, plural(t.Seeds, "seed"), boldNote(last)))
	for _, f := range t.Fallbacks {
		last.Notes = append(last.Notes, fmt.Sprintf(
			"Rows %q stand for %s on %s, which %s not have all of these.",
			f.Asked, f.Taken, strings.Join(f.Datasets, ", "),
			map[bool]string{true: "does", false: "do"}[len(f.Datasets) == 1]))
	}
	for d, name := range t.Datasets {
		var column []*experiments.Result
		for _, row := range t.Rows {
			column = append(column, row.Cells[d])
		}
		last.Notes = append(last.Notes, omissions(name, column)...)
	}
	if t.Missing > 0 {
		last.Notes = append(last.Notes, fmt.Sprintf("%d %s not trained yet.", t.Missing,
			map[bool]string{true: "cell is", false: "cells are"}[t.Missing == 1]))
	}
	title := strings.ToUpper(metric[:1]) + metric[1:] + " with the weights of the lowest validation loss"
	best := scores(t, title, false, lowestLoss)
	own := func(r experiments.TableRow) bool { return experiments.Cochain(r.Model) }
	if slices.ContainsFunc(t.Rows, own) {
		best.Notes = append(best.Notes, fmt.Sprintf(
			"Of models that the paper does not have, those of the best %s on the validation part.", metric))
	}
	sizes := parameters(t)
	sizes.Notes = []string{origin(t)}
	return []*Table{last, best, sizes}
}

// lastEpoch and lowestLoss are figures of a result.
func lastEpoch(r *experiments.Result) experiments.Figure {
	return figure(r.Mean, r.Std)
}

func lowestLoss(r *experiments.Result) experiments.Figure {
	return figure(r.MeanBest, r.StdBest)
}

// figure returns the figure of a mean and a deviation.
func figure(mean, std train.Score) experiments.Figure {
	return experiments.Figure{Mean: float64(mean), Std: float64(std)}
}

// omissions says what the means of a column are without.
func omissions(dataset string, cells []*experiments.Result) (notes []string) {
	for _, r := range cells {
		if r == nil {
			continue
		}
		for _, sentence := range r.Omissions() {
			notes = append(notes, fmt.Sprintf("%s on %s: %s.", modelNames[r.Model], dataset, sentence))
		}
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

// plural returns the word for that many.
func plural(n int, word string) string {
	if n == 1 {
		return word
	}
	return word + "s"
}

// scores is a table of the figure that pick takes of a result, with the
// paper's rows if asked for.
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
		for d, r := range row.Cells {
			cell := Cell{Text: "–", Faint: true}
			if r != nil {
				cell = Cell{Text: pick(r).String(), Strong: ours[d].won(pick(r))}
			}
			cells = append(cells, cell)
		}
		out.Rows = append(out.Rows, cells)
		// The paper's row comes once, behind the last of its model.
		if !paper || experiments.Cochain(row.Model) || i+1 < len(t.Rows) && t.Rows[i+1].Model == row.Model {
			continue
		}
		cells = []Cell{{Text: modelNames[row.Model] + ", paper", Faint: true}, {},
			{Text: rounded(row.PaperParameters), Faint: true}}
		for d, name := range t.Datasets {
			cell := Cell{Text: "–", Faint: true}
			if p := row.Paper(name); p != nil {
				cell = Cell{Text: p.String(), Strong: theirs[d].won(*p), Faint: true}
			}
			cells = append(cells, cell)
		}
		out.Rows = append(out.Rows, cells)
	}
	return out
}

// contest finds the largest means of a column as they are printed. A single
// entry has nobody to beat.
type contest struct {
	best    string
	entries int
}

// enter adds an entry, unless it is undefined.
func (c *contest) enter(f experiments.Figure) {
	if math.IsNaN(f.Mean) {
		return
	}
	c.entries++
	old, err := strconv.ParseFloat(c.best, 64)
	if err != nil || math.Round(100*f.Mean) > math.Round(100*old) {
		c.best = fmt.Sprintf("%.2f", f.Mean)
	}
}

// won reports whether a figure is the best of two or more.
func (c *contest) won(f experiments.Figure) bool {
	return c.entries > 1 && fmt.Sprintf("%.2f", f.Mean) == c.best
}

// featureText is what tables call a choice of features: those of molecules
// have names that are short for a flag.
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
		for _, r := range row.Cells {
			cell := Cell{Text: "–", Faint: true}
			if r != nil {
				cell = Cell{Text: grouped(r.Parameters)}
			}
			cells = append(cells, cell)
		}
		out.Rows = append(out.Rows, cells)
	}
	return out
}

// span returns the range of the parameters of a row.
func span(cells []*experiments.Result) string {
	low, high := math.MaxInt, 0
	for _, r := range cells {
		if r != nil {
			low, high = min(low, r.Parameters), max(high, r.Parameters)
		}
	}
	switch {
	case high == 0:
		return "–"
	case low == high:
		return grouped(low)
	}
	return grouped(low) + "–" + grouped(high)
}

// grouped writes a number with a comma at every thousand.
func grouped(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// rounded writes a number of parameters as the paper does.
func rounded(n int) string {
	switch {
	case n == 0:
		return "–"
	case n >= 1e6:
		return strconv.Itoa(n/1e6) + "M"
	}
	return strconv.Itoa(n/1e3) + "K"
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
