package figures

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize"

	"github.com/neuralkforms/nkf/nkfx/experiments"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// Results returns the tables of results: scores with the weights of the last
// epoch beside the paper's, the same with those of the best epoch of the
// validation part, average precision and accuracy where areas under curves are
// compared, the differences of the first and the last model where these are
// paired, and parameters. Where there is no validation part to choose an epoch
// by, there is one table of scores, the first model is paired with each other,
// and the seconds of trainings come last.
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
	if t.Against != nil && !chosen {
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

// lastEpoch and bestEpoch are scores of a result.
func lastEpoch(r *experiments.Result) experiments.Published { return ours(r.Mean, r.Std) }

func bestEpoch(r *experiments.Result) experiments.Published { return ours(r.MeanBest, r.StdBest) }

// ours returns a mean and a deviation as the paper's are.
func ours(mean, std train.Score) experiments.Published {
	return experiments.Published{Mean: float64(mean), Std: std}
}

// scores is a table of the score that pick takes of a result, with the paper's
// rows if asked for: one behind the last row of each of its models, or, where
// the table has none of its models, those of neural forms and of the best.
func scores(t *experiments.Results, title string, paper bool,
	pick func(*experiments.Result) experiments.Published) *Table {
	out := &Table{Title: title, Head: []string{"model", "features", "parameters"}}
	best, theirs := make([]contest, len(t.Columns)), make([]contest, len(t.Columns)) // ours and the paper's
	for d, c := range t.Columns {
		out.Head = append(out.Head, c.Name)
		best[d], theirs[d] = contests(t, d, pick)
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
		head := Texts(modelStyles[row.Model].name, featureText(row), span(row.Cells))
		addRow(out, head, row.Cells, func(d int, r *experiments.Result) Cell {
			return Cell{Text: pick(r).String(), Strong: best[d].won(pick(r))}
		})
		lastOfModel := i+1 == len(t.Rows) || t.Rows[i+1].Model != row.Model
		if paper && lastOfModel && row.PaperParameters > 0 {
			published(modelStyles[row.Model].name+", paper", row.Model, row.PaperParameters, true)
		}
	}
	if paper && len(slices.Concat(theirs...)) == 0 {
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

// contests returns the scores of a column: ours, and the paper's of our models.
func contests(t *experiments.Results, d int, pick func(*experiments.Result) experiments.Published) (ours,
	theirs contest) {
	for i, row := range t.Rows {
		// Rows may stand for one training, where the data has but one choice of features.
		same := func(r experiments.Row) bool { return r.Cells[d] == row.Cells[d] }
		if row.Cells[d] != nil && !slices.ContainsFunc(t.Rows[:i], same) {
			ours.enter(pick(row.Cells[d]))
		}
		if p := t.Columns[d].Paper(row.Model); p != nil && (i == 0 || t.Rows[i-1].Model != row.Model) {
			theirs.enter(*p)
		}
	}
	return ours, theirs
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

// pairs returns the table of paired differences of the first row and the last at
// an epoch.
func pairs(t *experiments.Results, epoch string, of func(experiments.Column) *experiments.Pairs) *Table {
	first, last := t.Rows[0].Model, t.Rows[len(t.Rows)-1].Model
	out := paired(fmt.Sprintf("%s against %s, training by training, %s", first, last, epoch), "data")
	ahead, clearly, behind, columns := 0, 0, 0, 0
	for _, c := range t.Columns {
		p := of(c)
		if out.difference(c.Name, p); p == nil {
			continue
		}
		columns++
		for n, holds := range map[*int]bool{&ahead: p.Mean > 0, &clearly: p.Low > 0, &behind: p.High < 0} {
			if holds {
				*n++
			}
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

// against returns the table of paired differences of the first row and every
// other, at the last epoch.
func against(t *experiments.Results) *Table {
	first, where := modelStyles[t.Rows[0].Model].name, "of all data sets"
	if len(t.Columns) == 1 {
		where = "of " + t.Columns[0].Name
	}
	out := paired(first+" against the other models, training by training", "against")
	out.Notes = []string{fmt.Sprintf("Percentage points of %s minus those of the other on the same folds %s "+
		"with the same seeds, at the last epoch. The interval is Student's over the pairs, as if they "+
		"were independent; those of a data set share training and test data, so that it is too "+
		"short.", first, where)}
	for i, row := range t.Rows[1:] {
		out.difference(modelStyles[row.Model].name, t.Against[i+1])
	}
	return out
}

// paired returns a table of paired differences, without rows.
func paired(title, first string) *Table {
	return &Table{Title: title,
		Head: []string{first, "pairs", "mean difference", "95 % interval", "wins", "verdict"}}
}

// difference adds a row of paired differences, which may be nil.
func (t *Table) difference(name string, p *experiments.Pairs) {
	row := append(Texts(name, "–", "–", "–", "–"), Cell{Text: "not trained", Faint: true})
	if p != nil {
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
		row = append(Texts(name, fmt.Sprint(len(p.Differences)), signed(p.Mean),
			signed(p.Low)+" to "+signed(p.High), fmt.Sprintf("%d of %d", wins, len(p.Differences))), verdict)
	}
	t.Rows = append(t.Rows, row)
}

// signed is a difference in percentage points.
func signed(x float64) string { return typeset(fmt.Sprintf("%+.2f", x)) }
