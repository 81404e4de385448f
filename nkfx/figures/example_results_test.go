package figures_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

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
	// ## Norms &amp; signs
	//
	// | readout    | x\|y          |
	// | ---        | ---           |
	// | sum        | **1.5 ± 0.2** |
	// | L&lt;1&gt; | \*            |
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
