package figures_test

import (
	"bytes"
	"image/color"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/nkfx"
	"github.com/neuralkforms/nkf/nkfx/experiments"
	"github.com/neuralkforms/nkf/nkfx/figures"
	"github.com/neuralkforms/nkf/nkfx/models"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// someTable has a row without a figure of the paper, an empty cell, and a
// tie of what is printed.
func someTable() *experiments.Results {
	result := func(parameters int, mean train.Score) *experiments.Result {
		return &experiments.Result{Features: "attributes", Parameters: parameters,
			Mean: mean, Std: 1.5, MeanBest: mean + 1, StdBest: 2}
	}
	forms, labels := result(651, 90.002), result(3645, 9.75)
	labels.Features = "labels"
	bzr, err := experiments.Lookup("BZR")
	if err != nil {
		panic(err)
	}
	column := func(name, sum string, published map[string]experiments.Published) experiments.Column {
		return experiments.Column{Name: name, Dataset: name, Split: "folds", Metric: "accuracy", Folds: 5,
			Seeds: 2, DataSHA256: sum, Published: published}
	}
	return &experiments.Results{
		Table: "1", Seed: 42, Backend: "go", Missing: 1, Versions: nkfx.Version(),
		Columns: []experiments.Column{
			column("BZR", "0123456789abcdef", bzr.Published), column("AIDS", "", nil),
		},
		Fallbacks: []experiments.Fallback{{Asked: "labels", Taken: "attributes", Datasets: []string{"BZR"}}},
		Rows: []experiments.Row{
			{Model: "gcn", Features: "attributes", PaperParameters: 5000,
				Cells: []*experiments.Result{result(1005058, 90.001), nil}},
			{Model: "nkf", Features: "attributes", PaperParameters: 4000,
				Cells: []*experiments.Result{forms, result(3828, 98.5)}},
			{Model: "nkf", Features: "labels", PaperParameters: 4000,
				Cells: []*experiments.Result{forms, labels}},
		},
	}
}

// texts returns a row as text, with stars as Print has them.
func texts(row []figures.Cell) []string {
	var out []string
	for _, c := range row {
		if c.Strong {
			c.Text += "*"
		}
		out = append(out, c.Text)
	}
	return out
}

// TestEveryModelHasAName: in text, and a color of its own in figures.
func TestEveryModelHasAName(t *testing.T) {
	table := &experiments.Results{Columns: []experiments.Column{{Name: "BZR"}}}
	for _, model := range models.Names() {
		row := experiments.Row{Model: model, Cells: make([]*experiments.Result, 1)}
		table.Rows = append(table.Rows, row)
	}
	names, colors := map[string]bool{}, map[color.NRGBA]bool{}
	for _, key := range figures.ByParameters(table).Key {
		require.EqualValues(t, 255, key.Color.A)
		names[key.Name], colors[key.Color] = true, true
	}
	require.Len(t, names, len(models.Names()))
	require.Len(t, colors, len(models.Names()))
	for _, of := range figures.Results(table) {
		for _, row := range of.Rows {
			require.NotContains(t, []string{"", ", paper", "Cochain, paper"}, row[0].Text)
		}
	}
}

func TestTable1(t *testing.T) {
	tables := figures.Results(someTable())
	require.Len(t, tables, 3)
	var rows [][]string
	for _, row := range tables[0].Rows {
		rows = append(rows, texts(row))
	}
	require.Equal(t, [][]string{
		{"GCN", "attributes", "1,005,058", "90.00 ± 1.50*", "–"},
		{"GCN, paper", "", "5K", "79.75 ± 0.68*", "–"},
		{"NkF", "attributes", "651–3,828", "90.00 ± 1.50*", "98.50 ± 1.50*"},
		{"NkF", "labels", "651–3,645", "90.00 ± 1.50*", "9.75 ± 1.50"},
		{"NkF, paper", "", "4K", "78.77 ± 0.55", "–"},
	}, rows)
	require.Equal(t, []string{"model", "features", "parameters", "BZR", "AIDS"}, tables[0].Head)
	require.Equal(t, `Columns such as "BZR": all 5 folds with 2 seeds each.`, tables[0].Notes[1])
	require.Equal(t, `Rows "labels" stand for attributes on BZR, which does not have all of these.`,
		tables[0].Notes[2])
	require.Contains(t, tables[0].Notes[3], "1 cell is not trained yet")

	require.Len(t, tables[1].Rows, 3, "the paper has no such table")
	require.Equal(t, []string{"NkF", "attributes", "651–3,828", "91.00 ± 2.00*", "99.50 ± 2.00*"},
		texts(tables[1].Rows[1]))
	require.Equal(t, []string{"GCN", "attributes", "5K", "1,005,058", "–"}, texts(tables[2].Rows[0]))
	require.Contains(t, tables[2].Notes[0], "BZR 0123456789ab")
}

// TestBoldNeedsTwo: nothing is bold where a column has one figure, or several rows that stand for it.
func TestBoldNeedsTwo(t *testing.T) {
	table := someTable()
	table.Rows = table.Rows[1:] // two rows of NkF: the same training on BZR, two on AIDS
	one := figures.Results(table)[0]
	require.Equal(t, []string{"NkF", "attributes", "651–3,828", "90.00 ± 1.50", "98.50 ± 1.50*"},
		texts(one.Rows[0]))
	require.Equal(t, []string{"NkF, paper", "", "4K", "78.77 ± 0.55", "–"}, texts(one.Rows[2]))
	require.Contains(t, one.Notes[0], "is bold")
	table.Rows = table.Rows[:1]
	one = figures.Results(table)[0]
	require.NotContains(t, one.HTML()+one.Markdown(), "<b>")
	require.NotContains(t, one.Markdown(), "**")
	require.NotContains(t, strings.Join(one.Notes, " "), "bold")
}

// TestFeaturesHaveShapes: two choices of features of one model are told apart, and a note says how.
func TestFeaturesHaveShapes(t *testing.T) {
	f := figures.ByParameters(someTable())
	require.Equal(t, []string{"dots: attributes, squares: labels"}, f.Notes)
	svg, err := f.SVG()
	require.NoError(t, err)
	require.Contains(t, string(svg), f.Notes[0])

	same := someTable()
	same.Rows[2].Features = "attributes" // but the training is another
	dots := figures.ByParameters(same)
	require.Empty(t, dots.Notes, "one choice needs no key")
	dots.Notes = f.Notes // as large as the other
	a, err := figures.Small(f)
	require.NoError(t, err)
	b, err := figures.Small(dots)
	require.NoError(t, err)
	require.NotEqual(t, a, b, "a square is no dot")
}

func TestAccuracyByParameters(t *testing.T) {
	table := someTable()
	f := figures.ByParameters(table)
	require.Len(t, f.Panels, 2)
	require.Len(t, f.Key, 2, "a color for each model")
	require.InDelta(t, 78.77-0.55-2, f.Panels[0].Y.Min, 1e-9, "the lowest bar is the paper's for NkF")
	require.InDelta(t, 90.002+1.5+2, f.Panels[0].Y.Max, 1e-9)
	first, err := f.SVG()
	require.NoError(t, err)
	again, err := figures.ByParameters(table).SVG()
	require.NoError(t, err)
	require.Equal(t, first, again)
	require.True(t, bytes.Contains(first, []byte("AIDS")))

	// Without a single result there is still a figure.
	for i := range table.Rows {
		table.Rows[i].Cells = []*experiments.Result{nil, nil}
	}
	f = figures.ByParameters(table)
	require.Len(t, f.Panels, 1, "the paper's")
	table.Rows = nil
	f = figures.ByParameters(table)
	require.Empty(t, f.Panels)
	_, err = f.PNG()
	require.NoError(t, err)
}

// TestTablesOfUndefinedScores: where there is none, a dash; and below what the means are without.
func TestTablesOfUndefinedScores(t *testing.T) {
	none := train.Score(math.NaN())
	cell := func(tests ...train.Score) *experiments.Result {
		r := &experiments.Result{Model: "nkf", Metric: "auroc", Mean: tests[0], Std: 1,
			MeanBest: tests[0], StdBest: 1,
			Means: train.Scores{AveragePrecision: tests[0]}, Stds: train.Scores{AveragePrecision: 1}}
		for _, score := range tests {
			if !score.Defined() {
				r.Undefined++
			}
			r.Folds = append(r.Folds, experiments.FoldResult{Test: score})
		}
		return r
	}
	some := cell(80, none)
	some.Folds[0].Last.Undefined = map[string]int{"auroc": 1}
	table := &experiments.Results{
		Columns: []experiments.Column{{Name: "BACE", Metric: "auroc"}, {Name: "BBBP", Metric: "auroc"}},
		Rows: []experiments.Row{
			{Model: "nkf", Cells: []*experiments.Result{some, cell(none, none)}},
			{Model: "gcn", Cells: []*experiments.Result{cell(70, 70), cell(60, 60)}},
		}}
	tables := figures.Results(table)
	for _, i := range []int{0, 1, 2} {
		require.Equal(t, "80.00 ± 1.00", tables[i].Rows[0][3].Text)
		require.Equal(t, "–", tables[i].Rows[0][4].Text)
		require.False(t, tables[i].Rows[0][4].Strong)
		for _, row := range tables[i].Rows {
			for _, c := range row {
				require.NotContains(t, c.Text, "NaN")
			}
		}
	}
	notes := strings.Join(tables[0].Notes, "\n")
	require.Contains(t, notes, "NkF on BACE: trainings without AUROC: 1 of 2")
	require.Contains(t, notes, "NkF on BACE: trainings with AUROC of some classes only: 1 of 2")
	require.Contains(t, notes, "NkF on BBBP: trainings without AUROC: 2 of 2")
	require.NotContains(t, notes, "GCN")
	require.Len(t, figures.ByParameters(table).Panels, 2)
	_, err := figures.ByParameters(table).SVG()
	require.NoError(t, err)
}

// molecules is a table with a column for every split, one of which was not trained.
func molecules() *experiments.Results {
	cell := func(mean train.Score) *experiments.Result {
		return &experiments.Result{Features: "numbers", Parameters: 8560, Mean: mean, Std: 1,
			MeanBest: mean + 1, StdBest: 2,
			Means: train.Scores{AUROC: mean, AveragePrecision: 50, Accuracy: 70},
			Stds:  train.Scores{AUROC: 1, AveragePrecision: 3, Accuracy: 4}}
	}
	bace, err := experiments.Lookup("BACE")
	if err != nil {
		panic(err)
	}
	t := &experiments.Results{Table: "2", Seed: 42,
		Rows: []experiments.Row{{Model: "nkf", PaperParameters: 9000,
			Cells: []*experiments.Result{cell(84), cell(85), nil, cell(70)}}},
	}
	for i, split := range []string{"fold0", "folds", "random", "scaffold"} {
		c := experiments.Column{Name: "BACE " + split, Dataset: "BACE", Split: split, Metric: "auroc",
			Folds: 5, Seeds: []int{6, 2, 6, 6}[i], DataSHA256: "0123456789abcdef"}
		if i == 0 {
			c.Name, c.Published = "BACE", bace.Published
		}
		t.Columns = append(t.Columns, c)
	}
	return t
}

// TestTable2: a column for every split, the paper's scores only beside the published one, and all three
// metrics.
func TestTable2(t *testing.T) {
	table := molecules()
	tables := figures.Results(table)
	require.Len(t, tables, 5)
	require.Equal(t, [][]string{
		{"NkF", "atom features", "8,560", "84.00 ± 1.00", "85.00 ± 1.00", "–", "70.00 ± 1.00"},
		{"NkF, paper", "", "9K", "83.50 ± 0.55", "–", "–", "–"},
	}, [][]string{texts(tables[0].Rows[0]), texts(tables[0].Rows[1])})
	require.Equal(t, "85.00 ± 2.00", texts(tables[1].Rows[0])[3])
	require.Equal(t, "50.00 ± 3.00", texts(tables[2].Rows[0])[3])
	require.Equal(t, "70.00 ± 4.00", texts(tables[3].Rows[0])[3])
	notes := tables[0].Notes
	require.Len(t, notes, 5)
	require.Equal(t, "Test AUROC in percent, mean ± standard deviation.", notes[0], "one model, nothing bold")
	require.Contains(t, notes[1], `"BACE": 6 seeds on the first of 5 stratified folds, as published.`)
	require.Equal(t, `Columns such as "BACE folds": all 5 folds with 2 seeds each.`, notes[2])
	require.Contains(t, notes[3], `"BACE random": 6 seeds on one random split`)
	require.Contains(t, notes[4], `"BACE scaffold": 6 seeds on MoleculeNet's split by scaffold`)
	require.Contains(t, tables[4].Notes[0], "BACE 0123456789ab")
	require.Equal(t, "AUROC, %", figures.ByParameters(table).Panels[0].Y.Label.Text)
}

// TestPairs has one data set where the first model is ahead, one where it is
// behind, and one that is not trained.
func TestPairs(t *testing.T) {
	t1 := cochains()
	tables := figures.Results(t1)
	require.Len(t, tables, 5)
	last := tables[0]
	rows := len(last.Rows)
	require.Equal(t, []string{"NkF, paper", "", "–", "78.77 ± 0.55", "–", "–"}, texts(last.Rows[rows-2]))
	best := []string{"best of the paper", "", "–", "81.48 ± 2.90", "–", "–"}
	require.Equal(t, best, texts(last.Rows[rows-1]))
	require.Equal(t, "85.00 ± 1.00*", texts(tables[1].Rows[0])[3])
	text := tables[2].Markdown()
	for _, want := range []string{"+3.00", "−3.00", "3 of 3", "**ahead**", "behind", "not trained",
		"ahead on 1 of 2 data sets, on 1 of them clearly, and clearly behind on 1",
		"at the best validation epoch"} {
		require.Contains(t, text, want)
	}
	text = tables[3].Markdown()
	for _, want := range []string{"+4.00", "−2.00", "at the last epoch"} {
		require.Contains(t, text, want)
	}
	require.Contains(t, tables[4].Notes[0], "seeds from 7. Data by SHA-256: BZR 0123456789ab.")
}

// cochains compares two networks.
func cochains() *experiments.Results {
	result := func(last train.Score, tests ...train.Score) *experiments.Result {
		r := &experiments.Result{Features: "labels", Parameters: 20170, Mean: 80, MeanBest: tests[0]}
		r.StdBest = 1
		for i, v := range tests {
			r.Folds = append(r.Folds, experiments.FoldResult{Fold: i, TestBest: v, Test: v + last})
		}
		return r
	}
	bzr, err := experiments.Lookup("BZR")
	if err != nil {
		panic(err)
	}
	t := &experiments.Results{Table: "cochain", Seed: 7, Missing: 2,
		Columns: []experiments.Column{
			{Name: "BZR", Dataset: "BZR", Metric: "accuracy", DataSHA256: "0123456789abcdef",
				Published: bzr.Published},
			{Name: "COX2", Metric: "accuracy"}, {Name: "DHFR", Metric: "accuracy"},
		},
		Rows: []experiments.Row{
			{Model: "cochain", Cells: []*experiments.Result{
				result(1, 85, 86, 87), result(1, 80, 81, 82), nil,
			}},
			{Model: "gin-tuned", Cells: []*experiments.Result{
				result(0, 82, 83.1, 83.9), result(0, 83, 84.1, 84.9), nil,
			}},
		},
	}
	for i := range 2 {
		first, last := t.Rows[0].Cells[i], t.Rows[1].Cells[i]
		c := &t.Columns[i]
		test := func(f experiments.FoldResult) train.Score { return f.Test }
		testBest := func(f experiments.FoldResult) train.Score { return f.TestBest }
		c.Pairs, _ = experiments.Compare(first, last, testBest)
		c.PairsLast, _ = experiments.Compare(first, last, test)
	}
	return t
}

// TestAgainst: without a validation part there is one table of scores, and the first model stands against
// each other.
func TestAgainst(t *testing.T) {
	cell := func(tests ...train.Score) *experiments.Result {
		r := &experiments.Result{Mean: tests[0], Parameters: 7}
		for i, v := range tests {
			r.Folds = append(r.Folds,
				experiments.FoldResult{Fold: i, Test: v, Epochs: 3, BestEpoch: 2, Seconds: 1.5})
		}
		return r
	}
	r := &experiments.Results{Table: "mesh", Columns: []experiments.Column{{Name: "PSB12", Split: "folds"}},
		Rows: []experiments.Row{
			{Model: "mesh-forms", Cells: []*experiments.Result{cell(90, 91, 92)}},
			{Model: "mesh-gin", Cells: []*experiments.Result{cell(88, 86, 90)}},
			{Model: "mesh-moments", Cells: []*experiments.Result{nil}},
		}}
	pairs, err := experiments.Compare(r.Rows[0].Cells[0], r.Rows[1].Cells[0],
		func(f experiments.FoldResult) train.Score { return f.Test })
	require.NoError(t, err)
	r.Against = []*experiments.Pairs{nil, pairs, nil}
	r.Rows[2].Cells[0] = cell(80)
	tables := figures.Results(r)
	require.Len(t, tables, 4)
	require.Len(t, tables[0].Rows, 3) // nothing was published
	require.Equal(t, "Seconds of a training", tables[3].Title)
	require.Equal(t, "1.5", tables[3].Rows[0][3].Text)
	require.Equal(t, "Forms against the other models, training by training", tables[1].Title)
	var texts []string
	for _, c := range tables[1].Rows[0] {
		texts = append(texts, c.Text)
	}
	require.Equal(t, []string{"GIN", "3", "+3.00", "−1.30 to +7.30", "3 of 3", "open"}, texts)
	require.Equal(t, "not trained", tables[1].Rows[1][5].Text)
}
