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

// TestTable1IsOfKeptScores: where README.md has scores that were kept, it has their means, deviations and
// differences.
func TestTable1IsOfKeptScores(t *testing.T) {
	names := map[string]string{
		"egnn": "EGNN", "gat": "GAT", "gcn": "GCN", "gin": "GIN", "nkf": "NkF", "nkf-text": "NkF, text",
	}
	onLabels := map[string]*Result{} // NkF, by data set
	var all []*Result
	for line := range strings.Lines(string(must(os.ReadFile("testdata/table1.jsonl")))) {
		r := &Result{}
		require.NoError(t, json.Unmarshal([]byte(line), r))
		require.Len(t, r.Folds, 15)
		r.summarize()
		rows := cellsOf(names[r.Model], r.Features)
		require.NotEmpty(t, rows, r.Model)
		for _, row := range rows {
			require.Equal(t, fmt.Sprintf("%.2f ± %.1f", r.Mean, r.Std), row[r.Dataset], line[:300])
		}
		if r.Features == "labels" {
			all = append(all, r)
			if r.Model == "nkf" {
				onLabels[r.Dataset] = r
			}
		}
	}
	require.Len(t, all, 12)
	largest := map[string]int{} // trainings that predict the largest class
	for _, r := range all {
		for _, f := range r.Folds {
			if f.Last.MacroAccuracy == 50 {
				largest[r.Dataset+" "+r.Model]++
			}
		}
		if r.Model == "nkf" {
			continue
		}
		c := CompareFolds(onLabels[r.Dataset], r, LastEpoch)
		want := signed(c.Mean)
		if c.Low != c.High {
			want += fmt.Sprintf(" (%s to %s)", signed(c.Low), signed(c.High))
		}
		rows := slices.DeleteFunc(cellsOf(names[r.Model]), func(row map[string]string) bool {
			return row["NkF over"] == ""
		})
		require.Len(t, rows, 1)
		require.Equal(t, want, rows[0][r.Dataset], "NkF over %s", r.Model)
	}
	require.Equal(t, 15, largest["BZR nkf"])
	require.Equal(t, 15, largest["BZR egnn"])
	require.Equal(t, 15, largest["COX2 egnn"])
	require.Equal(t, 10, largest["COX2 nkf"])
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
