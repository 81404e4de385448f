package figures

import (
	"fmt"
	"image/color"
	"slices"
	"strings"

	"gonum.org/v1/plot"

	"github.com/neuralkforms/nkf/nkfx/experiments"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// CochainTables returns the comparison of cochain networks with the paper and with their opponent: the
// scores of all models and, where there are two or more, the paired differences of the first and the
// last of them, at the best validation epoch and at the last epoch.
func CochainTables(t *experiments.CochainResults) []*Table {
	tables := []*Table{cochainScores(t)}
	if len(t.Models) > 1 {
		tables = append(tables,
			cochainPairs(t, "at the best validation epoch",
				func(r experiments.CochainRow) *experiments.Pairs { return r.Pairs }),
			cochainPairs(t, "at the last epoch",
				func(r experiments.CochainRow) *experiments.Pairs { return r.PairsLast }))
	}
	return tables
}

// cochainScores returns the table of scores.
func cochainScores(t *experiments.CochainResults) *Table {
	bold := map[bool]string{true: " Bold: the best of the row."}[len(t.Models) > 1]
	out := &Table{
		Title: "Cochain networks on the benchmarks of the paper",
		Head: slices.Concat([]string{"data", "metric", "paper's NkF", "paper's best"}, t.Models,
			[]string{"parameters", "seconds"}),
		Notes: []string{
			fmt.Sprintf("Mean ± standard deviation over 5 folds, seeds of each: %d (1 where there are more "+
				"than 10,000 complexes), in percent, at the best validation epoch; in brackets at the last "+
				"epoch.%s", t.Seeds, bold),
			"Seconds are those of all trainings, one after another, without compilation, for the first " +
				"model.",
			cochainOrigin(t),
		},
	}
	for _, row := range t.Rows {
		cells := []Cell{{Text: row.Dataset}, {Text: row.Metric, Faint: true}}
		cells = append(cells, published(row.PaperNKF), published(row.PaperBest))
		best := train.Score(-1)
		for _, r := range row.Cells {
			if r != nil && r.MeanBest > best {
				best = r.MeanBest
			}
		}
		for _, r := range row.Cells {
			cell := dash
			if r != nil {
				cell = Cell{Text: fmt.Sprintf("%v (%.2f)", lowestLoss(r), r.Mean),
					Strong: r.MeanBest == best && len(t.Models) > 1}
			}
			cells = append(cells, cell)
			out.Notes = append(out.Notes, omissions(row.Dataset, r)...)
		}
		parameters, seconds := "–", "–"
		if r := row.Cells[0]; r != nil {
			sum := 0.0
			for _, f := range r.Folds {
				sum += f.Seconds
			}
			parameters, seconds = fmt.Sprint(r.Parameters), fmt.Sprintf("%.0f", sum)
		}
		out.Rows = append(out.Rows, append(cells, Cell{Text: parameters}, Cell{Text: seconds, Faint: true}))
	}
	return out
}

// published returns a score of the paper.
func published(score *experiments.MeanStd) Cell {
	if score == nil {
		return dash
	}
	return Cell{Text: score.String(), Faint: true}
}

// cochainOrigin says how to make the comparison again, and what it was made with.
func cochainOrigin(t *experiments.CochainResults) string {
	made := &experiments.Table{Versions: t.Versions, Backend: t.Backend, Seed: t.Seed,
		Data: map[string]string{}}
	for _, row := range t.Rows {
		made.Datasets = append(made.Datasets, row.Dataset)
		for _, r := range row.Cells {
			if r != nil && r.DataSHA256 != "" {
				made.Data[row.Dataset] = r.DataSHA256
			}
		}
	}
	command, usual := "nkf table cochain", experiments.NewCochainTable()
	if !slices.Equal(made.Datasets, usual.Datasets) {
		command += " --dataset " + strings.Join(made.Datasets, ",")
	}
	if !slices.Equal(t.Models, usual.Models) {
		command += " --model " + strings.Join(t.Models, ",")
	}
	if t.Seed != usual.Seed {
		command += fmt.Sprintf(" --seed %d", t.Seed)
	}
	return fmt.Sprintf("%s --seeds %d: %s", command, t.Seeds, origin(made))
}

// cochainPairs returns the table of paired differences at an epoch.
func cochainPairs(t *experiments.CochainResults, epoch string,
	pairs func(experiments.CochainRow) *experiments.Pairs) *Table {
	first, last := t.Models[0], t.Models[len(t.Models)-1]
	out := &Table{
		Title: fmt.Sprintf("%s against %s, training by training, %s", first, last, epoch),
		Head:  []string{"data", "pairs", "mean difference", "95 % interval", "wins", "verdict"},
	}
	signed := func(x float64) string { return typeset(fmt.Sprintf("%+.2f", x)) }
	ahead, trained, verdicts := 0, 0, map[string]int{}
	for _, row := range t.Rows {
		p := pairs(row)
		if p == nil {
			out.Rows = append(out.Rows, []Cell{{Text: row.Dataset}, dash, dash, dash, dash,
				{Text: "not trained", Faint: true}})
			continue
		}
		trained++
		wins := 0
		for _, d := range p.Differences {
			if d > 0 {
				wins++
			}
		}
		if p.Mean > 0 {
			ahead++
		}
		verdict := "open"
		switch {
		case p.Low > 0:
			verdict = "ahead"
		case p.High < 0:
			verdict = "behind"
		}
		verdicts[verdict]++
		out.Rows = append(out.Rows, []Cell{
			{Text: row.Dataset}, {Text: fmt.Sprint(len(p.Differences))}, {Text: signed(p.Mean)},
			{Text: fmt.Sprintf("%s to %s", signed(p.Low), signed(p.High))},
			{Text: fmt.Sprintf("%d of %d", wins, len(p.Differences))},
			{Text: verdict, Strong: verdict == "ahead"},
		})
	}
	out.Notes = []string{
		fmt.Sprintf("Percentage points of %s minus those of %s on the same fold with the same seed, %s. "+
			"The interval is Student's over the pairs, as if they were independent; they share most "+
			"of their training parts, so that it is short rather than long.", first, last, epoch),
		fmt.Sprintf("%s is ahead on %d of %d data sets, on %d of them clearly, and clearly behind on %d.",
			first, ahead, trained, verdicts["ahead"], verdicts["behind"]),
	}
	return out
}

// CochainLevels draws a cochain network on one graph, level by level. A vertex has the color of its
// message, the sum of the integrals of the level's largest form over its edges, each directed towards
// it; an arrow on each edge points to the end to which the integral is positive. After the last layer
// there is no message.
//
// Vertices stand at places [V, 2], at all levels with a message. Where places are nil, they stand where
// the network has moved them, over the form.
func CochainLevels(title string, places []float64, levels []experiments.CochainLevel) *Figure {
	f := Arrange(title, min(len(levels), 4))
	var messages []float64
	for _, level := range levels {
		for v := level.Largest(); v < len(level.Messages); v += level.Forms {
			messages = append(messages, level.Messages[v])
		}
	}
	scale := Signed(Typical(messages))
	for i, level := range levels {
		j := level.Largest()
		name := fmt.Sprintf("level %d: ω%s", i, subscript(j))
		edges := slices.Clone(level.Edges)
		for e := 0; e+1 < len(edges); e += 2 {
			if level.Integrals[e/2*level.Forms+j] < 0 {
				slices.Reverse(edges[e : e+2])
			}
		}
		var message func(v int) color.NRGBA
		if level.Messages != nil {
			message = func(v int) color.NRGBA { return scale.At(level.Messages[v*level.Forms+j]) }
		}
		graph := func(at []float64) []plot.Plotter {
			// Without a rim vertices near zero are as pale as the card.
			return []plot.Plotter{&Complex{Points: at, Edges: edges, Color: Ink, Heads: true},
				Points(at, 5, message), Rings(at, 5, func(int) color.NRGBA { return Gray })}
		}
		switch {
		case places == nil:
			field := fieldsOf(level.Field)[j]
			field.Scale = Tint(SkyBlue, Typical(field.strengths()))
			name += fmt.Sprintf(", %.0f %% in this plane", 100*level.Share)
			layers := append([]plot.Plotter{field}, graph(level.Points)...)
			f.Panels = append(f.Panels, NewPanel(name, layers...).Within(level.Field.Low, level.Field.High))
			if level.Messages == nil {
				f.Key = []Key{{"no message: the last level is only read out", Ink}}
			}
		case level.Messages != nil:
			f.Panels = append(f.Panels, NewPanel(name, graph(places)...))
		}
	}
	f.Bars = []Bar{{"δX, towards the vertex", scale}}
	return f
}
