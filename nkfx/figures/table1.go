package figures

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/neuralkforms/nkf/nkfx/experiments"
)

// modelNames are the models as the paper writes them, and those that it does
// not have; modelColors their colours in every figure.
var (
	modelNames = map[string]string{"egnn": "EGNN", "gat": "GAT", "gcn": "GCN", "gin": "GIN", "nkf": "NkF",
		"cochain": "Cochain", "cochain-forms": "Cochain, forms", "cochain-small": "Cochain, small",
		"gin-tuned": "GIN, tuned"}

	modelColors = map[string]color.NRGBA{"egnn": Purple, "gat": Orange, "gcn": Blue, "gin": Green, "nkf": Red,
		"cochain": Ink, "cochain-forms": Yellow, "cochain-small": Grey, "gin-tuned": SkyBlue}
)

// Table1 returns the table of accuracies beside the paper's, the same with
// the weights of the lowest validation loss, and the table of parameters.
func Table1(t *experiments.Table) []*Table { return comparison(t, 1, "accuracy") }

// comparison returns the tables of scores and of parameters.
func comparison(t *experiments.Table, number int, metric string) []*Table {
	last := scores(t, fmt.Sprintf("Table %d: %s with the weights of the last epoch, as published", number,
		metric), true, lastEpoch)
	last.Notes = append(last.Notes, fmt.Sprintf(
		"Test %s in percent, mean ± standard deviation over %d %s and %d %s. "+
			"The best of a column is bold, among ours and among the paper's.",
		metric, t.Folds, plural(t.Folds, "fold"), t.Seeds, plural(t.Seeds, "seed")))
	for _, f := range t.Fallbacks {
		last.Notes = append(last.Notes, fmt.Sprintf(
			"Rows %q stand for %s on %s, which %s not have all of these.",
			f.Asked, f.Taken, strings.Join(f.Datasets, ", "),
			map[bool]string{true: "does", false: "do"}[len(f.Datasets) == 1]))
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
	return experiments.Figure{Mean: r.Mean, Std: r.Std}
}

func lowestLoss(r *experiments.Result) experiments.Figure {
	return experiments.Figure{Mean: r.MeanBest, Std: r.StdBest}
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
	// Columns of means, to find the largest as printed.
	ours, theirs := make([]string, len(t.Datasets)), make([]string, len(t.Datasets))
	text := func(f experiments.Figure) string { return fmt.Sprintf("%.2f ± %.2f", f.Mean, f.Std) }
	larger := func(best *string, f experiments.Figure) {
		old, err := strconv.ParseFloat(*best, 64)
		if mean := fmt.Sprintf("%.2f", f.Mean); err != nil || math.Round(100*f.Mean) > math.Round(100*old) {
			*best = mean
		}
	}
	for _, row := range t.Rows {
		for d, name := range t.Datasets {
			if row.Cells[d] != nil {
				larger(&ours[d], pick(row.Cells[d]))
			}
			if p := row.Paper(name); p != nil {
				larger(&theirs[d], *p)
			}
		}
	}
	strong := func(best string, f experiments.Figure) bool { return fmt.Sprintf("%.2f", f.Mean) == best }
	for i, row := range t.Rows {
		cells := []Cell{{Text: modelNames[row.Model]}, {Text: row.Features}, {Text: span(row.Cells)}}
		for d, r := range row.Cells {
			cell := Cell{Text: "–", Faint: true}
			if r != nil {
				cell = Cell{Text: text(pick(r)), Strong: strong(ours[d], pick(r))}
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
				cell = Cell{Text: text(*p), Strong: strong(theirs[d], *p), Faint: true}
			}
			cells = append(cells, cell)
		}
		out.Rows = append(out.Rows, cells)
	}
	return out
}

// parameters is the table of trainable parameters.
func parameters(t *experiments.Table) *Table {
	head := append([]string{"model", "features", "paper"}, t.Datasets...)
	out := &Table{Title: "Trainable parameters", Head: head}
	for _, row := range t.Rows {
		cells := []Cell{{Text: modelNames[row.Model]}, {Text: row.Features},
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

// AccuracyByParameters draws accuracy against the number of parameters, a
// panel for each data set with any figure: ours as dots, the paper's as rings.
func AccuracyByParameters(t *experiments.Table) *Figure {
	return byParameters(t, "Accuracy", "accuracy, %")
}

// AUROCByParameters draws areas under the receiver operating characteristic
// likewise.
func AUROCByParameters(t *experiments.Table) *Figure { return byParameters(t, "AUROC", "AUROC, %") }

// byParameters draws scores of that name against the number of parameters.
func byParameters(t *experiments.Table, name, label string) *Figure {
	f := &Figure{Title: name + " by size of the model: ours (dots) and the paper's (rings)", Columns: 3}
	seen := map[string]bool{}
	for _, row := range t.Rows {
		if !seen[row.Model] {
			seen[row.Model] = true
			f.Key = append(f.Key, Key{modelNames[row.Model], modelColors[row.Model]})
		}
	}
	for d, name := range t.Datasets {
		m := &marks{}
		drawn := map[string]bool{}
		for _, row := range t.Rows {
			col := modelColors[row.Model]
			if r := row.Cells[d]; r != nil && !drawn[row.Model+r.Features] {
				drawn[row.Model+r.Features] = true
				m.add(r.Parameters, lastEpoch(r), col, false)
			}
			if p := row.Paper(name); p != nil && !drawn[row.Model] {
				drawn[row.Model] = true
				m.add(row.PaperParameters, *p, col, true)
			}
		}
		if len(m.marks) > 0 {
			panel := &Panel{Title: name, X: "parameters", LogX: true, Y: label, Layers: []Layer{m}}
			f.Panels = append(f.Panels, panel)
		}
	}
	return f
}

// marks draws figures with bars of one standard deviation, by the number of
// parameters.
type marks struct{ marks []mark }

type mark struct {
	x      float64
	figure experiments.Figure
	color  color.NRGBA
	hollow bool
}

func (m *marks) add(parameters int, f experiments.Figure, col color.NRGBA, hollow bool) {
	m.marks = append(m.marks, mark{float64(parameters), f, col, hollow})
}

// Plot draws the layer.
func (m *marks) Plot(c draw.Canvas, plt *plot.Plot) {
	at := place(c, plt)
	dot := func(p vg.Point, col color.Color, shape draw.GlyphDrawer) {
		c.DrawGlyph(draw.GlyphStyle{Color: col, Radius: 3.5, Shape: shape}, p)
	}
	for _, k := range m.marks {
		low, high := at(k.x, k.figure.Mean-k.figure.Std), at(k.x, k.figure.Mean+k.figure.Std)
		line(c, []vg.Point{low, high}, alpha(k.color, 0.6), lineWidth)
		middle := at(k.x, k.figure.Mean)
		if k.hollow {
			// The bar is not to be seen through the ring.
			dot(middle, White, draw.CircleGlyph{})
			dot(middle, k.color, draw.RingGlyph{})
			continue
		}
		dot(middle, k.color, draw.CircleGlyph{})
	}
}

// DataRange returns the range of the bars and a margin.
func (m *marks) DataRange() (xmin, xmax, ymin, ymax float64) {
	var ends []float64
	for _, k := range m.marks {
		ends = append(ends, k.x, k.figure.Mean-k.figure.Std, k.x, k.figure.Mean+k.figure.Std)
	}
	xmin, xmax, ymin, ymax = boundsOf(0, ends)
	return xmin / 1.5, xmax * 1.5, ymin - 2, ymax + 2
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
