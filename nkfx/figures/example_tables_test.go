package figures_test

import (
	"fmt"
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

// Molecules are split in four ways.
func ExampleResults_molecules() {
	for _, table := range figures.Results(molecules()) {
		fmt.Println(table.Title)
	}
	// Output:
	// Table 2: AUROC with the weights of the last epoch, as published
	// AUROC with the weights of the best epoch of the validation part
	// Average precision with the weights of the last epoch
	// Accuracy with the weights of the last epoch
	// Trainable parameters
}

func ExampleByParameters_molecules() {
	golden("auroc.png", madeUp(figures.ByParameters(molecules())))
	// Output: auroc.png
}

// One data set on which a cochain network is ahead, and one on which it is not.
func ExampleResults_cochain() {
	tables := figures.Results(cochains())
	for _, table := range tables {
		fmt.Println(table.Title)
	}
	comparison := tables[2]
	comparison.Notes = nil
	_ = comparison.Print(os.Stdout)
	// Output:
	// Accuracy with the weights of the last epoch
	// Accuracy with the weights of the best epoch of the validation part
	// Cochain against the other models, at the last epoch
	// Cochain against the other models, at the best validation epoch
	// Trainable parameters
	// against     data  units    mean difference  95 % interval     wins    Wilcoxon p  verdict
	// GIN, tuned  BZR   3 folds  +4.00            +3.61 to +4.39    3 of 3  –           ahead*
	// GIN, tuned  COX2  3 folds  −2.00            −2.39 to −1.61    0 of 3  –           behind
	// GIN, tuned  all   2 sets   +1.00            −37.12 to +39.12  1 of 2  1.000       open
}
