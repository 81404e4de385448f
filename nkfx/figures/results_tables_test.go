package figures_test

import (
	"fmt"
	"image/color"
	"math"
	"os"
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
	bzr := must(experiments.Lookup("BZR"))
	column := func(name, sum string, published map[string]experiments.Published) experiments.Column {
		return experiments.Column{Name: name, Dataset: name, Split: "folds", Metric: "accuracy", Folds: 5,
			Seeds: 2, DataSHA256: sum, Published: published}
	}
	return &experiments.Results{
		Table: "1", Seed: 42, Backend: "go", Missing: 1,
		Versions: nkfx.Versions{NKF: "v1", GoMLX: "v2", GoXLA: "v3", Processor: "some"},
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

// TestEveryModelHasAName: in text, and a color of its own in figures.
func TestEveryModelHasAName(t *testing.T) {
	table := &experiments.Results{Columns: []experiments.Column{{Name: "BZR"}}}
	known := models.Names(func(e models.Entry) bool { return e.Kind == "" })
	for _, model := range known {
		row := experiments.Row{Model: model, Cells: make([]*experiments.Result, 1)}
		table.Rows = append(table.Rows, row)
	}
	names, colors := map[string]bool{}, map[color.NRGBA]bool{}
	for _, key := range figures.ByParameters(table).Key {
		require.EqualValues(t, 255, key.Color.A)
		names[key.Name], colors[key.Color] = true, true
	}
	require.Len(t, names, len(known))
	require.Len(t, colors, len(known))
	for _, of := range figures.Results(table) {
		for _, row := range of.Rows {
			require.NotContains(t, []string{"", ", paper", "Cochain, paper"}, row[0].Text)
		}
	}
}

// TestTables: the tables of all samples are those of testdata/tables.md, which -update writes anew: ties of
// what is printed are bold, and single figures and rows that stand for one training are not; where a score
// is undefined is a dash, and a note says so.
func TestTables(t *testing.T) {
	few, one := someTable(), someTable()
	few.Rows, one.Rows = few.Rows[1:], one.Rows[:1]
	var out strings.Builder
	for i, sample := range []*experiments.Results{
		someTable(), few, one, undefinedScores(), molecules(), cochains(), unvalidated(),
	} {
		fmt.Fprintf(&out, "# Sample %d\n\n", i)
		for _, table := range figures.Results(sample) {
			out.WriteString(table.Markdown() + "\n")
		}
	}
	if *update {
		require.NoError(t, os.WriteFile("testdata/tables.md", []byte(out.String()), 0o644))
	}
	require.Equal(t, string(must(os.ReadFile("testdata/tables.md"))), out.String())
}

// TestMarkdownIsText: what has a meaning in Markdown or HTML is written as text, in all parts of a table.
func TestMarkdownIsText(t *testing.T) {
	const odd = "<img onerror=x> [a](b) `c` *d* _e_ ~f~ $g$ \\| &lt;\r\n"
	table := figures.Table{Title: odd, Head: []string{odd}, Rows: [][]figures.Cell{figures.Texts(odd)},
		Notes: []string{odd}}
	text := table.Markdown()
	require.Equal(t, 4, strings.Count(text, "&lt;img onerror=x&gt; \\[a\\](b) \\`c\\` \\*d\\* \\_e\\_ "+
		"\\~f\\~ \\$g\\$ \\\\\\| &amp;lt;  "))
	require.NotContains(t, text, "<")
}

// TestFeaturesHaveShapes: two choices of features of one model are told apart.
func TestFeaturesHaveShapes(t *testing.T) {
	same := someTable()
	same.Rows[2].Features = "attributes" // but the training is another
	shapes, dots := figures.ByParameters(someTable()), figures.ByParameters(same)
	dots.Notes = shapes.Notes // as large as the other
	require.NotEqual(t, must(figures.Small(shapes)), must(figures.Small(dots)), "a square is no dot")
}

// undefinedScores has trainings of which some have no score.
func undefinedScores() *experiments.Results {
	none := train.Score(math.NaN())
	cell := func(tests ...train.Score) *experiments.Result {
		r := &experiments.Result{Model: "nkf", Metric: "auroc", Mean: tests[0], Std: 1,
			MeanBest: tests[0], StdBest: 1,
			Means: train.Scores{AveragePrecision: tests[0]}, Stds: train.Scores{AveragePrecision: 1}}
		for _, score := range tests {
			if !score.Defined() {
				r.Undefined++
			}
			r.Folds = append(r.Folds, train.Fit{Last: train.Scores{AUROC: score}})
		}
		return r
	}
	some := cell(80, none)
	some.Folds[0].Last.Undefined = map[string]int{"auroc": 1}
	return &experiments.Results{
		Columns: []experiments.Column{{Name: "BACE", Metric: "auroc"}, {Name: "BBBP", Metric: "auroc"}},
		Rows: []experiments.Row{
			{Model: "nkf", Cells: []*experiments.Result{some, cell(none, none)}},
			{Model: "gcn", Cells: []*experiments.Result{cell(70, 70), cell(60, 60)}},
		}}
}

// molecules is a table with a column for every split, one of which was not trained.
func molecules() *experiments.Results {
	cell := func(mean train.Score) *experiments.Result {
		return &experiments.Result{Features: "numbers", Parameters: 8560, Mean: mean, Std: 1,
			MeanBest: mean + 1, StdBest: 2,
			Means: train.Scores{AUROC: mean, AveragePrecision: 50, Accuracy: 70},
			Stds:  train.Scores{AUROC: 1, AveragePrecision: 3, Accuracy: 4}}
	}
	bace := must(experiments.Lookup("BACE"))
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

// cochains compares two networks.
func cochains() *experiments.Results {
	result := func(dataset string, last train.Score, tests ...train.Score) *experiments.Result {
		r := &experiments.Result{Dataset: dataset, Features: "labels", Parameters: 20170, Mean: 80,
			Metric: "accuracy", MeanBest: tests[0]}
		r.StdBest = 1
		for i, v := range tests {
			r.Folds = append(r.Folds, train.Fit{Fold: i, Best: train.Scores{Accuracy: v},
				Last: train.Scores{Accuracy: v + last}})
		}
		return r
	}
	bzr := must(experiments.Lookup("BZR"))
	t := &experiments.Results{Table: "cochain", Seed: 7, Missing: 2,
		Columns: []experiments.Column{
			{Name: "BZR", Dataset: "BZR", Metric: "accuracy", DataSHA256: "0123456789abcdef",
				Published: bzr.Published},
			{Name: "COX2", Metric: "accuracy"}, {Name: "DHFR", Metric: "accuracy"},
		},
		Rows: []experiments.Row{
			{Model: "cochain", Cells: []*experiments.Result{
				result("BZR", 1, 85, 86, 87), result("COX2", 1, 80, 81, 82), nil,
			}},
			{Model: "gin-tuned", Cells: []*experiments.Result{
				result("BZR", 0, 82, 83.1, 83.9), result("COX2", 0, 83, 84.1, 84.9), nil,
			}},
		},
	}
	return t
}

// unvalidated is a table without a validation part, whose first model stands against each other.
func unvalidated() *experiments.Results {
	cell := func(tests ...train.Score) *experiments.Result {
		r := &experiments.Result{Mean: tests[0], Parameters: 7, Metric: "accuracy"}
		for i, v := range tests {
			r.Folds = append(r.Folds, train.Fit{Fold: i, Last: train.Scores{Accuracy: v}, Epochs: 3,
				BestEpoch: 2, Seconds: 1.5})
		}
		return r
	}
	return &experiments.Results{Table: "uea", Columns: []experiments.Column{{Name: "ERing", Split: "folds"}},
		Rows: []experiments.Row{
			{Model: "path", Cells: []*experiments.Result{cell(90, 91, 92)}},
			{Model: "cnn", Cells: []*experiments.Result{cell(88, 86, 90)}},
			{Model: "nkf", Cells: []*experiments.Result{cell(80)}},
		}}
}

func TestTableHTML(t *testing.T) {
	page := small().HTML()
	for _, part := range []string{"Norms &amp; signs", "<b>1.5 ± 0.2</b>", "L&lt;1&gt;", "x|y</th>",
		"<p>Larger is better.</p>"} {
		require.Contains(t, page, part)
	}
	require.Equal(t, strings.Count(page, "<td"), strings.Count(page, "</td>"))
	require.Equal(t, 4, strings.Count(page, "<td"))
	require.Equal(t, 1, strings.Count(page, "opacity"), "the faint entry")
	require.NotRegexp(t, `#[0-9a-f]{6}`, page, "colors are those of the page, light or dark")
}
