package figures

import (
	"fmt"
	"slices"
	"strings"

	"github.com/neuralkforms/nkf/nkfx/experiments"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// CochainTables returns the comparison of cochain networks with the paper and
// with their opponent: the figures of all models and, where there are two or
// more, the paired differences of the first and the last of them, at the best
// validation epoch and at the last epoch.
func CochainTables(t *experiments.CochainResults) []*Table {
	if len(t.Models) == 1 {
		return []*Table{cochainFigures(t)}
	}
	return []*Table{
		cochainFigures(t),
		cochainPairs(t, "at the best validation epoch",
			func(r experiments.CochainRow) *experiments.Pairs { return r.Pairs }),
		cochainPairs(t, "at the last epoch",
			func(r experiments.CochainRow) *experiments.Pairs { return r.PairsLast }),
	}
}

// cochainFigures returns the table of figures.
func cochainFigures(t *experiments.CochainResults) *Table {
	out := &Table{
		Title: "Cochain networks on the benchmarks of the paper",
		Head:  []string{"data", "metric", "paper's NkF", "paper's best"},
		Notes: []string{
			fmt.Sprintf(
				"Mean ± standard deviation over 5 folds, seeds of each: %d (1 where there are more than "+
					"10,000 complexes), in percent, at the best validation epoch; in brackets at the last "+
					"epoch.%s",
				t.Seeds, map[bool]string{true: " Bold: the best of the row."}[len(t.Models) > 1],
			),
			"Seconds are those of all trainings, one after another, without compilation, for the first " +
				"model.",
			cochainOrigin(t),
		},
	}
	out.Head = append(append(out.Head, t.Models...), "parameters", "seconds")
	for _, row := range t.Rows {
		cells := []Cell{{Text: row.Dataset}, {Text: row.Metric, Faint: true}, paperCell(row.PaperNKF),
			paperCell(row.PaperBest)}
		best := train.Score(-1)
		for _, r := range row.Cells {
			if r != nil && r.MeanBest > best {
				best = r.MeanBest
			}
		}
		for _, r := range row.Cells {
			if r == nil {
				cells = append(cells, Cell{Text: "–", Faint: true})
				continue
			}
			cells = append(cells, Cell{
				Text:   fmt.Sprintf("%v (%.2f)", lowestLoss(r), r.Mean),
				Strong: r.MeanBest == best && len(t.Models) > 1,
			})
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
		out.Notes = append(out.Notes, omissions(row.Dataset, row.Cells)...)
	}
	return out
}

// cochainOrigin says how to make the comparison again, and what it was made with.
func cochainOrigin(t *experiments.CochainResults) string {
	usual := experiments.NewCochainTable()
	command := "nkf table cochain"
	var names []string
	made := &experiments.Table{Versions: t.Versions, Backend: t.Backend, Seed: t.Seed}
	made.Data = map[string]string{}
	for _, row := range t.Rows {
		names = append(names, row.Dataset)
		for _, r := range row.Cells {
			if r != nil && r.DataSHA256 != "" {
				made.Data[row.Dataset] = r.DataSHA256
			}
		}
	}
	made.Datasets = names
	if !slices.Equal(names, usual.Datasets) {
		command += " --dataset " + strings.Join(names, ",")
	}
	if !slices.Equal(t.Models, usual.Models) {
		command += " --model " + strings.Join(t.Models, ",")
	}
	if t.Seed != usual.Seed {
		command += fmt.Sprintf(" --seed %d", t.Seed)
	}
	return fmt.Sprintf("%s --seeds %d: %s", command, t.Seeds, origin(made))
}

// paperCell is a figure of the paper.
func paperCell(f *experiments.Figure) Cell {
	if f == nil {
		return Cell{Text: "–", Faint: true}
	}
	return Cell{Text: f.String(), Faint: true}
}

// cochainPairs returns the table of paired differences at an epoch.
func cochainPairs(t *experiments.CochainResults, epoch string,
	pairs func(experiments.CochainRow) *experiments.Pairs) *Table {
	first, last := t.Models[0], t.Models[len(t.Models)-1]
	out := &Table{
		Title: fmt.Sprintf("%s against %s, training by training, %s", first, last, epoch),
		Head:  []string{"data", "pairs", "mean difference", "95 % interval", "wins", "verdict"},
	}
	ahead, clear, behind, rows := 0, 0, 0, 0
	for _, row := range t.Rows {
		p := pairs(row)
		if p == nil {
			out.Rows = append(out.Rows, []Cell{{Text: row.Dataset}, {Text: "–"}, {Text: "–"}, {Text: "–"},
				{Text: "–"}, {Text: "not trained", Faint: true}})
			continue
		}
		rows++
		wins := 0
		for _, d := range p.Differences {
			if d > 0 {
				wins++
			}
		}
		if p.Mean > 0 {
			ahead++
		}
		verdict := Cell{Text: "open"}
		switch {
		case p.Low > 0:
			clear++
			verdict = Cell{Text: "ahead", Strong: true}
		case p.High < 0:
			behind++
			verdict = Cell{Text: "behind"}
		}
		out.Rows = append(out.Rows, []Cell{
			{Text: row.Dataset}, {Text: fmt.Sprint(len(p.Differences))}, {Text: signed(p.Mean)},
			{Text: fmt.Sprintf("%s to %s", signed(p.Low), signed(p.High))},
			{Text: fmt.Sprintf("%d of %d", wins, len(p.Differences))}, verdict,
		})
	}
	out.Notes = []string{
		fmt.Sprintf(
			"Percentage points of %s minus those of %s on the same fold with the same seed, %s. "+
				"The interval is Student's over the pairs, as if they were independent; they share most "+
				"of their training parts, so that it is short rather than long.",
			first, last, epoch,
		),
		fmt.Sprintf("%s is ahead on %d of %d data sets, on %d of them clearly, and clearly behind on %d.",
			first, ahead, rows, clear, behind),
	}
	return out
}

// signed is a difference in percentage points.
func signed(x float64) string {
	if x < 0 {
		return fmt.Sprintf("−%.2f", -x)
	}
	return fmt.Sprintf("+%.2f", x)
}
