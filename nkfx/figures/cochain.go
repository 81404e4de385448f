package figures

import (
	"fmt"
	"slices"
	"strings"

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
			fmt.Sprintf("Mean ± standard deviation over 5 folds, seeds of each: %d (1 where there are more than "+
				"10,000 complexes), in percent, at the best validation epoch; in brackets at the last "+
				"epoch.%s", t.Seeds, bold),
			"Seconds are those of all trainings, one after another, without compilation, for the first " +
				"model.",
			cochainOrigin(t),
		},
	}
	for _, row := range t.Rows {
		cells := []Cell{{Text: row.Dataset}, {Text: row.Metric, Faint: true}}
		for _, p := range []*experiments.Figure{row.PaperNKF, row.PaperBest} {
			cell := dash
			if p != nil {
				cell = Cell{Text: p.String(), Faint: true}
			}
			cells = append(cells, cell)
		}
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
	command, published := "nkf table cochain", experiments.NewCochainTable()
	if !slices.Equal(made.Datasets, published.Datasets) {
		command += " --dataset " + strings.Join(made.Datasets, ",")
	}
	if !slices.Equal(t.Models, published.Models) {
		command += " --model " + strings.Join(t.Models, ",")
	}
	if t.Seed != published.Seed {
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
	ahead, surely, behind, rows := 0, 0, 0, 0
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
			surely++
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
		fmt.Sprintf("Percentage points of %s minus those of %s on the same fold with the same seed, %s. "+
			"The interval is Student's over the pairs, as if they were independent; they share most "+
			"of their training parts, so that it is short rather than long.", first, last, epoch),
		fmt.Sprintf("%s is ahead on %d of %d data sets, on %d of them clearly, and clearly behind on %d.",
			first, ahead, rows, surely, behind),
	}
	return out
}
