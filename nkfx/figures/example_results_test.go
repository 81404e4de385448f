package figures_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/nkfx/experiments"
	"github.com/neuralkforms/nkf/nkfx/figures"
)

// TestResultsLookTheSame: the figures of results are those of testdata.
func TestResultsLookTheSame(t *testing.T) {
	poor, good, at := eigenvectors(), eigenvectors(), levels()[0].Points
	poor.Error, poor.Errors = 0.7, []float64{0.6, 0.7, 0.8} // a set-up that falls behind
	for i := range poor.Field.Values {
		poor.Field.Values[i] /= 3
	}
	for name, f := range map[string]*figures.Figure{
		"paths-fields.png":          figures.PathFields(paths()),
		"paths-functions.png":       figures.PathFunctions(paths()),
		"paths-embeddings.png":      figures.PathEmbeddings(paths()),
		"surfaces-embedding.png":    figures.SurfaceEmbedding(surfaces()),
		"surfaces-integrals.png":    figures.SurfaceIntegrals(surfaces()),
		"eigenvectors-cover.png":    figures.EigenvectorCover(eigenvectors()),
		"eigenvectors-fields.png":   figures.EigenvectorFields([]string{"poor", "good"}, poor, good),
		"convolution-templates.png": figures.ConvolutionTemplates(convolution()),
		"convolution-embedding.png": figures.ConvolutionEmbedding(convolution()),
		"cochain-levels.png":        figures.CochainLevels("The letter A, moved", nil, levels()),
		"cochain-messages.png":      figures.CochainLevels("What edges tell vertices", at, levels()),
		"accuracy.png":              figures.ByParameters(someTable()),
		"auroc.png":                 figures.ByParameters(molecules()),
	} {
		require.NoError(t, compare(filepath.Join("testdata", name), madeUp(f)))
	}
}

// A table as text, and as Markdown.
func ExampleTable() {
	table := small()
	_ = table.Print(os.Stdout)
	fmt.Print(table.Markdown()) // and table.HTML()
	// Output:
	// readout  x|y
	// sum      1.5 ± 0.2*
	// L<1>     *
	// Larger is better.
	// ## Norms & signs
	//
	// | readout | x\|y          |
	// | ---     | ---           |
	// | sum     | **1.5 ± 0.2** |
	// | L<1>    | \*            |
	//
	// Larger is better.
}

// small returns a table with an entry of every kind.
func small() *figures.Table {
	return &figures.Table{
		Title: "Norms & signs",
		Head:  []string{"readout", "x|y"},
		Rows: [][]figures.Cell{
			{{Text: "sum"}, {Text: "1.5 ± 0.2", Strong: true}},
			{{Text: "L<1>", Faint: true}, {Text: "*"}},
		},
		Notes: []string{"Larger is better."},
	}
}

// The first of the tables, without its notes.
func ExampleResults() {
	table := figures.Results(someTable())[0]
	table.Notes = nil
	_ = table.Print(os.Stdout)
	// Output:
	// model       features    parameters  BZR           AIDS
	// GCN         attributes  1,005,058   90.00 ± 1.50  –
	// GCN, paper              5K          79.75 ± 0.68  –
	// NkF         attributes  651–3,828   90.00 ± 1.50  98.50 ± 1.50
	// NkF         labels      651–3,645   90.00 ± 1.50  9.75 ± 1.50
	// NkF, paper              4K          78.77 ± 0.55  –
}

// Where learned forms matter: differences between networks of the log, by folds.
func ExampleIntervals() {
	text, err := os.ReadFile("../experiments/testdata/forms.jsonl")
	if err != nil {
		panic(err)
	}
	log, sets := map[string]*experiments.Result{}, []string(nil)
	for line := range strings.Lines(string(text)) {
		var r experiments.Result
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			panic(err)
		}
		log[r.Dataset+" "+r.Model] = &r
		if r.Model == network+":kind=differences" {
			sets = append(sets, r.Dataset)
		}
	}
	contrasts := []struct{ name, first, second string }{
		{"over no integrals", network, network + ":kind=differences"},
		{"the same, positions alone", place, place + ":kind=differences"},
		{"over constant forms", network, network + ":kind=constant"},
		{"over a convolutional network", network, "cnn:layers=1:width=20:epochs=40"},
		{"over constant forms, positions alone", place, place + ":kind=constant"},
	}
	var names []string
	for _, c := range contrasts {
		names = append(names, c.name)
	}
	difference := func(row, name int) *experiments.Comparison {
		first, second := log[sets[row]+" "+contrasts[name].first], log[sets[row]+" "+contrasts[name].second]
		if first == nil || second == nil {
			return nil
		}
		return experiments.CompareFolds(first, second, experiments.LastEpoch)
	}
	for name, what := range names {
		fmt.Println(what)
		for row, set := range sets {
			if c := difference(row, name); c != nil {
				fmt.Printf("%s %+.1f (%+.1f to %+.1f)\n", set, c.Mean, c.Low, c.High)
			}
		}
	}
	f := figures.Intervals("What forms add", sets, names[:4], difference)
	fmt.Println(compare("../experiments/forms.png", f))
	// Output:
	// over no integrals
	// Currents +4.7 (-12.3 to +21.6)
	// Libras +3.6 (+0.7 to +6.6)
	// ERing +1.0 (-3.7 to +5.7)
	// the same, positions alone
	// Currents +22.3 (+5.2 to +39.4)
	// over constant forms
	// Currents +2.0 (-6.3 to +10.3)
	// Libras +0.6 (-0.9 to +2.0)
	// ERing +1.3 (-2.7 to +5.4)
	// over a convolutional network
	// Currents -1.7 (-12.6 to +9.3)
	// Libras +11.4 (+9.2 to +13.6)
	// ERing +1.7 (-3.2 to +6.6)
	// over constant forms, positions alone
	// Currents +10.7 (+2.0 to +19.3)
	// <nil>
}

// The networks of the log: with positions, velocities and times, and with positions alone.
const (
	network = "path:layers=1:epochs=40"
	place   = network + ":place=true"
)
