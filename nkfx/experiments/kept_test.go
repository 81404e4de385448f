package experiments

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets/tu"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// cellsOf returns the cells of README.md's rows that begin with these, by the head of their column.
func cellsOf(begin ...string) []map[string]string { return cellsIn("README.md", begin...) }

// cellsIn is cellsOf of a guide.
func cellsIn(guide string, begin ...string) (rows []map[string]string) {
	var head []string
	for line := range strings.Lines(string(must(os.ReadFile(guide)))) {
		if !strings.HasPrefix(line, "|") {
			head = nil
			continue
		}
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		if head == nil {
			head = cells
		}
		if slices.Equal(cells[:len(begin)], begin) {
			row := map[string]string{}
			for i, cell := range cells {
				row[head[i]] = cell
			}
			rows = append(rows, row)
		}
	}
	return rows
}

// signed writes a difference as README.md does.
func signed(x float64) string {
	text := strings.ReplaceAll(fmt.Sprintf("%+.1f", x), "-", "−")
	if text[len(text)-3:] == "0.0" {
		return "0.0"
	}
	return text
}

// difference writes a comparison as README.md does: bold if its interval excludes 0.
func difference(c *Comparison) string {
	text := signed(c.Mean)
	if c.Low != c.High {
		text += fmt.Sprintf(" (%s to %s)", signed(c.Low), signed(c.High))
	}
	if c.Low > 0 || c.High < 0 {
		return "**" + text + "**"
	}
	return text
}

// spread writes a mean and a standard deviation as README.md does.
func spread(mean, std train.Score) string { return fmt.Sprintf("%.2f ± %.1f", mean, std) }

// table1 are the models of Table 1 by their names in README.md.
var table1 = map[string]string{
	"egnn": "EGNN", "gat": "GAT", "gcn": "GCN", "gin": "GIN", "nkf": "NkF", "nkf-text": "NkF, text",
}

// kept returns the results of a file by data set, model and features, summarized. Those of the Letter sets,
// which have no labels, are of both choices of features.
func kept(t *testing.T, file string) map[[3]string]*Result {
	results := map[[3]string]*Result{}
	for line := range strings.Lines(string(must(os.ReadFile(file)))) {
		r := &Result{}
		require.NoError(t, json.Unmarshal([]byte(line), r))
		require.Len(t, r.Folds, 15)
		r.summarize()
		choices := []string{r.Features}
		if r.Features == "attributes" {
			choices = []string{"attributes+labels", "labels"}
		}
		for _, features := range choices {
			require.NotContains(t, results, [3]string{r.Dataset, r.Model, features})
			results[[3]string{r.Dataset, r.Model, features}] = r
		}
	}
	return results
}

// TestTable1IsOfKeptScores: where README.md has scores that were kept, it has their means, deviations and
// differences.
func TestTable1IsOfKeptScores(t *testing.T) {
	results := kept(t, "testdata/table1.jsonl")
	require.Equal(t, 84, len(results))
	for key, r := range results {
		rows := cellsOf(table1[r.Model], key[2])
		require.NotEmpty(t, rows, key)
		for _, row := range rows {
			require.Equal(t, spread(r.Mean, r.Std), strings.Trim(row[r.Dataset], "*"), key)
		}
		forms := results[[3]string{r.Dataset, "nkf", "labels"}]
		if r.Model == "nkf" || key[2] != "labels" || forms == nil {
			continue
		}
		rows = slices.DeleteFunc(cellsOf(table1[r.Model]), func(row map[string]string) bool {
			return row["NkF over"] == ""
		})
		require.Len(t, rows, 1)
		want := difference(CompareFolds(forms, r, LastEpoch))
		require.Equal(t, want, rows[0][r.Dataset], "NkF over %s on %s", r.Model, r.Dataset)
	}
	text := strings.Join(strings.Fields(string(must(os.ReadFile("README.md")))), " ")
	for _, other := range [][3]string{
		{"DHFR", "egnn", "attributes+labels"}, {"DHFR", "nkf", "labels"},
		{"AIDS", "egnn", "attributes+labels"}, {"AIDS", "gat", "attributes+labels"},
		{"AIDS", "gcn", "attributes+labels"}, {"AIDS", "nkf", "labels"},
	} {
		c := CompareFolds(results[[3]string{other[0], "nkf", "attributes+labels"}], results[other], LastEpoch)
		require.Contains(t, text, strings.Trim(difference(c), "*"), other)
	}
	for _, other := range []string{"gcn", "gat", "gin", "egnn"} {
		var forms, messages []*Result
		for _, name := range []string{"BZR", "COX2", "DHFR", "Letter-low", "Letter-med", "Letter-high"} {
			forms = append(forms, results[[3]string{name, "nkf", "labels"}])
			messages = append(messages, results[[3]string{name, other, "labels"}])
		}
		c := CompareSets(forms, messages, LastEpoch)
		require.Less(t, c.Low, 0.0, "README.md says that no lead over %s is shown", other)
		if other == "gcn" {
			require.Contains(t, text, strings.ReplaceAll(fmt.Sprintf("NkF over GCN, on labels, has %+.2f "+
				"(%+.2f to %+.2f, Wilcoxon p = %.2f)", c.Mean, c.Low, c.High, c.P), "-", "−"))
		}
	}
	for key, want := range map[[3]string]int{ // trainings that predict the largest class
		{"BZR", "nkf", "labels"}: 15, {"BZR", "egnn", "labels"}: 15,
		{"COX2", "egnn", "labels"}: 15, {"COX2", "nkf", "labels"}: 10,
	} {
		constant := 0
		for _, f := range results[key].Folds {
			if f.Last.MacroAccuracy == 50 {
				constant++
			}
		}
		require.Equal(t, want, constant, key)
	}
}

// TestTable2IsOfKeptScores: README.md has the AUROC of NkF on each split, and average precision and accuracy
// on the first fold.
func TestTable2IsOfKeptScores(t *testing.T) {
	columns := map[string]string{"fold0": "fold 0", "folds": "five folds", "scaffold": "scaffold"}
	lines := strings.Split(strings.TrimSpace(string(must(os.ReadFile("testdata/table2.jsonl")))), "\n")
	require.Len(t, lines, 2*len(columns))
	for _, line := range lines {
		var r struct {
			Result
			Split string
		}
		require.NoError(t, json.Unmarshal([]byte(line), &r))
		require.Len(t, r.Folds, 5)
		r.summarize()
		row := cellsOf(r.Dataset)[0]
		require.Equal(t, spread(r.Mean, r.Std), row[columns[r.Split]])
		if r.Split == "fold0" {
			mean, std := r.Means, r.Stds
			require.Equal(t, spread(mean.AveragePrecision, std.AveragePrecision), row["average precision"])
			require.Equal(t, spread(mean.Accuracy, std.Accuracy), row["accuracy"])
		}
	}
}

// TestCurrentsIsOfKeptScores: README.md has the accuracies on Currents and the leads of learned forms.
func TestCurrentsIsOfKeptScores(t *testing.T) {
	names := []string{"positions alone, learned forms", "positions alone, constant forms",
		"positions alone, no integrals", "cnn"}
	var learned *Result
	for line := range strings.Lines(string(must(os.ReadFile("testdata/currents.jsonl")))) {
		r := &Result{}
		require.NoError(t, json.Unmarshal([]byte(line), r))
		row := cellsOf(names[0])[0]
		require.Equal(t, fmt.Sprintf("%.1f ± %.1f", r.Mean, r.Std), row["accuracy"])
		if learned == nil {
			learned = r
		} else {
			want := difference(CompareFolds(learned, r, LastEpoch))
			require.Equal(t, want, "**"+row["learned forms over it"]+"**")
		}
		names = names[1:]
	}
	require.Empty(t, names)
}

// TestLargestClass: the first guide has the accuracy of a network that always predicts the largest class.
func TestLargestClass(t *testing.T) {
	rows := cellsIn("../../README.md", "always the most frequent class")
	require.Len(t, rows, 1)
	for _, name := range []string{"BZR", "COX2", "DHFR", "Letter-low", "Letter-med", "Letter-high"} {
		archive := must(must(Lookup(name)).Load(t.Context())).(*tu.Archive)
		sizes := map[int]int{}
		for _, label := range archive.GraphLabels {
			sizes[label]++
		}
		share := 100 * float64(slices.Max(slices.Collect(maps.Values(sizes)))) / float64(archive.Len())
		require.Equal(t, fmt.Sprintf("%.1f", share), rows[0][name], name)
	}
}

// TestCochainTableIsOfKeptScores compares README.md with the results that the notebook shows.
func TestCochainTableIsOfKeptScores(t *testing.T) {
	results := must(ReadResults(shipped))
	for name, score := range map[string]func(*Result, train.Fit) train.Score{
		"last": LastEpoch, "best": BestEpoch,
	} {
		byModel := map[string][]*Result{}
		for _, row := range results.Rows {
			byModel[row.Model] = row.Cells
			title := map[string]string{
				"cochain": "cochain", "cochain-small": "cochain, small", "gin-tuned": "GIN, tuned",
			}[row.Model]
			for _, cells := range cellsOf(title + ", " + name + " epoch") {
				for i, cell := range row.Cells {
					mean, std := cell.Mean, cell.Std
					if name == "best" {
						mean, std = cell.MeanBest, cell.StdBest
					}
					want := fmt.Sprintf("%.1f ± %.1f", mean, std)
					require.Equal(t, want, cells[results.Columns[i].Name], title)
				}
			}
		}
		c := CompareSets(byModel["cochain"], byModel["gin-tuned"], score)
		row := cellsOf("difference")[map[string]int{"last": 0, "best": 1}[name]]
		for i, d := range c.Differences {
			require.Equal(t, signed(d), row[results.Columns[i].Name], name)
		}
		text := strings.ReplaceAll(fmt.Sprintf("%+.2f (%+.2f to %+.2f", c.Mean, c.Low, c.High), "-", "−")
		readme := string(must(os.ReadFile("README.md")))
		require.Contains(t, readme, text)
		require.Contains(t, readme, fmt.Sprintf("p = %.2f) at the %s", c.P, name))
	}
}
