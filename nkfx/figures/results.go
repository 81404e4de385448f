package figures

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/dustin/go-humanize/english"

	"github.com/neuralkforms/nkf/datasets/moleculenet"
	"github.com/neuralkforms/nkf/nkfx/experiments"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// modelNames are the models as the paper writes them, and those that it does
// not have; modelColors their colors in every figure.
var (
	modelNames = map[string]string{"egnn": "EGNN", "gat": "GAT", "gcn": "GCN", "gin": "GIN", "nkf": "NkF",
		"cochain": "Cochain", "cochain-forms": "Cochain, forms", "cochain-small": "Cochain, small",
		"gin-tuned": "GIN, tuned", "path": "Path", "path-small": "Path, one member",
		"path-large":    "Path, large",
		"path-constant": "Path, constant forms", "path-differences": "Path, no integrals",
		"cnn": "CNN", "gru": "GRU", "inception": "Inception", "signature": "Signature",
		"signature-ridge": "Signature, ridge",
		"mesh-forms":      "Forms", "mesh-masses": "Forms, no tensors", "mesh-gin": "GIN",
		"mesh-cochain": "Cochain", "mesh-alone": "Forms, no messages",
		"mesh-pointnet": "PointNet", "mesh-moments": "Moments, logistic", "mesh-d2": "D2, logistic"}

	modelColors = map[string]color.NRGBA{"egnn": Purple, "gat": Orange, "gcn": Blue, "gin": Green,
		"nkf": Vermilion, "cochain": Ink, "cochain-forms": Yellow, "cochain-small": Gray,
		"gin-tuned": SkyBlue, "path": Vermilion, "path-small": Orange,
		"path-large": Ink, "path-constant": Purple,
		"path-differences": Gray, "cnn": Blue, "gru": SkyBlue, "inception": Yellow, "signature": Green,
		"signature-ridge": Green,
		"mesh-forms":      Vermilion, "mesh-masses": Yellow, "mesh-gin": Green,
		"mesh-cochain": Ink, "mesh-alone": Orange,
		"mesh-pointnet": Blue, "mesh-moments": Purple, "mesh-d2": Gray}
)

// Results returns the tables of results: scores with the weights of the last
// epoch beside the paper's, the same with those of the best epoch of the
// validation part, average precision and accuracy where areas under curves are
// compared, the differences of the first and the last model where these are
// paired, and parameters. Where there is no validation part to choose an epoch
// by, there is one table of scores, the first model is paired with each other,
// and the seconds of trainings come last.
func Results(t *experiments.Results) []*Table {
	metric := metricName(t)
	title := fmt.Sprintf("%s with the weights of the last epoch", metric)
	if _, err := strconv.Atoi(t.Table); err == nil {
		title = fmt.Sprintf("Table %s: %s, as published", t.Table, title)
	}
	last := scores(t, title, true, lastEpoch)
	last.Notes = notes(t, metric, last)
	best := scores(t, metric+" with the weights of the best epoch of the validation part", false, bestEpoch)
	best.Notes = []string{"The best epoch has the lowest loss, or with models that the paper does not have " +
		"the best score."}
	tables := []*Table{last}
	if chooses(t) {
		tables = append(tables, best)
	}
	if metric == "AUROC" {
		tables = append(tables,
			scores(t, "Average precision with the weights of the last epoch", false,
				func(r *experiments.Result) experiments.Published {
					return ours(r.Means.AveragePrecision, r.Stds.AveragePrecision)
				}),
			scores(t, "Accuracy with the weights of the last epoch", false,
				func(r *experiments.Result) experiments.Published {
					return ours(r.Means.Accuracy, r.Stds.Accuracy)
				}))
	}
	if t.Against != nil && !chooses(t) {
		tables = append(tables, against(t))
	} else if slices.ContainsFunc(t.Columns, func(c experiments.Column) bool { return c.Pairs != nil }) {
		tables = append(tables,
			pairs(t, "at the best validation epoch",
				func(c experiments.Column) *experiments.Pairs { return c.Pairs }),
			pairs(t, "at the last epoch",
				func(c experiments.Column) *experiments.Pairs { return c.PairsLast }))
	}
	sizes := numbers(t, "Trainable parameters", func(r *experiments.Result) string {
		return humanize.Comma(int64(r.Parameters))
	})
	sizes.Notes = []string{origin(t)}
	tables = append(tables, sizes)
	if !chooses(t) {
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

// chooses reports whether any training took another epoch than its last for the
// best, or might have: without a validation part none does.
func chooses(t *experiments.Results) bool {
	for _, row := range t.Rows {
		for _, cell := range row.Cells {
			if cell == nil || slices.ContainsFunc(cell.Folds, func(f experiments.FoldResult) bool {
				return f.Epochs != f.BestEpoch+1
			}) {
				return true
			}
		}
	}
	return len(t.Rows) == 0
}

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
	notes := []string{fmt.Sprintf("Test %s in percent, mean ± standard deviation.%s",
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
				notes = append(notes, fmt.Sprintf("%s on %s: %s.", modelNames[row.Model], c.Name, sentence))
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

// lastEpoch and bestEpoch are scores of a result.
func lastEpoch(r *experiments.Result) experiments.Published { return ours(r.Mean, r.Std) }

func bestEpoch(r *experiments.Result) experiments.Published { return ours(r.MeanBest, r.StdBest) }

// ours returns a mean and a deviation as the paper's are.
func ours(mean, std train.Score) experiments.Published {
	return experiments.Published{Mean: float64(mean), Std: std}
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

// scores is a table of the score that pick takes of a result, with the paper's
// rows if asked for: one behind the last row of each of its models, or, where
// the table has none of its models, those of neural forms and of the best.
func scores(t *experiments.Results, title string, paper bool,
	pick func(*experiments.Result) experiments.Published) *Table {
	out := &Table{Title: title, Head: []string{"model", "features", "parameters"}}
	best, theirs := make([]contest, len(t.Columns)), make([]contest, len(t.Columns)) // ours and the paper's
	anyPublished := false
	for d, c := range t.Columns {
		out.Head = append(out.Head, c.Name)
		for i, row := range t.Rows {
			// Rows may stand for one training, where the data has but one choice of features.
			same := func(r experiments.Row) bool { return r.Cells[d] == row.Cells[d] }
			if row.Cells[d] != nil && !slices.ContainsFunc(t.Rows[:i], same) {
				best[d].enter(pick(row.Cells[d]))
			}
			if p := c.Paper(row.Model); p != nil && (i == 0 || t.Rows[i-1].Model != row.Model) {
				anyPublished = true
				theirs[d].enter(*p)
			}
		}
	}
	published := func(shown, name string, parameters int, bold bool) {
		var scores []*experiments.Published
		for _, c := range t.Columns {
			scores = append(scores, c.Paper(name))
		}
		head := []Cell{{Text: shown, Faint: true}, {}, {Text: rounded(parameters), Faint: true}}
		addRow(out, head, scores, func(d int, p *experiments.Published) Cell {
			return Cell{Text: p.String(), Strong: bold && theirs[d].won(*p), Faint: true}
		})
	}
	for i, row := range t.Rows {
		head := Texts(modelNames[row.Model], featureText(row), span(row.Cells))
		addRow(out, head, row.Cells, func(d int, r *experiments.Result) Cell {
			return Cell{Text: pick(r).String(), Strong: best[d].won(pick(r))}
		})
		lastOfModel := i+1 == len(t.Rows) || t.Rows[i+1].Model != row.Model
		if paper && lastOfModel && row.PaperParameters > 0 {
			published(modelNames[row.Model]+", paper", row.Model, row.PaperParameters, true)
		}
	}
	if paper && !anyPublished {
		names, shown := others(t)
		for i, name := range names {
			published(shown[i], name, 0, false)
		}
	}
	if t.Table == "uea" && len(t.Columns) > 1 {
		out.average(3)
	}
	return out
}

// others returns whose published results a table shows that has none of its own
// models', and what they are called there: none where nothing was published.
func others(t *experiments.Results) (names, shown []string) {
	if !slices.ContainsFunc(t.Columns, func(c experiments.Column) bool { return len(c.Published) > 0 }) {
		return nil, nil
	}
	if len(t.Published) == 0 {
		return []string{"nkf", experiments.Best}, []string{modelNames["nkf"] + ", paper", "best of the paper"}
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

// contest are the means of a column as they are printed, undefined ones left out. A single entry has nobody
// to beat.
type contest []float64

func (c *contest) enter(f experiments.Published) {
	if !math.IsNaN(f.Mean) {
		*c = append(*c, printed(f))
	}
}

// won reports whether a result is the best of two or more.
func (c contest) won(f experiments.Published) bool { return len(c) > 1 && printed(f) == slices.Max(c) }

// printed is a mean with the digits of a table.
func printed(f experiments.Published) float64 {
	mean, _ := strconv.ParseFloat(fmt.Sprintf("%.2f", f.Mean), 64) // of what is a number
	return mean
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
	case moleculenet.Numbers.String():
		return "atom features"
	case moleculenet.OneHot.String():
		return "atom features, one-hot"
	}
	return name
}

// numbers is a table of numbers of which none is the best, with the parameters in
// the paper.
func numbers(t *experiments.Results, title string, of func(*experiments.Result) string) *Table {
	out := &Table{Title: title, Head: []string{"model", "features", "paper"}}
	for _, c := range t.Columns {
		out.Head = append(out.Head, c.Name)
	}
	for _, row := range t.Rows {
		head := []Cell{{Text: modelNames[row.Model]}, {Text: featureText(row)},
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

// pairs returns the table of paired differences of the first row and the last at
// an epoch.
func pairs(t *experiments.Results, epoch string, of func(experiments.Column) *experiments.Pairs) *Table {
	first, last := t.Rows[0].Model, t.Rows[len(t.Rows)-1].Model
	out := &Table{
		Title: fmt.Sprintf("%s against %s, training by training, %s", first, last, epoch),
		Head:  append([]string{"data"}, differenceHead...),
	}
	ahead, clearly, behind, columns := 0, 0, 0, 0
	for _, c := range t.Columns {
		p := of(c)
		out.Rows = append(out.Rows, difference(c.Name, p))
		if p == nil {
			continue
		}
		columns++
		if p.Mean > 0 {
			ahead++
		}
		if p.Low > 0 {
			clearly++
		}
		if p.High < 0 {
			behind++
		}
	}
	out.Notes = []string{
		fmt.Sprintf("Percentage points of %s minus those of %s on the same fold with the same seed, %s. "+
			"The interval is Student's over the pairs, as if they were independent; they share most of "+
			"their training parts, so that it is too short (Nadeau and Bengio, 2003).", first, last, epoch),
		fmt.Sprintf("%s is ahead on %d of %d data sets, on %d of them clearly, and clearly behind on %d.",
			first, ahead, columns, clearly, behind),
	}
	return out
}

// differenceHead is over what difference returns, but for the first cell.
var differenceHead = []string{"pairs", "mean difference", "95 % interval", "wins", "verdict"}

// difference is a row of paired differences, which may be nil.
func difference(name string, p *experiments.Pairs) []Cell {
	if p == nil {
		return append(Texts(name, "–", "–", "–", "–"), Cell{Text: "not trained", Faint: true})
	}
	wins := 0
	for _, d := range p.Differences {
		if d > 0 {
			wins++
		}
	}
	verdict := Cell{Text: "open"}
	switch {
	case p.Low > 0:
		verdict = Cell{Text: "ahead", Strong: true}
	case p.High < 0:
		verdict = Cell{Text: "behind"}
	}
	return append(Texts(name, fmt.Sprint(len(p.Differences)), signed(p.Mean),
		signed(p.Low)+" to "+signed(p.High), fmt.Sprintf("%d of %d", wins, len(p.Differences))), verdict)
}

// against returns the table of paired differences of the first row and every
// other, at the last epoch.
func against(t *experiments.Results) *Table {
	first, where := t.Rows[0].Model, "of all data sets"
	if len(t.Columns) == 1 {
		where = "of " + t.Columns[0].Name
	}
	out := &Table{
		Title: fmt.Sprintf("%s against the other models, training by training", modelNames[first]),
		Head:  append([]string{"against"}, differenceHead...),
		Notes: []string{fmt.Sprintf("Percentage points of %s minus those of the other on the same folds %s "+
			"with the same seeds, at the last epoch. The interval is Student's over the pairs, as if they "+
			"were independent; those of a data set share training and test data, so that it is too "+
			"short.", modelNames[first], where)},
	}
	for i, row := range t.Rows[1:] {
		out.Rows = append(out.Rows, difference(modelNames[row.Model], t.Against[i+1]))
	}
	return out
}

// signed is a difference in percentage points.
func signed(x float64) string { return typeset(fmt.Sprintf("%+.2f", x)) }
