package figures_test

import (
	"os"

	"github.com/neuralkforms/nkf/nkfx/figures"
)

func ExampleTable() {
	table := &figures.Table{
		Head: []string{"readout", "x|y"},
		Rows: [][]figures.Cell{
			{{Text: "sum"}, {Text: "1.5 ± 0.2", Strong: true}},
			{{Text: "L<1>", Faint: true}, {Text: "*"}},
		},
		Notes: []string{"Larger is better."},
	}
	_ = table.Print(os.Stdout) // or table.Markdown(), table.HTML()
	// Output:
	// readout  x|y
	// sum      1.5 ± 0.2*
	// L<1>     *
	// Larger is better.
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

// Accuracy by the number of parameters, ours as dots and the paper's as rings.
func ExampleByParameters() {
	golden("accuracy.png", madeUp(figures.ByParameters(someTable())))
	// Output: accuracy.png
}

func ExampleByParameters_molecules() {
	golden("auroc.png", madeUp(figures.ByParameters(molecules())))
	// Output: auroc.png
}
