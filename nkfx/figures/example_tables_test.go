package figures_test

import (
	"fmt"
	"os"

	"github.com/neuralkforms/nkf/nkfx/experiments"
	"github.com/neuralkforms/nkf/nkfx/figures"
	"github.com/neuralkforms/nkf/nkfx/train"
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
	// model       features    parameters  BZR            AIDS
	// GCN         attributes  1,005,058   90.00 ± 1.50*  –
	// GCN, paper              5K          79.75 ± 0.68*  –
	// NkF         attributes  651–3,828   90.00 ± 1.50*  98.50 ± 1.50*
	// NkF         labels      651–3,645   90.00 ± 1.50*  9.75 ± 1.50
	// NkF, paper              4K          78.77 ± 0.55   –
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
	// AUROC with the weights of the lowest validation loss
	// Average precision with the weights of the last epoch
	// Accuracy with the weights of the last epoch
}

func ExampleByParameters_molecules() {
	golden("auroc.png", madeUp(figures.ByParameters(molecules())))
	// Output: auroc.png
}

// One data set on which cochain networks are ahead.
func ExampleCochainTables() {
	ours := &experiments.Result{Parameters: 20170, MeanBest: 86, StdBest: 1, Mean: 85}
	theirs := &experiments.Result{Parameters: 20001, MeanBest: 83, StdBest: 1, Mean: 82}
	for fold := range 3 {
		x := train.Score(fold)
		ours.Folds = append(ours.Folds, experiments.FoldResult{Fold: fold, TestBest: 85 + x, Seconds: 2})
		theirs.Folds = append(theirs.Folds, experiments.FoldResult{Fold: fold, TestBest: 82.1 + 0.9*x})
	}
	difference, err := experiments.Compare(ours, theirs)
	if err != nil {
		fmt.Println(err)
		return
	}
	tables := figures.CochainTables(&experiments.CochainResults{
		Models: []string{"cochain", "gin-tuned"}, Seeds: 1,
		Rows: []experiments.CochainRow{{
			Dataset: "BZR", Metric: "accuracy", Cells: []*experiments.Result{ours, theirs}, Pairs: difference,
			PaperBest: &experiments.MeanStd{Mean: 81.48, Std: 2.9},
		}},
	})
	for _, table := range tables {
		fmt.Println(table.Title)
	}
	pairs := tables[1]
	pairs.Notes = nil
	_ = pairs.Print(os.Stdout)
	// Output:
	// Cochain networks on the benchmarks of the paper
	// cochain against gin-tuned, training by training, at the best validation epoch
	// cochain against gin-tuned, training by training, at the last epoch
	// data  pairs  mean difference  95 % interval   wins    verdict
	// BZR   3      +3.00            +2.75 to +3.25  3 of 3  ahead*
}
