package figures

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize"

	"github.com/neuralkforms/nkf/nkfx/experiments"
	"github.com/neuralkforms/nkf/nkfx/internal/typeset"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// Results returns the tables of results: scores with the weights of the last epoch beside the paper's, the
// same with those of the best epoch of the validation part, average precision and accuracy where areas under
// curves are compared, the differences between a model and each other one, and parameters. Without a
// validation part there is no best epoch, and the seconds of trainings come last.
func Results(t *experiments.Results) []*Table {
	metric, chosen := metricName(t), chooses(t)
	title := metric + " with the weights of the last epoch"
	if _, err := strconv.Atoi(t.Table); err == nil {
		title = fmt.Sprintf("Table %s: %s, as published", t.Table, title)
	}
	last := scores(t, title, true, lastEpoch)
	last.Notes = notes(t, metric, last)
	tables := []*Table{last}
	if chosen {
		title := metric + " with the weights of the best epoch of the validation part"
		best := scores(t, title, false, bestEpoch)
		best.Notes = []string{"The best epoch has the lowest loss, or with models that the paper does not " +
			"have the best score."}
		tables = append(tables, best)
	}
	if metric == "AUROC" {
		for _, m := range []string{"average_precision", "accuracy"} {
			name := strings.ToUpper(m[:1]) + strings.ReplaceAll(m[1:], "_", " ")
			tables = append(tables, scores(t, name+" with the weights of the last epoch", false, measure{
				func(r *experiments.Result) experiments.Published {
					return ours(*r.Means.Of(m), *r.Stds.Of(m))
				},
				func(_ *experiments.Result, f train.Fit) train.Score { return *f.Last.Of(m) },
			}))
		}
	}
	if table := differences(t, "at the last epoch", lastEpoch); table != nil {
		tables = append(tables, table)
		if chosen {
			tables = append(tables, differences(t, "at the best validation epoch", bestEpoch))
		}
	}
	sizes := numbers(t, "Trainable parameters", func(r *experiments.Result) string {
		return humanize.Comma(int64(r.Parameters))
	})
	sizes.Notes = []string{origin(t)}
	if tables = append(tables, sizes); !chosen {
		tables = append(tables, numbers(t, "Seconds of a training", func(r *experiments.Result) string {
			seconds := 0.0
			for _, f := range r.Folds {
				seconds += f.Seconds / float64(len(r.Folds))
			}
			return fmt.Sprintf("%.1f", seconds)
		}))
	}
	return tables
}

// measure is a score: of a result, and of a training.
type measure struct {
	mean func(*experiments.Result) experiments.Published
	fold func(*experiments.Result, train.Fit) train.Score
}

// lastEpoch and bestEpoch are the scores with the weights of those epochs.
var (
	lastEpoch = measure{
		func(r *experiments.Result) experiments.Published { return ours(r.Mean, r.Std) },
		experiments.LastEpoch,
	}
	bestEpoch = measure{
		func(r *experiments.Result) experiments.Published { return ours(r.MeanBest, r.StdBest) },
		experiments.BestEpoch,
	}
)

// chooses reports whether any training took another epoch than its last for the
// best, or might have: without a validation part none does.
func chooses(t *experiments.Results) bool {
	for _, row := range t.Rows {
		for _, cell := range row.Cells {
			if cell == nil || slices.ContainsFunc(cell.Folds, func(f train.Fit) bool {
				return f.Epochs != f.BestEpoch+1
			}) {
				return true
			}
		}
	}
	return len(t.Rows) == 0
}

// ours returns a mean and a deviation as the paper's are.
func ours(mean, std train.Score) experiments.Published {
	return experiments.Published{Mean: float64(mean), Std: std}
}

// scores is a table of a score, with the paper's rows if asked for: one behind the last row of each of its
// models, or, where the table has none of its models, those of neural forms and of the best.
func scores(t *experiments.Results, title string, paper bool, score measure) *Table {
	out := &Table{Title: title, Head: []string{"model", "features", "parameters"}}
	theirs := false
	for _, c := range t.Columns {
		out.Head = append(out.Head, c.Name)
	}
	published := func(shown, name string, parameters int) {
		var scores []*experiments.Published
		for _, c := range t.Columns {
			scores = append(scores, c.Paper(name))
		}
		head := []Cell{{Text: shown, Faint: true}, {}, {Text: rounded(parameters), Faint: true}}
		addRow(out, head, scores, func(_ int, p *experiments.Published) Cell {
			theirs = true
			return Cell{Text: p.String(), Faint: true}
		})
	}
	for i, row := range t.Rows {
		head := Texts(modelStyles[row.Model].name, featureText(row), span(row.Cells))
		addRow(out, head, row.Cells, func(d int, r *experiments.Result) Cell {
			return Cell{Text: score.mean(r).String(), Strong: leads(t, d, r, score)}
		})
		lastOfModel := i+1 == len(t.Rows) || t.Rows[i+1].Model != row.Model
		if paper && lastOfModel && row.PaperParameters > 0 {
			published(modelStyles[row.Model].name+", paper", row.Model, row.PaperParameters)
		}
	}
	if paper && !theirs {
		names, shown := others(t)
		for i, name := range names {
			published(shown[i], name, 0)
		}
	}
	if t.Mean && len(t.Columns) > 1 {
		out.average(3)
	}
	return out
}

// leads reports whether a result of a column is ahead of every other one there.
func leads(t *experiments.Results, column int, r *experiments.Result, score measure) bool {
	opponents := 0
	for _, row := range t.Rows {
		// Rows may stand for one training, where the data has but one choice of features.
		other := row.Cells[column]
		if other == nil || other == r {
			continue
		}
		opponents++
		if c := experiments.CompareFolds(r, other, score.fold); c == nil || !(c.Low > 0) {
			return false
		}
	}
	return opponents > 0
}

// others returns whose published results a table shows that has none of its own
// models', and what they are called there: none where nothing was published.
func others(t *experiments.Results) (names, shown []string) {
	if !slices.ContainsFunc(t.Columns, func(c experiments.Column) bool { return len(c.Published) > 0 }) {
		return nil, nil
	}
	if len(t.Published) == 0 {
		shown = []string{modelStyles["nkf"].name + ", paper", "best of the paper"}
		return []string{"nkf", experiments.Best}, shown
	}
	for _, name := range t.Published {
		if name == experiments.Best {
			shown = append(shown, "best published")
		} else {
			shown = append(shown, name+", published")
		}
	}
	return t.Published, shown
}

// average adds a column with the mean of the columns from one on, of the rows
// that have all of them.
func (t *Table) average(from int) {
	t.Head = append(t.Head, "mean")
	for i, row := range t.Rows {
		sum, complete := 0.0, true
		for _, cell := range row[from:] {
			mean, _, _ := strings.Cut(cell.Text, " ")
			x, err := strconv.ParseFloat(mean, 64)
			sum, complete = sum+x, complete && err == nil
		}
		cell := Cell{Text: "–", Faint: true}
		if complete {
			cell = Cell{Text: fmt.Sprintf("%.2f", sum/float64(len(row)-from)), Faint: row[from].Faint}
		}
		t.Rows[i] = append(row, cell)
	}
}

// addRow adds a row to a table: its head, and an entry for each value that is there.
func addRow[T any](t *Table, head []Cell, values []*T, entry func(column int, value *T) Cell) {
	for d, value := range values {
		cell := Cell{Text: "–", Faint: true}
		if value != nil {
			cell = entry(d, value)
		}
		head = append(head, cell)
	}
	t.Rows = append(t.Rows, head)
}

// numbers is a table of numbers of which none is the best, with the parameters in
// the paper.
func numbers(t *experiments.Results, title string, of func(*experiments.Result) string) *Table {
	out := &Table{Title: title, Head: []string{"model", "features", "paper"}}
	for _, c := range t.Columns {
		out.Head = append(out.Head, c.Name)
	}
	for _, row := range t.Rows {
		head := []Cell{{Text: modelStyles[row.Model].name}, {Text: featureText(row)},
			{Text: rounded(row.PaperParameters), Faint: true}}
		addRow(out, head, row.Cells, func(_ int, r *experiments.Result) Cell { return Cell{Text: of(r)} })
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
		return humanize.Comma(int64(low))
	}
	return humanize.Comma(int64(low)) + "–" + humanize.Comma(int64(high))
}

// rounded writes a number of parameters as the paper does.
func rounded(n int) string {
	if n == 0 {
		return "–"
	}
	return count(float64(n))
}

// differences returns the table of the differences between the first row of neural forms, or else the first,
// and every other, for each column and over all data sets; nil if nothing can be compared.
func differences(t *experiments.Results, epoch string, score measure) *Table {
	if len(t.Rows) == 0 {
		return nil
	}
	ofForms := func(r experiments.Row) bool { return r.Model == "nkf" }
	first := t.Rows[max(0, slices.IndexFunc(t.Rows, ofForms))]
	name := modelStyles[first.Model].name
	out := &Table{Title: fmt.Sprintf("%s against the other models, %s", name, epoch),
		Head: []string{"against", "data", "units", "mean difference", "95 % interval", "wins", "Wilcoxon p",
			"verdict"}}
	for _, row := range t.Rows {
		if row.Model == first.Model && row.Features == first.Features {
			continue
		}
		against := modelStyles[row.Model].name
		if row.Features != first.Features {
			against += ", " + featureText(row)
		}
		for i, c := range t.Columns {
			if a, b := first.Cells[i], row.Cells[i]; a != nil && b != nil && a != b {
				out.difference(against, c.Name, "folds", experiments.CompareFolds(a, b, score.fold))
			}
		}
		out.difference(against, "all", "sets", experiments.CompareSets(first.Cells, row.Cells, score.fold))
	}
	if len(out.Rows) == 0 {
		return nil
	}
	out.Notes = []string{fmt.Sprintf("Percentage points of %s minus those of the other model on the same "+
		"folds with the same seeds, whose mean counts as one. On one data set the unit is the fold, with "+
		"the interval of the corrected resampled t-test (Nadeau and Bengio, 2003); over all of them it is "+
		"the data set, with Student's interval and Wilcoxon's signed-rank test. A verdict is given where "+
		"the interval excludes 0.", name)}
	return out
}

// difference adds a row of a comparison, unless that is nil.
func (t *Table) difference(against, data, unit string, c *experiments.Comparison) {
	if c == nil {
		return
	}
	wins := 0
	for _, d := range c.Differences {
		if d > 0 {
			wins++
		}
	}
	verdict, p := Cell{Text: "open"}, "–"
	switch {
	case c.Low > 0:
		verdict = Cell{Text: "ahead", Strong: true}
	case c.High < 0:
		verdict = Cell{Text: "behind"}
	}
	if !math.IsNaN(c.P) {
		p = fmt.Sprintf("%.3f", c.P)
	}
	count := len(c.Differences)
	t.Rows = append(t.Rows, append(Texts(against, data, fmt.Sprint(count, " ", unit), signed(c.Mean),
		signed(c.Low)+" to "+signed(c.High), fmt.Sprintf("%d of %d", wins, count), p), verdict))
}

// signed is a difference in percentage points.
func signed(x float64) string { return typeset.Text(fmt.Sprintf("%+.2f", x)) }
